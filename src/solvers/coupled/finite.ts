/** Whether a step came to anything. */
import type { RigidBodies } from './rigid/rigid-bodies.js';
import type { SoftBodies } from './soft/soft-bodies.js';

/** Whether everything that moves is a number. */
export function areFinite(rigid: RigidBodies, soft: SoftBodies): boolean {
  let sum = 0;
  for (let i = 0; i < rigid.q.length; i++) sum += 0 * rigid.q[i];
  for (let i = 0; i < rigid.v.length; i++) sum += 0 * (rigid.x[i] + rigid.v[i] + rigid.l[i]);
  for (let i = 0; i < soft.x.length; i++) sum += 0 * (soft.x[i] + soft.v[i]);
  return sum === 0;
}
