/**
 * How bones of a tree answer impulses, and Gauss-Seidel over them: a walk through the tree that visits every touched bone with its
 * velocity exact for all impulses given so far, at a cost that grows with the bones, not with their square. Called by the contact
 * solve of the layered solver.
 *
 * `compliance` C_i (6x6) is the answer of bone i to an impulse on itself, with all joints and all other bones:
 *
 *     C_i = P (X C_p Xᵀ) Pᵀ + Σ_j a_j a_jᵀ / D_j,    P: what the turnings of the joint let through
 *
 * An impulse on a bone waits there until the walk leaves the bone for its parent; a bone that is entered takes its velocity from its
 * parent's. Every impulse reaches every bone exactly once, so that momentum is kept whatever the number of sweeps.
 */
import type { BoneFronts } from './bone-fronts.js';
import { PACKED6 } from './packed6.js';

/** Numbers per compliance. */
const FULL = 36;

/** Answers of the bones of factored fronts. */
export class BoneMobility {
  /** C of each bone that was asked for, 36 per bone, row by row. */
  readonly compliance: Float64Array;
  /** Change of velocity (ω, v at the reference point) by impulses, 6 per bone. */
  readonly change: Float64Array;
  /** Impulses on each bone, and what its children handed to it, that its parent does not know of, 6 per bone. */
  readonly waiting: Float64Array;
  /** What each bone handed to its parent, about its own reference point, 6 per bone. */
  readonly handed: Float64Array;
  readonly #fronts: BoneFronts;
  /** Turnings by impulses, 3 per bone [1/s]. */
  readonly #turning: Float64Array;
  readonly #passed = new Float64Array(6);

  constructor(fronts: BoneFronts) {
    this.#fronts = fronts;
    const { room } = fronts;
    this.compliance = room.take(FULL);
    this.change = room.take(6);
    this.waiting = room.take(6);
    this.handed = room.take(6);
    this.#turning = room.take(3);
  }

  /** Forgets all impulses. */
  begin(): void {
    this.change.fill(0);
    this.waiting.fill(0);
    this.handed.fill(0);
    this.#turning.fill(0);
  }

  /** Works out the compliance of a bone; its parent's must have been. */
  updateCompliance(bone: number): void {
    const fronts = this.#fronts;
    const c = this.compliance;
    const o = FULL * bone;
    const parent = fronts.parents[bone];
    if (parent < 0) {
      for (let row = 0; row < 6; row++) {
        for (let column = 0; column < 6; column++) {
          const high = row > column ? row : column;
          const at = PACKED6 * bone + (high * (high + 1)) / 2 + (row > column ? column : row);
          c[o + 6 * row + column] = fronts.held[bone] === 1 ? 0 : fronts.inertia[at];
        }
      }
      return;
    }
    shiftCompliance(c, FULL * parent, fronts.reference, 3 * parent, 3 * bone, c, o);
    for (let j = fronts.axisCount[bone] - 1; j >= 0; j--) {
      const at = 3 * bone + j;
      turnCompliance(c, o, fronts.axes, 3 * at, fronts.pull, 6 * at, fronts.inversePivot[at]);
    }
  }

  /** Rate about a direction, of a bone against its parent, per turning impulse about it on the bone and its opposite on the parent. Before any other impulses. */
  jointYield(bone: number, x: number, y: number, z: number): number {
    const { change } = this;
    const parent = this.#fronts.parents[bone];
    const b = 6 * bone;
    const p = 6 * parent;
    this.push(bone, x, y, z, 0, 0, 0);
    this.push(parent, -x, -y, -z, 0, 0, 0);
    this.leave(bone);
    this.enter(bone);
    const rate =
      x * (change[b] - change[p]) + y * (change[b + 1] - change[p + 1]) + z * (change[b + 2] - change[p + 2]);
    clear6(change, b);
    clear6(change, p);
    clear6(this.waiting, p);
    clear6(this.handed, b);
    for (let k = 3 * bone; k < 3 * bone + 3; k++) this.#turning[k] = 0;
    return rate;
  }

  /** Both a bone and its parent learn of what waits at the bone; the walk is at the bone. */
  settle(bone: number): void {
    if (isZero(this.waiting, 6 * bone)) return;
    this.leave(bone);
    this.enter(bone);
  }

  /** Gives bone an impulse (turning about the reference point, then linear); its own velocity changes at once. */
  push(bone: number, tx: number, ty: number, tz: number, fx: number, fy: number, fz: number): void {
    const { waiting, change, compliance: c } = this;
    const w = 6 * bone;
    waiting[w] += tx;
    waiting[w + 1] += ty;
    waiting[w + 2] += tz;
    waiting[w + 3] += fx;
    waiting[w + 4] += fy;
    waiting[w + 5] += fz;
    for (let row = 0, o = FULL * bone; row < 6; row++, o += 6) {
      change[w + row] += c[o] * tx + c[o + 1] * ty + c[o + 2] * tz + c[o + 3] * fx + c[o + 4] * fy + c[o + 5] * fz;
    }
  }

  /** The walk comes to a bone from its parent: its velocity becomes exact. */
  enter(bone: number): void {
    const fronts = this.#fronts;
    const parent = fronts.parents[bone];
    if (parent < 0) return;
    const { change } = this;
    const { axes, pull, inversePivot } = fronts;
    fronts.carry(parent, bone, change, change);
    const o = 6 * bone;
    for (let j = fronts.axisCount[bone] - 1; j >= 0; j--) {
      const at = 3 * bone + j;
      const u = 6 * at;
      const a = 3 * at;
      const along =
        pull[u] * change[o] +
        pull[u + 1] * change[o + 1] +
        pull[u + 2] * change[o + 2] +
        pull[u + 3] * change[o + 3] +
        pull[u + 4] * change[o + 4] +
        pull[u + 5] * change[o + 5];
      const s = this.#turning[at] - inversePivot[at] * along;
      change[o] += axes[a] * s;
      change[o + 1] += axes[a + 1] * s;
      change[o + 2] += axes[a + 2] * s;
    }
    this.#addWaiting(bone);
  }

  /** The walk goes from a bone back to its parent, which learns of the impulses that wait. */
  leave(bone: number): void {
    const fronts = this.#fronts;
    const parent = fronts.parents[bone];
    const { waiting } = this;
    const b = 6 * bone;
    if (parent < 0 || isZero(waiting, b)) {
      if (parent < 0) clear6(waiting, b);
      return;
    }
    const { axes, pull, inversePivot, reference } = fronts;
    for (let j = 0; j < fronts.axisCount[bone]; j++) {
      const at = 3 * bone + j;
      const a = 3 * at;
      const u = 6 * at;
      const s = (axes[a] * waiting[b] + axes[a + 1] * waiting[b + 1] + axes[a + 2] * waiting[b + 2]) * inversePivot[at];
      this.#turning[at] += s;
      for (let k = 0; k < 6; k++) waiting[b + k] -= pull[u + k] * s;
    }
    for (let k = b; k < b + 6; k++) this.handed[k] += waiting[k];
    const dx = reference[3 * bone] - reference[3 * parent];
    const dy = reference[3 * bone + 1] - reference[3 * parent + 1];
    const dz = reference[3 * bone + 2] - reference[3 * parent + 2];
    const fx = waiting[b + 3];
    const fy = waiting[b + 4];
    const fz = waiting[b + 5];
    this.push(
      parent,
      waiting[b] + dy * fz - dz * fy,
      waiting[b + 1] + dz * fx - dx * fz,
      waiting[b + 2] + dx * fy - dy * fx,
      fx,
      fy,
      fz,
    );
    clear6(waiting, b);
  }

  /** Makes the velocity of one bone exact, wherever impulses have been given: all that wait go up, then down to the bone. */
  bring(bone: number): void {
    for (let other = this.#fronts.count - 1; other > 0; other--) this.leave(other);
    this.#enterPath(bone);
  }

  #enterPath(bone: number): void {
    const parent = this.#fronts.parents[bone];
    if (parent < 0) return;
    this.#enterPath(parent);
    this.enter(bone);
  }

  /** What waits at a bone moves it too. */
  #addWaiting(bone: number): void {
    const w = 6 * bone;
    if (isZero(this.waiting, w)) return;
    const p = this.#passed;
    for (let k = 0; k < 6; k++) p[k] = this.waiting[w + k];
    clear6(this.waiting, w);
    this.push(bone, p[0], p[1], p[2], p[3], p[4], p[5]);
  }
}

/** Faster than `fill` for so few. */
function clear6(a: Float64Array, o: number): void {
  for (let k = o; k < o + 6; k++) a[k] = 0;
}

function isZero(a: Float64Array, o: number): boolean {
  return a[o] === 0 && a[o + 1] === 0 && a[o + 2] === 0 && a[o + 3] === 0 && a[o + 4] === 0 && a[o + 5] === 0;
}

/** out = X C Xᵀ: the compliance of a point of the same rigid body, d away. */
function shiftCompliance(
  c: Float64Array,
  i: number,
  reference: Float64Array,
  from: number,
  to: number,
  out: Float64Array,
  o: number,
): void {
  const dx = reference[to] - reference[from];
  const dy = reference[to + 1] - reference[from + 1];
  const dz = reference[to + 2] - reference[from + 2];
  // rows that move: row − [d] row that turns; then the same for columns
  for (let k = 0; k < 6; k++) {
    const x = c[i + k];
    const y = c[i + 6 + k];
    const z = c[i + 12 + k];
    out[o + k] = x;
    out[o + 6 + k] = y;
    out[o + 12 + k] = z;
    out[o + 18 + k] = c[i + 18 + k] - dy * z + dz * y;
    out[o + 24 + k] = c[i + 24 + k] - dz * x + dx * z;
    out[o + 30 + k] = c[i + 30 + k] - dx * y + dy * x;
  }
  for (let row = o; row < o + FULL; row += 6) {
    const x = out[row];
    const y = out[row + 1];
    const z = out[row + 2];
    out[row + 3] -= dy * z - dz * y;
    out[row + 4] -= dz * x - dx * z;
    out[row + 5] -= dx * y - dy * x;
  }
}

const G = new Float64Array(6);

/** C := (I − a Uᵀ/D) C (I − U aᵀ/D) + a aᵀ/D with a in the first three coordinates. */
function turnCompliance(
  c: Float64Array,
  o: number,
  axes: Float64Array,
  a: number,
  pull: Float64Array,
  u: number,
  inverse: number,
): void {
  let along = 0;
  for (let row = 0; row < 6; row++) {
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += c[o + 6 * row + k] * pull[u + k];
    G[row] = sum * inverse;
    along += G[row] * pull[u + row];
  }
  const half = 0.5 * inverse * (1 + along);
  for (let k = 0; k < 3; k++) G[k] -= half * axes[a + k];
  for (let row = 0; row < 3; row++) for (let k = 0; k < 6; k++) c[o + 6 * row + k] -= axes[a + row] * G[k];
  for (let row = 0; row < 6; row++) for (let k = 0; k < 3; k++) c[o + 6 * row + k] -= G[row] * axes[a + k];
}
