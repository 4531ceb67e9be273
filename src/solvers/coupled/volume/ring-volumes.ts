/**
 * Volumes of the tetrahedra around each vertex of a body (its one-ring), and how they change: the constraint of incompressible flesh
 * [Irving2007], as [Shinar2008 §3] uses it. Per tet there would be more constraints than a mesh has freedom, and it would lock; there is
 * one per vertex.
 *
 *     V_i = Σ V_t over the tets around i        B = ∂V/∂x        B v: their rates        Bᵀ p: forces of a pressure per vertex
 */

/** What the volumes of a body are made of. */
export interface RingMesh {
  readonly vertexCount: number;
  readonly tetCount: number;
  readonly tets: Int32Array;
  readonly volumes: Float64Array;
}

/** Slopes of a tet's volume by its four corners. */
const SLOPES = 12;

/** The one-rings of a body where it is now. */
export class RingVolumes {
  readonly #mesh: RingMesh;
  /** Slopes of all tets [m²], and what the rings lack of their volumes at rest [m³]. */
  readonly #slope: Float64Array;
  readonly lack: Float64Array;
  readonly #at: Float64Array;
  /** Sum of the squares of the rings' volumes at rest [m⁶]. */
  readonly restSquare: number;

  constructor(mesh: RingMesh) {
    this.#mesh = mesh;
    this.#slope = new Float64Array(mesh.tetCount * SLOPES);
    this.lack = new Float64Array(mesh.vertexCount);
    const rest = new Float64Array(mesh.vertexCount);
    mesh.tets.forEach((v, i) => {
      rest[v] += mesh.volumes[i >> 2];
    });
    this.restSquare = rest.reduce((sum, volume) => sum + volume * volume, 0);
    this.#at = new Float64Array(mesh.vertexCount * 3);
  }

  /** Measures the rings at positions x + h v, from vertex `first` on. */
  measure(x: Float64Array, first: number, v: Float64Array, h: number): void {
    const { tets, tetCount, volumes, vertexCount } = this.#mesh;
    const slope = this.#slope;
    const at = this.#at;
    for (let i = 0; i < vertexCount * 3; i++) at[i] = x[first * 3 + i] + h * v[first * 3 + i];
    this.lack.fill(0);
    for (let t = 0; t < tetCount; t++) {
      const o = t * SLOPES;
      const a = tets[t * 4] * 3;
      const b = tets[t * 4 + 1] * 3;
      const c = tets[t * 4 + 2] * 3;
      const d = tets[t * 4 + 3] * 3;
      faceSlope(at, a, c, d, slope, o + 3);
      faceSlope(at, a, d, b, slope, o + 6);
      faceSlope(at, a, b, c, slope, o + 9);
      let volume = 0;
      for (let k = 0; k < 3; k++) {
        slope[o + k] = -slope[o + 3 + k] - slope[o + 6 + k] - slope[o + 9 + k];
        volume += slope[o + 3 + k] * (at[b + k] - at[a + k]);
      }
      for (let m = 0; m < 4; m++) this.lack[tets[t * 4 + m]] += volumes[t] - volume;
    }
  }

  /** out = B v: how fast the rings grow [m³/s], at velocities v[3 first..]. */
  rates(v: Float64Array, first: number, out: Float64Array): void {
    const { tets, tetCount } = this.#mesh;
    out.fill(0);
    for (let t = 0; t < tetCount; t++) {
      let rate = 0;
      for (let m = 0; m < 4; m++) {
        const i = (first + tets[t * 4 + m]) * 3;
        const o = t * SLOPES + m * 3;
        rate += this.#slope[o] * v[i] + this.#slope[o + 1] * v[i + 1] + this.#slope[o + 2] * v[i + 2];
      }
      for (let m = 0; m < 4; m++) out[tets[t * 4 + m]] += rate;
    }
  }

  /** out = Bᵀ p, 3 per vertex of the body: they sum to nothing. */
  forces(p: Float64Array, out: Float64Array): void {
    const { tets, tetCount } = this.#mesh;
    out.fill(0);
    for (let t = 0; t < tetCount; t++) {
      const o = t * 4;
      const pressure = p[tets[o]] + p[tets[o + 1]] + p[tets[o + 2]] + p[tets[o + 3]];
      for (let m = 0; m < 4; m++) {
        const i = tets[o + m] * 3;
        for (let k = 0; k < 3; k++) out[i + k] += pressure * this.#slope[t * SLOPES + m * 3 + k];
      }
    }
  }
}

/** slope = a sixth of (p − a) × (q − a): how the volume over a face grows with its fourth corner. */
function faceSlope(x: Float64Array, a: number, p: number, q: number, slope: Float64Array, o: number): void {
  const p0 = x[p] - x[a];
  const p1 = x[p + 1] - x[a + 1];
  const p2 = x[p + 2] - x[a + 2];
  const q0 = x[q] - x[a];
  const q1 = x[q + 1] - x[a + 1];
  const q2 = x[q + 2] - x[a + 2];
  slope[o] = (p1 * q2 - p2 * q1) / 6;
  slope[o + 1] = (p2 * q0 - p0 * q2) / 6;
  slope[o + 2] = (p0 * q1 - p1 * q0) / 6;
}
