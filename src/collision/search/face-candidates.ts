/**
 * The nearest triangles of each vertex, a few per vertex: those that face different ways, so that a tip in a crack feels both
 * walls. Filled while pairs are tried in any order, then read vertex by vertex.
 */

/** Most triangles kept per vertex. */
const MOST = 3;
/** Two candidates are the same one when the cosine between their normals is above this. */
const SAME_WALL = 0.7;

/** Candidates of one body's surface vertices. */
export class FaceCandidates {
  /** Surface vertices that have candidates, the first `touchedCount`. */
  readonly touched: Int32Array;
  touchedCount = 0;
  readonly counts: Int32Array;
  /** Of candidate `slot`: how good it is, 2 for a face, 1 for an edge or corner, 0 for one too close to trust its direction. */
  readonly kind: Int32Array;
  /** Of candidate `slot`: triangle, distance, unit normal and weights of the triangle's corners. */
  readonly triangle: Int32Array;
  readonly distance: Float64Array;
  readonly normal: Float64Array;
  readonly weights: Float64Array;

  /** Nearest triangle each vertex is behind of, -1 for none, and how far away it is [m]. */
  readonly behind: Int32Array;
  readonly #behindDistance: Float64Array;
  /** Distance of what is offered next [m]: handed over, it would be boxed. */
  readonly far = new Float64Array(1);

  constructor(vertexCount: number) {
    this.behind = new Int32Array(vertexCount).fill(-1);
    this.#behindDistance = new Float64Array(vertexCount);
    this.touched = new Int32Array(vertexCount);
    this.counts = new Int32Array(vertexCount);
    this.kind = new Int32Array(vertexCount * MOST);
    this.triangle = new Int32Array(vertexCount * MOST);
    this.distance = new Float64Array(vertexCount * MOST);
    this.normal = new Float64Array(vertexCount * MOST * 3);
    this.weights = new Float64Array(vertexCount * MOST * 3);
  }

  /** First slot of a vertex; its candidates follow. */
  slotOf(vertex: number): number {
    return vertex * MOST;
  }

  clear(): void {
    for (let n = 0; n < this.touchedCount; n++) this.counts[this.touched[n]] = 0;
    this.touchedCount = 0;
    this.behind.fill(-1);
  }

  /** Remembers a triangle that a vertex is behind of, `far` away, if it is the nearest. */
  offerBehind(vertex: number, triangle: number): void {
    const distance = this.far[0];
    if (this.behind[vertex] >= 0 && distance >= this.#behindDistance[vertex]) return;
    this.behind[vertex] = triangle;
    this.#behindDistance[vertex] = distance;
  }

  /** Whether a vertex has a face to stand on. */
  hasFace(vertex: number): boolean {
    const first = vertex * MOST;
    for (let slot = first; slot < first + this.counts[vertex]; slot++) if (this.kind[slot] === 2) return true;
    return false;
  }

  /** Keeps a candidate, `far` away, unless a better one, or a nearer one as good, faces the same way. */
  offer(vertex: number, triangle: number, kind: number, normal: Float64Array, weights: Float64Array): void {
    const distance = this.far[0];
    const count = this.counts[vertex];
    let slot = vertex * MOST;
    for (let n = 0; n < count; n++, slot++) {
      let cosine = 0;
      for (let k = 0; k < 3; k++) cosine += this.normal[slot * 3 + k] * normal[k];
      if (cosine < SAME_WALL) continue;
      const better = kind > this.kind[slot] || (kind === this.kind[slot] && distance < this.distance[slot]);
      if (better) this.#write(slot, triangle, kind, normal, weights);
      return;
    }
    if (count === MOST) return;
    if (count === 0) this.touched[this.touchedCount++] = vertex;
    this.counts[vertex]++;
    this.#write(slot, triangle, kind, normal, weights);
  }

  #write(slot: number, triangle: number, kind: number, normal: Float64Array, weights: Float64Array): void {
    this.kind[slot] = kind;
    this.triangle[slot] = triangle;
    this.distance[slot] = this.far[0];
    for (let k = 0; k < 3; k++) {
      this.normal[slot * 3 + k] = normal[k];
      this.weights[slot * 3 + k] = weights[k];
    }
  }
}
