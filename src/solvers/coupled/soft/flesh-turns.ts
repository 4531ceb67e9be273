/**
 * What flesh loses of its angular momentum where it touches something: the constant matrices of both tracks resist turns, and positions are carried on beside velocities. After velocities have been solved it is known, body by body: what it has, less what it had, less
 * the moments of gravity and of all pushes where they act. It is given back as a turn of the body as a whole, against which contacts hold once more, with bodies as if they were rigid.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { Islands } from '../rows/islands.js';
import type { RowSystem } from '../rows/row-system.js';
import { TurnRows } from '../rows/turn-rows.js';
import type { SoftMoments } from './soft-moments.js';
import { CORNERS } from './soft-sides.js';

const U = new Float64Array(3);
const SUM = 10;
/** Share of the moment that its weight has at an arm as long as it is large, below which what a body has lost is rounding: forces of flesh are in f32. */
const NOTHING = 1e-12;

/** Gives flesh its angular momentum back. */
export class FleshTurns {
  readonly #rows: RowSystem;
  readonly #moments: SoftMoments;
  readonly #turns: TurnRows;
  readonly #capacity: number;
  /** Moments of pushes on each soft body about the origin, 3 each [kg m²/s]. */
  readonly #pushed: Float64Array;
  /** 1 for soft bodies that are turned. */
  readonly #isTurned: Uint8Array;
  readonly #inertia = new Float64Array(9);
  readonly #sums = new Float64Array(7);

  constructor(rows: RowSystem, moments: SoftMoments, bodyCount: number, capacity: number) {
    const { bodies } = rows.soft;
    this.#rows = rows;
    this.#moments = moments;
    this.#capacity = capacity;
    this.#turns = new TurnRows(rows, bodyCount, bodies.count > 0 ? capacity : 0);
    this.#pushed = new Float64Array(bodies.count * 3);
    this.#isTurned = new Uint8Array(bodies.count);
  }

  /** A substep begins. */
  begin(): void {
    this.#pushed.fill(0);
  }

  /** The position track of h [s] has been solved: moments of its pushes, by the way of what they act on. */
  notePositions(movable: Uint8Array, h: number): void {
    const { contacts, rigid, push } = this.#rows;
    const { a, b, sideA, sideB, count } = contacts;
    for (let c = 0; c < count; c++) {
      if (sideA[c] < 0 && sideB[c] < 0) continue;
      const o = c * 3;
      if (push[o] === 0 && push[o + 1] === 0 && push[o + 2] === 0) continue;
      const isA = sideA[c] >= 0;
      const other = isA ? b[c] : a[c];
      if (movable[other] === 1 && other < rigid.count)
        for (let k = 0; k < 3; k++) U[k] = rigid.velocity[other * TWIST + k];
      else this.#velocityOfSide(isA ? sideA[c] : sideB[c]);
      for (let k = 0; k < 3; k++) U[k] *= h;
      if (sideA[c] >= 0) this.#note(a[c] - rigid.count, U, push, o, -1);
      if (sideB[c] >= 0) this.#note(b[c] - rigid.count, U, push, o, 1);
    }
  }

  #velocityOfSide(side: number): void {
    const { bodies, body, slot, slotVertex, weight } = this.#rows.soft;
    const first = bodies.firstVertex[body[side]];
    U.fill(0);
    for (let c = side * CORNERS; c < (side + 1) * CORNERS; c++) {
      const v = (first + slotVertex[first + slot[c]]) * 3;
      for (let k = 0; k < 3; k++) U[k] += weight[c] * bodies.velocity[v + k];
    }
  }

  /** pushed[s] += sign x × p. */
  #note(s: number, x: Float64Array, p: Float64Array, o: number, sign: number): void {
    const to = this.#pushed;
    to[s * 3] += sign * (x[1] * p[o + 2] - x[2] * p[o + 1]);
    to[s * 3 + 1] += sign * (x[2] * p[o] - x[0] * p[o + 2]);
    to[s * 3 + 2] += sign * (x[0] * p[o + 1] - x[1] * p[o]);
  }

  #noteVelocities(): void {
    const { contacts, push, soft, rigid } = this.#rows;
    const { a, b, sideA, sideB, count } = contacts;
    for (let c = 0; c < count; c++) {
      if (sideA[c] >= 0) {
        soft.placeOf(sideA[c], U);
        this.#note(a[c] - rigid.count, U, push, c * 3, 1);
      } else if (sideB[c] >= 0) for (let k = 0; k < 3; k++) U[k] = rigid.x[a[c] * 3 + k] + contacts.armA[c * 3 + k];
      if (sideB[c] >= 0) {
        soft.placeOf(sideB[c], U);
        this.#note(b[c] - rigid.count, U, push, c * 3, -1);
      }
    }
  }

  /** Velocities have been solved and taken over: gives back what is missing. `isFree`: 1 for bodies whose groups have all already. */
  end(islands: Islands, isFree: (body: number) => boolean, gravity: Float64Array, h: number): void {
    const { bodies } = this.#rows.soft;
    const { count: rigidCount } = this.#rows.rigid;
    if (bodies.count === 0) return;
    this.#noteVelocities();
    let any = false;
    for (let s = 0; s < bodies.count; s++) {
      const b = rigidCount + s;
      this.#isTurned[s] = 0;
      if (bodies.asleep[s] === 1 || isFree(b) || this.#moments.isHeld(s) || !this.#isSmall(islands, islands.ofBody[b]))
        continue;
      this.#moments.measure(s, this.#moments.now);
      this.#start(s, b, gravity, h);
      any = true;
    }
    if (!any) return;
    for (let i = 0; i < islands.count; i++) this.#solveIsland(islands, i);
    for (let s = 0; s < bodies.count; s++) if (this.#isTurned[s] === 1) this.#turnSoft(s);
    this.#clear();
  }

  /** Whether an island is small, and nothing in it is held together: bones in flesh and joints would have to turn along. */
  #isSmall({ contact, contactStart, blockStart }: Islands, i: number): boolean {
    if (i < 0) return true;
    if (contactStart[i + 1] - contactStart[i] > this.#capacity || blockStart[i + 1] > blockStart[i]) return false;
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++)
      if (this.#rows.contacts.isBinding(contact[n])) return false;
    return true;
  }

  /** Starts the turn of soft body s with what it has lost. */
  #start(s: number, b: number, gravity: Float64Array, h: number): void {
    const { before, now } = this.#moments;
    const turns = this.#turns;
    const o = s * SUM;
    const sums = this.#sums;
    const lost = U;
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      const weighed =
        0.5 *
        h *
        ((before[o + 1 + i] + now[o + 1 + i]) * gravity[j] - (before[o + 1 + j] + now[o + 1 + j]) * gravity[i]);
      lost[k] = before[o + 7 + k] + weighed + this.#pushed[s * 3 + k] - now[o + 7 + k];
    }
    for (let k = 0; k < 3; k++) sums[k] = turns.centre[b * 3 + k] = now[o + 1 + k] / now[o];
    this.#inertia.fill(0);
    this.#moments.addInertia(s, sums, 0, this.#inertia, 0);
    if (this.#isNothing(lost, now[o], gravity, h)) return;
    const w = turns.inverseInertia;
    if (!invertMat3(w, b * 9, this.#inertia, 0)) {
      w.fill(0, b * 9, b * 9 + 9);
      return;
    }
    turns.inverseMass[b] = 1 / now[o];
    this.#isTurned[s] = 1;
    for (let k = 0; k < 3; k++) {
      const r = b * 9 + k * 3;
      turns.twist[b * 6 + 3 + k] = w[r] * lost[0] + w[r + 1] * lost[1] + w[r + 2] * lost[2];
    }
  }

  /** Whether as much is lost as rounding makes of a body that lies still. */
  #isNothing(lost: Float64Array, mass: number, gravity: Float64Array, h: number): boolean {
    const { 0: xx, 4: yy, 8: zz } = this.#inertia;
    let weight = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      weight += gravity[k] * gravity[k];
      square += lost[k] * lost[k];
    }
    return square < NOTHING * NOTHING * h * h * weight * mass * (xx + yy + zz);
  }

  #solveIsland({ body, bodyStart, contact, contactStart }: Islands, i: number): void {
    const { rigid } = this.#rows;
    const turns = this.#turns;
    let any = false;
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      if (body[n] >= rigid.count && this.#isTurned[body[n] - rigid.count] === 1) any = true;
    }
    if (!any) return;
    for (let n = bodyStart[i]; n < bodyStart[i + 1] && body[n] < rigid.count; n++) {
      const b = body[n];
      turns.inverseMass[b] = rigid.inverseMass[b];
      for (let k = b * 9; k < b * 9 + 9; k++) turns.inverseInertia[k] = rigid.inverseInertia[k];
    }
    turns.solve(contact, contactStart[i], contactStart[i + 1]);
    for (let n = bodyStart[i]; n < bodyStart[i + 1] && body[n] < rigid.count; n++) this.#turnRigid(body[n]);
  }

  #turnRigid(b: number): void {
    const { rigid } = this.#rows;
    const { twist } = this.#turns;
    for (let k = 0; k < 3; k++) {
      rigid.v[b * 3 + k] += twist[b * 6 + k];
      U[k] = twist[b * 6 + 3 + k];
    }
    if (U[0] !== 0 || U[1] !== 0 || U[2] !== 0) rigid.addSpin(b, U);
  }

  #turnSoft(s: number): void {
    const { bodies } = this.#rows.soft;
    const { twist, centre } = this.#turns;
    const b = this.#rows.rigid.count + s;
    for (let k = 0; k < 3; k++) U[k] = twist[b * 6 + 3 + k];
    this.#moments.turn(s, centre, b * 3, U);
    for (let i = bodies.firstVertex[s]; i < bodies.firstVertex[s + 1]; i++) {
      for (let k = 0; k < 3; k++) bodies.v[i * 3 + k] += twist[b * 6 + k];
    }
  }

  #clear(): void {
    const { twist, inverseMass } = this.#turns;
    twist.fill(0);
    inverseMass.fill(0);
  }
}
