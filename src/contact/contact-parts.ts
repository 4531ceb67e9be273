/**
 * What touches what in a contact. A part is the flesh of a body, one of its bones, or an obstacle. A side on several parts (a
 * triangle that is half bone) belongs to each by its weight, so that forces summed by parts are the forces of all contacts.
 */
import { CONTACT_VERTICES, type ContactBuffer } from '../collision/contact-buffer.js';

/** What is read of a world. */
export interface TouchingWorld {
  readonly bodies: readonly {
    readonly model: { readonly bones: { readonly names: readonly string[]; readonly ofVertex: ArrayLike<number> } };
    readonly state: { readonly positions: ArrayLike<number> };
  }[];
  /** Read anew each time: obstacles come and go. */
  readonly obstacles: { has(obstacle: number): boolean };
  readonly contacts: Pick<ContactBuffer, 'count' | 'body' | 'obstacle' | 'vertices' | 'weights' | 'force' | 'isKept'>;
}

/** The parts of a world, numbered: of each body its flesh, then its bones; then the obstacles. */
export class ContactParts {
  /** Parts of the two sides of the contact last split, four each, with their shares; 0 for places that are not taken. */
  readonly parts = new Int32Array(2 * CONTACT_VERTICES);
  readonly shares = new Float64Array(2 * CONTACT_VERTICES);
  /** Where that contact is [m]. */
  readonly point = new Float64Array(3);
  readonly #world: TouchingWorld;
  readonly #bodyOf: Int32Array;
  readonly #fleshOf: Int32Array;

  constructor(world: TouchingWorld) {
    const bodyOf = world.bodies.flatMap(({ model }, body) => [body, ...model.bones.names.map(() => body)]);
    this.#world = world;
    this.#bodyOf = Int32Array.from(bodyOf);
    this.#fleshOf = Int32Array.from(world.bodies, (_, body) => bodyOf.indexOf(body));
  }

  /** Obstacle of a part; -1 for bodies. */
  obstacleOf(part: number): number {
    return Math.max(-1, part - this.#bodyOf.length);
  }

  /** Whether a part is an obstacle that was removed. */
  isGone(part: number): boolean {
    const obstacle = this.obstacleOf(part);
    return obstacle >= 0 && !this.#world.obstacles.has(obstacle);
  }

  /** Body of a part; -1 for obstacles. */
  bodyOf(part: number): number {
    return part < this.#bodyOf.length ? this.#bodyOf[part] : -1;
  }

  /** Bone of a part; -1 for flesh and obstacles. */
  boneOf(part: number): number {
    return part < this.#bodyOf.length ? part - this.#fleshOf[this.#bodyOf[part]] - 1 : -1;
  }

  /** Name of a part's bone; undefined for flesh and obstacles. */
  boneName(part: number): string | undefined {
    const body = this.bodyOf(part);
    return body < 0 ? undefined : this.#world.bodies[body].model.bones.names[this.boneOf(part)];
  }

  /** Fills `parts`, `shares` and `point` for contact c. */
  split(c: number): void {
    this.#splitSide(c, 0);
    this.#splitSide(c, 1);
    const { body, vertices, weights } = this.#world.contacts;
    const { positions } = this.#world.bodies[body[c * 2]].state;
    this.point.fill(0);
    for (let n = c * 2 * CONTACT_VERTICES; n < (c * 2 + 1) * CONTACT_VERTICES; n++) {
      for (let k = 0; k < 3; k++) this.point[k] += weights[n] * positions[vertices[n] * 3 + k];
    }
  }

  #splitSide(c: number, side: number): void {
    const { body, obstacle, vertices, weights } = this.#world.contacts;
    const at = c * 2 + side;
    const first = side * CONTACT_VERTICES;
    this.shares.fill(0, first, first + CONTACT_VERTICES);
    if (body[at] < 0) {
      this.parts[first] = this.#bodyOf.length + obstacle[c];
      this.shares[first] = 1;
      return;
    }
    const { ofVertex } = this.#world.bodies[body[at]].model.bones;
    let end = first;
    for (let n = at * CONTACT_VERTICES; n < (at + 1) * CONTACT_VERTICES; n++) {
      if (weights[n] === 0) continue;
      const part = this.#fleshOf[body[at]] + 1 + ofVertex[vertices[n]];
      let slot = first;
      while (slot < end && this.parts[slot] !== part) slot++;
      if (slot === end) end++;
      this.parts[slot] = part;
      this.shares[slot] += weights[n];
    }
  }
}
