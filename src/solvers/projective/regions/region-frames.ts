/** How the regions of a body's flesh are turned: the rotation nearest to the mean deformation of their tets, read off the vertices. */
import type { Model } from '../../../body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import type { Layout } from '../layout.js';
import { cornerGradients } from '../system.js';
import type { FleshRegions } from './flesh-regions.js';

/** Rotations of regions. */
export class RegionFrames {
  /** The three columns of each region's rotation, one after the other. */
  readonly columns: Float64Array;
  /** Stiffness of each region in the constant matrix, Σ w V [J]. */
  readonly stiffness: Float64Array;
  /** How far the tets of each region are from turning as one, 0 to 3. */
  readonly disorder: Float64Array;
  /** Mean deformation Σ w V F = Σ x sᵀ of each region: where its vertices begin, the vertices, and s. */
  readonly #starts: Int32Array;
  readonly #vertices: Int32Array;
  readonly #shares: Float64Array;
  readonly #mean = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  constructor(model: Model, layout: Layout, { count, ofTet }: FleshRegions) {
    this.columns = new Float64Array(count * 9);
    this.stiffness = new Float64Array(count);
    this.disorder = new Float64Array(count);
    const sums = Array.from({ length: count }, () => new Map<number, Float64Array>());
    const gradient = new Float64Array(12);
    for (const tet of layout.tets) {
      const region = ofTet[tet];
      // of many loose parts some have none
      if (region < 0) continue;
      const scale = model.weight[tet] * model.volumes[tet];
      this.stiffness[region] += scale;
      cornerGradients(model, tet, gradient);
      for (let a = 0; a < 4; a++) {
        const vertex = model.tets[tet * 4 + a];
        const sum = sums[region].get(vertex) ?? new Float64Array(3);
        for (let k = 0; k < 3; k++) sum[k] += scale * gradient[a * 3 + k];
        sums[region].set(vertex, sum);
      }
    }
    this.#starts = new Int32Array(count + 1);
    for (let region = 0; region < count; region++) this.#starts[region + 1] = this.#starts[region] + sums[region].size;
    this.#vertices = new Int32Array(this.#starts[count]);
    this.#shares = new Float64Array(this.#starts[count] * 3);
    sums.forEach((sum, region) => {
      let n = this.#starts[region];
      for (const [vertex, share] of sum) {
        this.#vertices[n] = vertex;
        this.#shares.set(share, 3 * n++);
      }
    });
  }

  /** Reads the rotations off the vertices' positions. */
  read(positions: Float64Array): void {
    for (let region = 0; region < this.stiffness.length; region++) this.#readOne(region, positions);
  }

  #readOne(region: number, positions: Float64Array): void {
    const [mean, rotation] = [this.#mean, this.#rotation];
    for (let k = 0; k < 3; k++) this.#readRow(region, positions, k);
    polarRotation(rotation, 0, mean, 0, this.#scratch, 0);
    let aligned = 0;
    for (let i = 0; i < 9; i++) aligned += rotation[i] * mean[i];
    this.disorder[region] = Math.max(0, 3 - aligned / this.stiffness[region]);
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) this.columns[region * 9 + j * 3 + k] = rotation[k * 3 + j];
    }
  }
  /** Row k of a region's mean deformation. */
  #readRow(region: number, positions: Float64Array, k: number): void {
    const vertices = this.#vertices;
    const shares = this.#shares;
    const end = this.#starts[region + 1];
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = this.#starts[region]; n < end; n++) {
      const at = positions[vertices[n] * 3 + k];
      x += at * shares[n * 3];
      y += at * shares[n * 3 + 1];
      z += at * shares[n * 3 + 2];
    }
    this.#mean[k * 3] = x;
    this.#mean[k * 3 + 1] = y;
    this.#mean[k * 3 + 2] = z;
  }
}
