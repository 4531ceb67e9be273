/**
 * Contacts of a step as flat arrays. Each has one or two sides: a node of a character, and where it touches another one a node of
 * that too; obstacles need no side. Filled by detection, solved by `touch-solver.ts`.
 */

/** Numbers per contact, and what they are. */
export const TOUCH = 26;
/** Unit normal, out of what is touched, and two tangents: 3 each. */
export const NORMAL = 0;
export const TANGENT_1 = 3;
export const TANGENT_2 = 6;
/** Distance without contact forces, of the skin and of the hard core below it [m]. */
export const GAP = 9;
export const CORE_GAP = 10;
/** Way along both tangents without contact forces [m]. */
export const SLIP_1 = 11;
export const SLIP_2 = 12;
/** Way per impulse along normal and tangents by the bones alone, and by the skin alone [m/(N s)]. */
export const YIELD_N = 13;
export const YIELD_1 = 14;
export const YIELD_2 = 15;
export const YIELD_SKIN = 16;
export const YIELD_SKIN_1 = 24;
export const YIELD_SKIN_2 = 25;
/** Impulses along normal and tangents, and the core's along the normal [N s]. */
export const IMPULSE_N = 17;
export const IMPULSE_1 = 18;
export const IMPULSE_2 = 19;
export const IMPULSE_CORE = 20;
export const FRICTION = 21;
/** Distance after the step [m]: of obstacles as it is, between characters to first order. */
export const GAP_AFTER = 22;
/** 1 where the contact holds both ways: a pin. */
export const HELD = 23;
/** What starts inside an obstacle, or another character, is led out no faster than this [m/s]. */
export const LEAD_OUT_SPEED = 1;
/** What pins have in place of an obstacle. */
export const PINNED = 0x7fffffff;

/** Numbers per side: arm from the bone's reference point, the contact's directions in the rest shape (9), way of the skin there by impulses. */
export const SIDE = 16;
export const ARM = 0;
export const LOCAL = 3;
export const WAY = 12;

/** Arrays of a list. */
export interface TouchArrays {
  readonly data: Float64Array;
  /** Obstacle of each contact, -1 for one between characters. */
  readonly obstacles: Int32Array;
  readonly sides: Float64Array;
  /** Body (-1 for none), bone and node of each side. */
  readonly bodies: Int32Array;
  readonly bones: Int32Array;
  readonly nodes: Int32Array;
  /** Contacts in the order of body and bone of side A. */
  readonly order: Int32Array;
}

/** Contacts; side A of contact c is number 2 c, side B number 2 c + 1. They begin at home, where kernels find them, and move out of it where they are too many. */
export class TouchList implements TouchArrays {
  count = 0;
  data!: Float64Array;
  obstacles!: Int32Array;
  sides!: Float64Array;
  bodies!: Int32Array;
  bones!: Int32Array;
  nodes!: Int32Array;
  order!: Int32Array;
  /** The first contact of each bone in that order: `first[boneStart of the body + bone]`. */
  first: Int32Array;
  readonly #home: TouchArrays;
  /** A larger one, once it was needed. */
  #outside: TouchArrays | undefined;

  constructor(home: TouchArrays = makeTouchArrays(0), first: Int32Array = new Int32Array(0)) {
    this.#home = home;
    this.first = first;
    this.#use(home);
  }

  /** Forgets all contacts. */
  clear(): void {
    this.count = 0;
    // where nothing is planned it stays where it has grown to
    if (this.#home.obstacles.length > 0) this.#use(this.#home);
  }

  get isHome(): boolean {
    return this.data === this.#home.data;
  }

  #use({ data, obstacles, sides, bodies, bones, nodes, order }: TouchArrays): void {
    this.data = data;
    this.obstacles = obstacles;
    this.sides = sides;
    this.bodies = bodies;
    this.bones = bones;
    this.nodes = nodes;
    this.order = order;
  }

  /** Number of a new contact, its numbers zero. */
  add(): number {
    if (this.count === this.obstacles.length) this.#grow();
    const c = this.count++;
    const { data, sides } = this;
    for (let i = TOUCH * c; i < TOUCH * (c + 1); i++) data[i] = 0;
    for (let i = SIDE * 2 * c; i < SIDE * 2 * (c + 1); i++) sides[i] = 0;
    this.obstacles[c] = -1;
    this.bodies[2 * c + 1] = -1;
    return c;
  }

  /** Sorts contacts by bone; `boneStart`: number of the first bone of each body among all bones. */
  sort(boneStart: Int32Array): void {
    const boneCount = boneStart[boneStart.length - 1];
    if (this.first.length < boneCount + 1) this.first = new Int32Array(boneCount + 1);
    const { first, order, bodies, bones } = this;
    first.fill(0);
    for (let c = 0; c < this.count; c++) first[boneStart[bodies[2 * c]] + bones[2 * c] + 1]++;
    for (let i = 0; i < boneCount; i++) first[i + 1] += first[i];
    for (let c = 0; c < this.count; c++) order[first[boneStart[bodies[2 * c]] + bones[2 * c]]++] = c;
    for (let i = boneCount; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
    for (let i = 0; i < boneCount; i++) this.#sortPartners(first[i], first[i + 1]);
  }

  /** Contacts of one bone by what they touch, obstacles first: they come nearly sorted. */
  #sortPartners(from: number, to: number): void {
    const { order } = this;
    for (let i = from + 1; i < to; i++) {
      const c = order[i];
      let at = i;
      for (; at > from && this.#comesAfter(order[at - 1], c); at--) order[at] = order[at - 1];
      order[at] = c;
    }
  }

  #comesAfter(c: number, d: number): boolean {
    const bodyC = this.bodies[2 * c + 1];
    const bodyD = this.bodies[2 * d + 1];
    return bodyC > bodyD || (bodyC === bodyD && bodyC >= 0 && this.bones[2 * c + 1] > this.bones[2 * d + 1]);
  }

  #grow(): void {
    const { data, obstacles, sides, bodies, bones, nodes } = this;
    if (this.#outside === undefined || this.#outside.obstacles.length === obstacles.length) {
      this.#outside = makeTouchArrays(Math.max(256, 2 * obstacles.length));
    }
    this.#use(this.#outside);
    this.data.set(data);
    this.obstacles.set(obstacles);
    this.sides.set(sides);
    this.bodies.set(bodies);
    this.bones.set(bones);
    this.nodes.set(nodes);
  }
}

/** Room for so many contacts, outside of any world's memory. */
function makeTouchArrays(capacity: number): TouchArrays {
  return {
    data: new Float64Array(TOUCH * capacity),
    obstacles: new Int32Array(capacity),
    sides: new Float64Array(SIDE * 2 * capacity),
    bodies: new Int32Array(2 * capacity),
    bones: new Int32Array(2 * capacity),
    nodes: new Int32Array(2 * capacity),
    order: new Int32Array(capacity),
  };
}
