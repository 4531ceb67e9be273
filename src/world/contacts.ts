/** Reading the contacts of the last step: where they are and what they carry, one by one and summed. */
import { CONTACT_VERTICES } from '../collision/contact-buffer.js';
import { TendonError } from '../errors.js';
import type { World } from './world.js';

/** Where contact c of `world.contacts` is: the place of its first side [m]. */
export function contactPoint(world: World, c: number, out: Float64Array = new Float64Array(3)): Float64Array {
  const { contacts, bodies } = world;
  if (!(c >= 0 && c < contacts.count)) {
    throw new TendonError('E_INDEX', 'contacts', c, `the last step had ${contacts.count} contacts`);
  }
  const { positions } = bodies[contacts.body[c * 2]].state;
  out.fill(0, 0, 3);
  for (let i = c * 2 * CONTACT_VERTICES; i < (c * 2 + 1) * CONTACT_VERTICES; i++) {
    for (let k = 0; k < 3; k++) out[k] += contacts.weights[i] * positions[contacts.vertices[i] * 3 + k];
  }
  return out;
}

/** Sum of the contact forces on a body [N], of all its contacts, or of those on one of its bones (-1: on flesh). */
export function contactForceOnBody(
  world: World,
  body: number,
  bone?: number,
  out: Float64Array = new Float64Array(3),
): Float64Array {
  const { contacts, bodies } = world;
  if (!bodies[body]) throw new TendonError('E_INDEX', 'body', body, `the world has ${bodies.length} bodies`);
  const { ofVertex } = bodies[body].model.bones;
  out.fill(0, 0, 3);
  for (let side = 0; side < contacts.count * 2; side++) {
    if (contacts.body[side] !== body || contacts.isKept[side >> 1] === 1) continue;
    const sign = side % 2 === 0 ? 1 : -1;
    for (let i = side * CONTACT_VERTICES; i < (side + 1) * CONTACT_VERTICES; i++) {
      if (bone !== undefined && ofVertex[contacts.vertices[i]] !== bone) continue;
      const share = sign * contacts.weights[i];
      for (let k = 0; k < 3; k++) out[k] += share * contacts.force[(side >> 1) * 3 + k];
    }
  }
  return out;
}

/** Sum of the contact forces on an obstacle [N]. */
export function contactForceOnObstacle(
  world: World,
  obstacle: number,
  out: Float64Array = new Float64Array(3),
): Float64Array {
  const { contacts, obstacles } = world;
  if (!(obstacle >= 0 && obstacle < obstacles.count)) {
    throw new TendonError('E_INDEX', 'obstacle', obstacle, `the world has ${obstacles.count} obstacles`);
  }
  out.fill(0, 0, 3);
  for (let c = 0; c < contacts.count; c++) {
    for (let k = 0; contacts.obstacle[c] === obstacle && k < 3; k++) out[k] -= contacts.force[c * 3 + k];
  }
  return out;
}
