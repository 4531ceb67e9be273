/** What gravity and outside forces give to everything that moves, for the balance of linear momentum. */
import { type RigidBodies, TWIST } from './rigid/rigid-bodies.js';
import type { SoftBodies } from './soft/soft-bodies.js';

/** out += momentum that came from outside within h [s]. `movable`: 1 for bodies that pushes go through: rigid ones first, then soft. */
export function addWeight(
  rigid: RigidBodies,
  soft: SoftBodies,
  gravity: Float64Array,
  movable: Uint8Array,
  out: Float64Array,
  h: number,
): void {
  for (let k = 0; k < 3; k++) {
    for (let b = 0; b < rigid.count; b++) {
      if (movable[b] === 1) out[k] += h * (rigid.mass[b] * gravity[k] + rigid.outside[b * TWIST + k]);
    }
    for (let s = 0; s < soft.count; s++) {
      if (movable[rigid.count + s] === 0) continue;
      for (let i = soft.firstVertex[s]; i < soft.firstVertex[s + 1]; i++) {
        out[k] += h * (soft.mass[i] * gravity[k] + soft.outside[i * 3 + k]);
      }
    }
  }
}
