/** Of many candidate points between two bodies the few that matter, as src/solvers/coupled/contacts/manifold.ts has it. */

/** Bytes per candidate: key, point, normal, gap, then what belongs to it (corners, weights). */
export const CANDIDATE: usize = 112;
/** So few are all kept. */
export const PER_DIRECTION: i32 = 4;
const SAME: f64 = 0.9;
const FARTHER: f64 = 0.02;
const DEEPER: f64 = 0.02;
const STEEP: f64 = 4;

/** Marks the candidates to keep, at `kept`, one byte each, of more than `PER_DIRECTION`; `group`: room for one i32 each. */
export function reduceManifold(values: usize, count: i32, margin: f64, kept: usize, group: usize): void {
  for (let i = 0; i < count; i++) {
    store<u8>(kept + i, 0);
    store<i32>(group + i * 4, -1);
  }
  for (let g = 0; g < count; g++) {
    const lead = deepest(values, count, group, DEEPER * margin);
    if (lead < 0) return;
    const o = values + lead * CANDIDATE;
    const n0 = load<f64>(o, 32), n1 = load<f64>(o, 40), n2 = load<f64>(o, 48);
    for (let i = 0; i < count; i++) {
      const p = values + i * CANDIDATE;
      const same = n0 * load<f64>(p, 32) + n1 * load<f64>(p, 40) + n2 * load<f64>(p, 48) > SAME;
      if (load<i32>(group + i * 4) < 0 && same) store<i32>(group + i * 4, g);
    }
    store<u8>(kept + lead, 1);
    store<i32>(group + lead * 4, g);
    spread(values, count, kept, group, lead, g);
  }
}

function deepest(values: usize, count: i32, group: usize, more: f64): i32 {
  let best = -1;
  for (let i = 0; i < count; i++) {
    if (load<i32>(group + i * 4) >= 0) continue;
    if (best < 0 || load<f64>(values + i * CANDIDATE, 56) < load<f64>(values + best * CANDIDATE, 56) - more) best = i;
  }
  return best;
}

/** Keeps, beside its lead, the point of group g farthest from it, and the two farthest from their line, one to each side. What is farther above the lead counts as nearer by that much more. */
function spread(values: usize, count: i32, kept: usize, group: usize, lead: i32, g: i32): void {
  const o = values + lead * CANDIDATE;
  const second = farthest(values, count, group, lead, g);
  if (second < 0) return;
  store<u8>(kept + second, 1);
  const s = values + second * CANDIDATE;
  const e0 = load<f64>(s, 8) - load<f64>(o, 8), e1 = load<f64>(s, 16) - load<f64>(o, 16), e2 = load<f64>(s, 24) - load<f64>(o, 24);
  const n0 = load<f64>(o, 32), n1 = load<f64>(o, 40), n2 = load<f64>(o, 48);
  const a0 = n1 * e2 - n2 * e1, a1 = n2 * e0 - n0 * e2, a2 = n0 * e1 - n1 * e0;
  const left = beside(values, count, kept, group, lead, g, a0, a1, a2);
  const right = beside(values, count, kept, group, lead, g, -a0, -a1, -a2);
  if (left >= 0) store<u8>(kept + left, 1);
  if (right >= 0) store<u8>(kept + right, 1);
}

/** The point of group g that is farthest to the side (a0, a1, a2) of its lead and the second one. */
function beside(values: usize, count: i32, kept: usize, group: usize, lead: i32, g: i32, a0: f64, a1: f64, a2: f64): i32 {
  const o = values + lead * CANDIDATE;
  const x = load<f64>(o, 8), y = load<f64>(o, 16), z = load<f64>(o, 24), gap = load<f64>(o, 56);
  const square = a0 * a0 + a1 * a1 + a2 * a2;
  const steep = STEEP * sqrt(square);
  let best = -1;
  let most: f64 = 0;
  for (let i = 0; i < count; i++) {
    if (load<i32>(group + i * 4) != g || load<u8>(kept + i) == 1) continue;
    const p = values + i * CANDIDATE;
    const side = a0 * (load<f64>(p, 8) - x) + a1 * (load<f64>(p, 16) - y) + a2 * (load<f64>(p, 24) - z);
    const far = side - steep * max(0, load<f64>(p, 56) - gap);
    if (side > 1e-9 * square && (best < 0 || far > most + FARTHER * abs(most))) {
      most = far;
      best = i;
    }
  }
  return best;
}

function farthest(values: usize, count: i32, group: usize, lead: i32, g: i32): i32 {
  const o = values + lead * CANDIDATE;
  let best = -1;
  let most: f64 = 0;
  for (let i = 0; i < count; i++) {
    if (load<i32>(group + i * 4) != g || i == lead) continue;
    const p = values + i * CANDIDATE;
    const d0 = load<f64>(p, 8) - load<f64>(o, 8), d1 = load<f64>(p, 16) - load<f64>(o, 16), d2 = load<f64>(p, 24) - load<f64>(o, 24);
    const far = sqrt(0 + d0 * d0 + d1 * d1 + d2 * d2) - STEEP * max(0, load<f64>(p, 56) - load<f64>(o, 56));
    if (best < 0 || far > most + FARTHER * abs(most)) {
      most = far;
      best = i;
    }
  }
  return best;
}
