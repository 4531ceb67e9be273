/** Moments of a step of backward Euler by backward Euler's own law, from states and reported contact forces alone: Σ m (x − x̄) × (v − v')/h − Σ (p − x̄) × f. */
import type { World } from '../../../src/index.js';
import { centreOf, momentOf, norm } from './measure.js';

/** Of each body after a step: the moment of inertia about its middle without that of contact forces on it, those of the body with itself left out, and the sum of the sizes of the latter [N m]. */
export function contactMoments(
  world: World,
  before: readonly Float64Array[],
  h: number,
): { left: number; acting: number }[] {
  return world.bodies.map(({ model, state }, body) => {
    const centre = centreOf(model, state.positions);
    const arms = state.positions.map((x, i) => x - centre[i % 3]);
    const left = momentOf(
      model,
      arms,
      state.velocities.map((v, i) => (v - before[body][i]) / h),
    );
    let acting = 0;
    const { contacts } = world;
    for (let c = 0; c < contacts.count; c++) {
      const [first, second] = [contacts.body[c * 2], contacts.body[c * 2 + 1]];
      if (first === second || (first !== body && second !== body)) continue;
      const side = first === body ? 0 : 1;
      const r = pointOf(world, c, side).map((x, k) => x - centre[k]);
      const f = [...contacts.force.subarray(c * 3, c * 3 + 3)].map((x) => (side === 0 ? x : -x));
      const moment = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
      for (let k = 0; k < 3; k++) left[k] -= moment[k];
      acting += norm(moment);
    }
    return { left: norm(left), acting };
  });
}

/** Where a side of a contact is. */
function pointOf(world: World, c: number, side: number): number[] {
  const { vertices, weights, body } = world.contacts;
  const { positions } = world.bodies[body[c * 2 + side]].state;
  const point = [0, 0, 0];
  for (let n = (c * 2 + side) * 4; n < (c * 2 + side + 1) * 4; n++) {
    for (let k = 0; k < 3; k++) point[k] += weights[n] * positions[vertices[n] * 3 + k];
  }
  return point;
}
