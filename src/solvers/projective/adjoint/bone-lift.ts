/** Between the six unknowns of each bone, the twelve numbers of its transform, and the vertices on it [Li2019 eq. 8, 14]. */
import type { Model } from '../../../body/model.js';
import type { Layout } from '../layout.js';
import { boneMass } from '../system.js';

/** out = the change of a bone's transform, four rows of three, for a turn and a shift in its own axes at s[o..o+6). */
export function liftBone(
  out: Float64Array,
  to: number,
  rotations: Float64Array,
  bone: number,
  s: Float64Array,
  o: number,
): void {
  const [x, y, z] = [s[o], s[o + 1], s[o + 2]];
  for (let i = 0; i < 3; i++) {
    const r = bone * 9 + i * 3;
    const [r0, r1, r2] = [rotations[r], rotations[r + 1], rotations[r + 2]];
    out[to + i] = r1 * z - r2 * y;
    out[to + 3 + i] = r2 * x - r0 * z;
    out[to + 6 + i] = r0 * y - r1 * x;
    out[to + 9 + i] = r0 * s[o + 3] + r1 * s[o + 4] + r2 * s[o + 5];
  }
}

/** Vertices on bones that some deformable tet touches, and how they go with their bones. */
export class CarriedVertices {
  readonly #model: Model;
  readonly #vertices: Int32Array;

  constructor(model: Model, layout: Layout) {
    this.#model = model;
    this.#vertices = layout.carriedVertices.filter((v) => model.bones.ofVertex[v] >= 0);
  }

  /** Writes the moves of the vertices for changes of the transforms, 12 per bone. */
  carry(change: Float64Array, moves: Float64Array): void {
    const { bones, positions } = this.#model;
    for (const v of this.#vertices) {
      const bone = bones.ofVertex[v];
      for (let k = 0; k < 3; k++) {
        let value = change[bone * 12 + 9 + k];
        for (let p = 0; p < 3; p++)
          value += (positions[v * 3 + p] - bones.centre[bone * 3 + p]) * change[bone * 12 + p * 3 + k];
        moves[v * 3 + k] = value;
      }
    }
  }

  /** Adds `sign` times what forces on the vertices are to the transforms. */
  gather(forces: Float64Array, sign: number, pull: Float64Array): void {
    const { bones, positions } = this.#model;
    for (const v of this.#vertices) {
      const bone = bones.ofVertex[v];
      for (let k = 0; k < 3; k++) {
        const f = sign * forces[v * 3 + k];
        for (let p = 0; p < 3; p++)
          pull[bone * 12 + p * 3 + k] += (positions[v * 3 + p] - bones.centre[bone * 3 + p]) * f;
        pull[bone * 12 + 9 + k] += f;
      }
    }
  }
}

/** Adds factor times the mass of a bone times a change of its transform, both at o. */
export function addInertia(
  model: Model,
  bone: number,
  factor: number,
  change: Float64Array,
  out: Float64Array,
  o: number,
): void {
  for (let p = 0; p < 4; p++) {
    for (let q = 0; q < 4; q++) {
      const mass = factor * boneMass(model, bone, p, q);
      for (let k = 0; mass !== 0 && k < 3; k++) out[o + p * 3 + k] += mass * change[o + q * 3 + k];
    }
  }
}
