/** The contacts that hold; specified in src/kernels/reference/held-contacts.ts. */
import { along, DIRECTION, FORCE, FRICTION, NORMAL, NORMAL_COMPLIANCE, OFFSET, RECORD, SIDES, SOFTNESS, STICKS, STUCK } from './contact-records';
import { hereX, hereY, hereZ, move, place } from './contact-sides';

/** Share of the most friction from which on a contact is said to slide. */
const SLIDES: f64 = 1 - 1e-6;
/** Share of the largest push that is as good as none. */
const NOTHING: f64 = 1e-9;

/** Addresses of the contacts that hold, and how many there are. */
export let held: usize = 0, heldCount: usize = 0;
let largest: f64 = 0;

/** Lists the contacts that push, at `list`. */
export function listHeld(list: usize, contacts: usize, count: usize): void {
  held = list;
  heldCount = 0;
  largest = 0;
  const end = contacts + count * RECORD;
  for (let c = contacts; c < end; c += RECORD) {
    const push = along(c, NORMAL, FORCE);
    if (push <= 0) continue;
    largest = max(largest, push);
    store<f64>(c, isWithinCone(c, push) ? 1 : 0, STICKS);
    store<u32>(held + heldCount++ * 4, <u32>c);
  }
}

/** Contacts that have come to push no more leave the list, and those at the edge of their cone slide from now on. */
export function letGo(): void {
  let kept: usize = 0;
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    const push = along(c, NORMAL, FORCE);
    if (push <= NOTHING * largest) {
      const f0 = load<f64>(c, FORCE), f1 = load<f64>(c, FORCE + 8), f2 = load<f64>(c, FORCE + 16);
      store<f64>(c, 0, FORCE); store<f64>(c, 0, FORCE + 8); store<f64>(c, 0, FORCE + 16);
      move(c + SIDES, -f0, -f1, -f2);
      continue;
    }
    store<f64>(c, load<f64>(c, STICKS) == 1 && isWithinCone(c, push) ? 1 : 0, STICKS);
    store<u32>(held + kept++ * 4, <u32>c);
  }
  heldCount = kept;
}

/** What is left to close of a contact, to one of its arrays. */
export function readLeft(c: usize, out: usize): void {
  place(c + SIDES);
  const n0 = load<f64>(c, NORMAL), n1 = load<f64>(c, NORMAL + 8), n2 = load<f64>(c, NORMAL + 16);
  const s0 = hereX - load<f64>(c, STUCK), s1 = hereY - load<f64>(c, STUCK + 8), s2 = hereZ - load<f64>(c, STUCK + 16);
  let gap = load<f64>(c, SOFTNESS) * load<f64>(c, NORMAL_COMPLIANCE) * along(c, NORMAL, FORCE) - load<f64>(c, OFFSET);
  gap = gap + n0 * hereX + n1 * hereY + n2 * hereZ;
  // from zero on, as the specification: it decides the sign of a zero
  const aside: f64 = 0.0 + n0 * s0 + n1 * s1 + n2 * s2;
  const sticks = load<f64>(c, STICKS);
  store<f64>(c + out, -gap * n0 - sticks * (s0 - aside * n0));
  store<f64>(c + out, -gap * n1 - sticks * (s1 - aside * n1), 8);
  store<f64>(c + out, -gap * n2 - sticks * (s2 - aside * n2), 16);
}

/** How far along the direction all forces still push and stay in their cones. */
export function roomAlong(): f64 {
  let room: f64 = Infinity;
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    const push = along(c, NORMAL, FORCE), more = along(c, NORMAL, DIRECTION);
    if (more < 0) room = min(room, push / -more);
    if (load<f64>(c, STICKS) == 0) continue;
    const ff = along(c, FORCE, FORCE), fd = along(c, FORCE, DIRECTION), dd = along(c, DIRECTION, DIRECTION);
    const slope = 1 + load<f64>(c, FRICTION) * load<f64>(c, FRICTION);
    const a = dd - slope * more * more;
    const b = fd - slope * push * more;
    const root = b * b - a * (ff - slope * push * push);
    if (a > 0 && root > 0) room = min(room, (sqrt(root) - b) / a);
  }
  return max<f64>(0, room);
}

function isWithinCone(c: usize, push: f64): bool {
  const most = SLIDES * load<f64>(c, FRICTION) * push;
  return along(c, FORCE, FORCE) - push * push < most * most;
}
