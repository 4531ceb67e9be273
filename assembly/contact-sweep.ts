/** One contact after the other is solved for itself, with Coulomb friction; specified in src/kernels/reference/contact-sweeps.ts. */
import { along, FORCE, FRICTION, NORMAL, NORMAL_COMPLIANCE, OFFSET, PRECISION, RECORD, SIDES, SOFTNESS, STUCK, TANGENT_COMPLIANCE } from './contact-records';
import { hereX, hereY, hereZ, move, place } from './contact-sides';

/** Sides that give way no further are as good as obstacles [m/N]. */
const UNMOVABLE: f64 = 1e-15;

/** The largest change of a force, times the precision it needs, as a share of the largest force. */
export function sweep(contacts: usize, count: usize): f64 {
  let change: f64 = 0, largest: f64 = 0;
  const end = contacts + count * RECORD;
  for (let c = contacts; c < end; c += RECORD) {
    const force = c + FORCE;
    if (load<f64>(c + NORMAL_COMPLIANCE) <= UNMOVABLE) {
      store<f64>(force, 0); store<f64>(force, 0, 8); store<f64>(force, 0, 16);
      continue;
    }
    change = max(change, load<f64>(c + PRECISION) * relax(c));
    largest = max(max(max(largest, abs(load<f64>(force))), abs(load<f64>(force, 8))), abs(load<f64>(force, 16)));
  }
  return largest > 0 ? change / largest : 0;
}

/** Solves one contact for itself; how much its force changed. */
function relax(c: usize): f64 {
  place(c + SIDES);
  const x0 = hereX, x1 = hereY, x2 = hereZ;
  const n0 = load<f64>(c, NORMAL), n1 = load<f64>(c, NORMAL + 8), n2 = load<f64>(c, NORMAL + 16);
  const f0 = load<f64>(c, FORCE), f1 = load<f64>(c, FORCE + 8), f2 = load<f64>(c, FORCE + 16);
  const gap = n0 * x0 + n1 * x1 + n2 * x2 - load<f64>(c, OFFSET);
  const s0 = x0 - load<f64>(c, STUCK), s1 = x1 - load<f64>(c, STUCK + 8), s2 = x2 - load<f64>(c, STUCK + 16);
  const aside = n0 * s0 + n1 * s1 + n2 * s2;
  const pushed = along(c, NORMAL, FORCE);
  const soft = load<f64>(c, SOFTNESS);
  const push = max<f64>(0, pushed - (gap / load<f64>(c, NORMAL_COMPLIANCE) + soft * pushed) / (1 + soft));
  const tangent = load<f64>(c, TANGENT_COMPLIANCE);
  let t0 = f0 - pushed * n0 - (s0 - aside * n0) / tangent;
  let t1 = f1 - pushed * n1 - (s1 - aside * n1) / tangent;
  let t2 = f2 - pushed * n2 - (s2 - aside * n2) / tangent;
  const most = load<f64>(c, FRICTION) * push;
  const drag = sqrt(t0 * t0 + t1 * t1 + t2 * t2);
  if (drag > most) {
    const scale = drag > 0 ? most / drag : 0;
    t0 *= scale; t1 *= scale; t2 *= scale;
  }
  const d0 = push * n0 + t0 - f0, d1 = push * n1 + t1 - f1, d2 = push * n2 + t2 - f2;
  if (d0 == 0 && d1 == 0 && d2 == 0) return 0;
  store<f64>(c, f0 + d0, FORCE); store<f64>(c, f1 + d1, FORCE + 8); store<f64>(c, f2 + d2, FORCE + 16);
  move(c + SIDES, d0, d1, d2);
  return sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}
