/**
 * Contact sides of a body that is one free bone and nothing else: each is a place of that bone, told once a step, so that where it is and what a force on it does
 * need no look at the vertices that name it. Sides of all other bodies: contact-response.ts.
 */
import type { Model } from '../../../body/model.js';
import { SIDE_VERTICES, type SideList } from '../../../contact/side-list.js';
import type { BoneMotion } from '../bones/bone-motion.js';

/** Whether a body is one bone that nothing holds and that carries all of its vertices. */
export function isOneBone({ tetCount, bones, joints, pinned }: Model): boolean {
  return (
    tetCount === 0 && bones.count === 1 && joints.count === 0 && !pinned.includes(1) && !bones.ofVertex.includes(-1)
  );
}

/** The sides of one such body. */
export class SolidSides {
  readonly #model: Model;
  /** From the centre of mass to each side, at rest [m]. */
  readonly #arm: Float64Array;
  readonly #turn = new Float64Array(9);

  constructor(model: Model, capacity: number) {
    this.#model = model;
    this.#arm = new Float64Array(capacity * 3);
  }

  /** Reads the sides of this step. */
  begin({ count, vertices, weights }: SideList): void {
    const { positions, bones } = this.#model;
    const arm = this.#arm;
    for (let side = 0; side < count; side++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let a = side * SIDE_VERTICES; a < (side + 1) * SIDE_VERTICES; a++) {
        const v = vertices[a] * 3;
        x += weights[a] * (positions[v] - bones.centre[0]);
        y += weights[a] * (positions[v + 1] - bones.centre[1]);
        z += weights[a] * (positions[v + 2] - bones.centre[2]);
      }
      arm[side * 3] = x;
      arm[side * 3 + 1] = y;
      arm[side * 3 + 2] = z;
    }
  }

  /** How a side moves with the bone: its arm with the bone turned by `rotation`, and all of its shift. */
  writeEntry(side: number, rotation: Float64Array, entry: Float64Array): void {
    const arm = this.#arm;
    const o = side * 3;
    for (let k = 0; k < 3; k++)
      entry[k] = rotation[k * 3] * arm[o] + rotation[k * 3 + 1] * arm[o + 1] + rotation[k * 3 + 2] * arm[o + 2];
    entry[3] = 1;
  }

  /** Where the sides are in the step in progress. */
  readPositions({ position, count }: SideList, { poses }: BoneMotion): void {
    const { rotations: r, translations: t } = poses;
    const arm = this.#arm;
    for (let o = 0; o < count * 3; o += 3) {
      const x = arm[o];
      const y = arm[o + 1];
      const z = arm[o + 2];
      position[o] = t[0] + r[0] * x + r[1] * y + r[2] * z;
      position[o + 1] = t[1] + r[3] * x + r[4] * y + r[5] * z;
      position[o + 2] = t[2] + r[6] * x + r[7] * y + r[8] * z;
    }
  }

  /** Adds forces on the sides to the pull on the bone, with the arms they had under `before`, the rotation when the step began. */
  addForces({ count }: SideList, forces: Float64Array, { pull, poses }: BoneMotion, before: Float64Array): void {
    const turn = this.#turn;
    const arm = this.#arm;
    // from the frame of then to that of now
    for (let p = 0; p < 3; p++) {
      for (let q = 0; q < 3; q++) {
        turn[p * 3 + q] = 0;
        for (let r = 0; r < 3; r++) turn[p * 3 + q] += poses.rotations[r * 3 + p] * before[r * 3 + q];
      }
    }
    for (let o = 0; o < count * 3; o += 3) {
      const fx = forces[o];
      const fy = forces[o + 1];
      const fz = forces[o + 2];
      // most of what is near does not push
      if (fx === 0 && fy === 0 && fz === 0) continue;
      for (let p = 0; p < 3; p++) {
        const along = turn[p * 3] * arm[o] + turn[p * 3 + 1] * arm[o + 1] + turn[p * 3 + 2] * arm[o + 2];
        pull[p * 3] += fx * along;
        pull[p * 3 + 1] += fy * along;
        pull[p * 3 + 2] += fz * along;
      }
      pull[9] += fx;
      pull[10] += fy;
      pull[11] += fz;
    }
  }
}
