/**
 * Contacts of a world in one step, as flat arrays. A contact lies between a side of one body (a weighted mean of up to four
 * of its vertices) and either an obstacle or a side of another body, or of another place of the same one. With r the first side minus the
 * second (minus nothing for an obstacle), all at the end of the step: n·r must be at least `offset`, and r = `stuck` where it sticks.
 */

/** Vertices per side. */
export const CONTACT_VERTICES = 4;

/** Everything known about the contacts of a step. */
export class ContactBuffer {
  readonly capacity: number;
  /** Most sides each body has room for, and how many are taken. */
  readonly sideCapacity: Int32Array;
  readonly #sides: Int32Array;
  #count = 0;
  /** Fills the buffer, where a solver has left that until somebody asks. */
  #fill: ((buffer: ContactBuffer) => void) | undefined;
  /** Contacts that were found and did not fit. */
  dropped = 0;
  /** Triangles that moved too fast, for too many of them, to look at all they might have hit. */
  unswept = 0;
  /** Contacts of bodies found so deep in each other that the last step must have missed them. */
  missed = 0;
  /** The two bodies, 2 per contact; the second is -1 for an obstacle. */
  readonly body: Int32Array;
  /** Obstacle, or -1. */
  readonly obstacle: Int32Array;
  /** What touches on the first body: a vertex v as v, an edge e as -1 - e. With bodies and obstacle it names the contact from step to step. */
  readonly feature: Int32Array;
  /** Vertices and weights of the two sides, 8 per contact: 4 of the first body, 4 of the second. */
  readonly vertices: Int32Array;
  readonly weights: Float64Array;
  /** Direction in which the first side is pushed, 3 per contact. */
  readonly normal: Float64Array;
  /** n·r must be at least this [m]. */
  readonly offset: Float64Array;
  /** r where the contact sticks, 3 per contact [m]. */
  readonly stuck: Float64Array;
  readonly friction: Float64Array;
  /** Force on the first side, 3 per contact [N]: start value and result. The second side gets the opposite. */
  readonly force: Float64Array;
  /** Distance between the sides [m], negative where one is inside the other: when found, and after the step. */
  readonly gap: Float64Array;
  /** 1 for contacts that keep a tet of a body from being turned inside out: nothing touches anything there. */
  readonly isKept: Uint8Array;

  /** `sideCapacity`: most contact sides of each body. */
  constructor(capacity: number, sideCapacity: ArrayLike<number>) {
    this.capacity = capacity;
    this.sideCapacity = Int32Array.from(sideCapacity);
    this.#sides = new Int32Array(sideCapacity.length);
    this.body = new Int32Array(capacity * 2);
    this.obstacle = new Int32Array(capacity);
    this.feature = new Int32Array(capacity);
    this.vertices = new Int32Array(capacity * 2 * CONTACT_VERTICES);
    this.weights = new Float64Array(capacity * 2 * CONTACT_VERTICES);
    this.normal = new Float64Array(capacity * 3);
    this.offset = new Float64Array(capacity);
    this.stuck = new Float64Array(capacity * 3);
    this.friction = new Float64Array(capacity);
    this.force = new Float64Array(capacity * 3);
    this.gap = new Float64Array(capacity);
    this.isKept = new Uint8Array(capacity);
  }

  /** How many contacts there are. Those of a solver that leaves them until somebody asks are written now. */
  get count(): number {
    this.fill();
    return this.#count;
  }

  /** Writes the contacts that were left until now. */
  fill(): void {
    if (!this.#fill) return;
    const fill = this.#fill;
    this.#fill = undefined;
    fill(this);
  }

  /** Contacts are others from now on: `fill` writes them once somebody asks for them. */
  fillLater(fill: (buffer: ContactBuffer) => void): void {
    this.clear();
    this.#fill = fill;
  }

  /** Whether any contact pushes, as the forces stand. */
  get isPushing(): boolean {
    for (let i = 3 * this.count - 1; i >= 0; i--) if (this.force[i] !== 0) return true;
    return false;
  }

  /** Starts over with no contacts. */
  clear(): void {
    this.#fill = undefined;
    this.#count = 0;
    this.dropped = 0;
    this.unswept = 0;
    this.missed = 0;
    this.#sides.fill(0);
  }

  /** Contacts of this body that still fit. */
  roomFor(body: number): number {
    return Math.min(this.capacity - this.#count, this.sideCapacity[body] - this.#sides[body]);
  }

  /** Leaves contacts from `first` on without force. */
  dropForces(first: number): void {
    for (let i = first * 3; i < this.count * 3; i++) this.force[i] = 0;
  }

  /** Forgets the contacts that keep tets: they come last. */
  dropKept(): void {
    while (this.#count > 0 && this.isKept[this.#count - 1] === 1) {
      this.#count--;
      this.#sides[this.body[this.#count * 2]] -= 2;
    }
  }

  /** Number of a new contact, its sides empty; -1, and counted as dropped, where there is no room. */
  add(body: number, feature: number, other: number, obstacle: number): number {
    const needed = body === other ? 2 : 1;
    if (this.roomFor(body) < needed || (other >= 0 && this.roomFor(other) < needed)) {
      this.dropped++;
      return -1;
    }
    this.#sides[body]++;
    if (other >= 0) this.#sides[other]++;
    const c = this.#count++;
    this.body[c * 2] = body;
    this.body[c * 2 + 1] = other;
    this.obstacle[c] = obstacle;
    this.isKept[c] = 0;
    this.feature[c] = feature;
    // loops: `fill` takes longer than they do for so few
    const { vertices, weights, force } = this;
    for (let i = c * 2 * CONTACT_VERTICES; i < (c + 1) * 2 * CONTACT_VERTICES; i++) {
      vertices[i] = 0;
      weights[i] = 0;
    }
    for (let i = c * 3; i < c * 3 + 3; i++) force[i] = 0;
    return c;
  }

  /** Vertex `k` (0..3) of side 0 or 1 of contact c, and its weight. */
  setVertex(c: number, side: number, k: number, vertex: number, weight: number): void {
    const at = (c * 2 + side) * CONTACT_VERTICES + k;
    this.vertices[at] = vertex;
    this.weights[at] = weight;
  }
}
