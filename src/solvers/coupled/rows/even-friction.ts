/**
 * Friction of a body that has just been put down. Sweeps find it corner by corner, and leave corners pulling against each other: of no use to anybody, but it fills the cones, and at
 * μ = tan α what would be needed along the slope is missing. Force and moment of several points of one plane do not tell how they share the friction: here each has what goes with its normal push, as it would if the two
 * slid on each other, t = N (a + b n × r). Nothing moves by that.
 */
import type { RowSystem } from './row-system.js';

/** Cosine above which normals are of one plane. */
const FLAT = 1 - 1e-9;
const CENTRE = new Float64Array(3);
const FORCE = new Float64Array(3);
const CHANGE = new Float64Array(3);

/** Shares the friction of contacts list[from..to), all of the same two bodies, evenly; where they are not of one plane, or their cones do not allow it, nothing changes. */
export function shareEvenly(system: RowSystem, list: Int32Array, from: number, to: number): void {
  const { push } = system;
  const { normal, armA: arm, friction } = system.contacts;
  const first = list[from] * 3;
  const n0 = normal[first];
  const n1 = normal[first + 1];
  const n2 = normal[first + 2];
  let all = 0;
  CENTRE.fill(0);
  FORCE.fill(0);
  for (let i = from; i < to; i++) {
    const o = list[i] * 3;
    if (n0 * normal[o] + n1 * normal[o + 1] + n2 * normal[o + 2] < FLAT) return;
    const along = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
    all += along;
    for (let k = 0; k < 3; k++) {
      CENTRE[k] += along * arm[o + k];
      FORCE[k] += push[o + k] - along * normal[first + k];
    }
  }
  if (!(all > 0)) return;
  for (let k = 0; k < 3; k++) CENTRE[k] /= all;
  let moment = 0;
  let inertia = 0;
  for (let i = from; i < to; i++) {
    const o = list[i] * 3;
    const along = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
    // n × r
    const r0 = arm[o] - CENTRE[0];
    const r1 = arm[o + 1] - CENTRE[1];
    const r2 = arm[o + 2] - CENTRE[2];
    const s0 = n1 * r2 - n2 * r1;
    const s1 = n2 * r0 - n0 * r2;
    const s2 = n0 * r1 - n1 * r0;
    moment += s0 * push[o] + s1 * push[o + 1] + s2 * push[o + 2];
    inertia += along * (s0 * s0 + s1 * s1 + s2 * s2);
  }
  const turn = inertia > 0 ? moment / inertia : 0;
  for (let pass = 0; pass < 2; pass++) {
    for (let i = from; i < to; i++) {
      const o = list[i] * 3;
      const along = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
      const r0 = arm[o] - CENTRE[0];
      const r1 = arm[o + 1] - CENTRE[1];
      const r2 = arm[o + 2] - CENTRE[2];
      const t0 = along * (FORCE[0] / all + turn * (n1 * r2 - n2 * r1));
      const t1 = along * (FORCE[1] / all + turn * (n2 * r0 - n0 * r2));
      const t2 = along * (FORCE[2] / all + turn * (n0 * r1 - n1 * r0));
      const most = (1 + 1e-9) * friction[list[i]] * along;
      if (pass === 0) {
        if (t0 * t0 + t1 * t1 + t2 * t2 > most * most) return;
        continue;
      }
      CHANGE[0] = t0 + along * n0 - push[o];
      CHANGE[1] = t1 + along * n1 - push[o + 1];
      CHANGE[2] = t2 + along * n2 - push[o + 2];
      for (let k = 0; k < 3; k++) push[o + k] += CHANGE[k];
      system.pushContact(list[i], CHANGE);
    }
  }
}
