/** Sides of soft bodies put aside while new ones are made, so that contacts can be carried over with theirs. */
import { addFaceSide } from './add-sides.js';
import { CORNERS, type SoftSides } from './soft-sides.js';

/** Sides by the vertices they had: slots are given out anew. */
export class OldSides {
  readonly #sides: SoftSides;
  readonly #body: Int32Array;
  readonly #vertex: Int32Array;
  readonly #weight: Float64Array;

  constructor(sides: SoftSides) {
    this.#sides = sides;
    this.#body = new Int32Array(sides.capacity);
    this.#vertex = new Int32Array(sides.capacity * CORNERS);
    this.#weight = new Float64Array(sides.capacity * CORNERS);
  }

  /** Puts all sides aside. */
  remember(): void {
    const { count, body, slot, weight, slotVertex, bodies } = this.#sides;
    for (let side = 0; side < count; side++) {
      const first = bodies.firstVertex[body[side]];
      this.#body[side] = body[side];
      for (let o = side * CORNERS; o < (side + 1) * CORNERS; o++) {
        this.#vertex[o] = slotVertex[first + slot[o]];
        this.#weight[o] = weight[o];
      }
    }
  }

  /** A side that was put aside, once more; -1 where there is no room. */
  add(old: number): number {
    const o = old * CORNERS;
    const v = this.#vertex;
    const w = this.#weight;
    return addFaceSide(this.#sides, this.#body[old], v, o, w, o);
  }
}
