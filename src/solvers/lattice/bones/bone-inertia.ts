/**
 * The masses of bones that move by themselves: those of the nodes they hold, as M = Σ m (X − C, 1)(X − C, 1)ᵀ (4x4 per bone), so that a
 * change δ of a transform (four rows of three) has the energy ½ ⟨δ, M δ⟩ / h². Used by free-bones.ts.
 */
import type { Model } from '../../../body/model.js';
import { nodePositions } from '../../../mesh/hexes/hex-lattice.js';
import type { LatticeBody } from '../lattice-body.js';
import { AFFINE } from './bone-spread.js';

/** The masses of one body. */
export class BoneInertia {
  /** Mass of each node [kg], and of all bones together. */
  readonly ofNodes: Float64Array;
  readonly total: number;
  readonly #masses: Float64Array;

  constructor({ bones }: Model, { lattice, filling }: LatticeBody, ofNode: Int32Array) {
    const rest = nodePositions(lattice);
    const masses = new Float64Array(16 * bones.count);
    this.ofNodes = new Float64Array(ofNode.length);
    for (let at = 0; at < lattice.corners.length; at++) {
      this.ofNodes[lattice.corners[at]] += (filling.mass?.[at >> 3] ?? 0) / 8;
    }
    const arm = new Float64Array(4).fill(1);
    ofNode.forEach((bone, node) => {
      if (bone < 0 || bone >= bones.count) return;
      for (let p = 0; p < 3; p++) arm[p] = rest[3 * node + p] - bones.centre[3 * bone + p];
      for (let n = 0; n < 16; n++) masses[16 * bone + n] += this.ofNodes[node] * arm[n >> 2] * arm[n & 3];
    });
    // one without nodes gets those of a light cell, so that it can hang on its joint
    const size = lattice.cellSize;
    for (let bone = 0; bone < bones.count; bone++) {
      if (masses[16 * bone + 15] > 0) continue;
      for (let p = 0; p < 4; p++) masses[16 * bone + 5 * p] = bones.mass[bone] * (p < 3 ? size * size : 1);
    }
    this.#masses = masses;
    this.total = masses.reduce((sum, value, n) => (n % 16 === 15 ? sum + value : sum), 0);
  }

  massOf(bone: number): number {
    return this.#masses[16 * bone + 15];
  }

  /** Adds stiffness M δ to the pull on a bone; returns the energy [J]. `stiffness`: one over the square of the step [1/s²]. */
  addPull(bone: number, stiffness: number, change: Float64Array, pull: Float64Array): number {
    const o = AFFINE * bone;
    let energy = 0;
    for (let p = 0; p < 4; p++) {
      for (let k = 0; k < 3; k++) {
        let force = 0;
        for (let q = 0; q < 4; q++) force += this.#masses[16 * bone + 4 * p + q] * change[o + 3 * q + k];
        force *= stiffness;
        pull[o + 3 * p + k] += force;
        energy += (force * change[o + 3 * p + k]) / 2;
      }
    }
    return energy;
  }

  /** Adds the momentum of all bones for changes, or rates, of their transforms [kg m, kg m/s]. */
  addMomentum(changes: Float64Array, out: Float64Array): void {
    for (let n = 0; n < changes.length; n++) {
      const [bone, p] = [Math.floor(n / AFFINE), Math.floor((n % AFFINE) / 3)];
      out[n % 3] += this.#masses[16 * bone + 12 + p] * changes[n];
    }
  }
}
