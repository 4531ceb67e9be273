/**
 * The last correction of contact forces, for bodies that move as one piece. Iterations that end early leave a free body with a moment that nothing outside explains; it is turned at the end
 * of its step until none is left, and must not be turned into what pushes it. So forces are corrected once more, by sweeps like those of the contact solver: what carries
 * a body takes up its moment, and where nothing can, it turns. Contacts of a body with itself take no part. See docs/decisions/0042.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import { multiplyMat3Vec3 } from '../math/mat3.js';
import { crossVec3, dotVec3 } from '../math/vec3.js';
import type { SideList } from './side-list.js';

/** Sweeps at most and at least, how many contacts are worth looking at in all of them, and the change of a force, as a share of the largest one, that ends them. */
const MOST_SWEEPS = 60;
const LEAST_SWEEPS = 8;
const MOST_LOOKS = 8_000;
const SETTLED = 1e-7;
/** Farthest that a body is turned [rad]: steps that end near to where they should leave 1e-4. What would be turned farther has been left far from any balance, and is more so when it is turned as one piece. */
const FARTHEST_TURN = 2e-3;
/** Share of the most friction from which on a contact slides. */
const SLIDES = 1 - 1e-6;

/** One body as a piece. */
export class WholeBody {
  /** Whether nothing holds it; what is held does not move. */
  isFree = false;
  /** Whether iterations may have left it with a moment, and whether forces were corrected for that since. */
  isLeft = false;
  isBalanced = false;
  readonly centre = new Float64Array(3);
  /** How far it goes for a force [m/N], and how far it turns for a moment, 3x3 [rad/(N m)]. */
  shiftPerForce = 0;
  readonly turnPerMoment = new Float64Array(9);
  /** Force [N] and moment about the centre [N m] that inertia asks for, without contacts. */
  readonly force = new Float64Array(3);
  readonly moment = new Float64Array(3);
  /** Where the sweeps have taken it from where it is [m, rad]. */
  readonly shift = new Float64Array(3);
  readonly turn = new Float64Array(3);
  readonly #moment = new Float64Array(3);
  readonly #turned = new Float64Array(3);

  /** Goes where a force at an arm from the centre takes it. */
  push(force: ArrayLike<number>, f: number, arm: ArrayLike<number>, r: number, scale: number): void {
    crossVec3(this.#moment, 0, arm, r, force, f);
    this.addWrench(force, f, this.#moment, scale);
  }

  addWrench(force: ArrayLike<number>, f: number, moment: ArrayLike<number>, scale: number): void {
    multiplyMat3Vec3(this.#turned, 0, this.turnPerMoment, 0, moment, 0);
    for (let k = 0; k < 3; k++) {
      this.shift[k] += scale * this.shiftPerForce * force[f + k];
      this.turn[k] += scale * this.#turned[k];
    }
  }

  /** Adds to out[o] how far a point at an arm from the centre goes along a direction when it is pushed along it [m/N]: returned, it would be boxed. */
  addGiving(
    arm: ArrayLike<number>,
    r: number,
    direction: ArrayLike<number>,
    d: number,
    out: Float64Array,
    o: number,
  ): void {
    crossVec3(this.#moment, 0, arm, r, direction, d);
    multiplyMat3Vec3(this.#turned, 0, this.turnPerMoment, 0, this.#moment, 0);
    out[o] += this.shiftPerForce * dotVec3(direction, d, direction, d) + dotVec3(this.#moment, 0, this.#turned, 0);
  }

  /** out += scale times how far a point at an arm from the centre has gone. */
  addWay(arm: ArrayLike<number>, r: number, scale: number, out: Float64Array): void {
    const tx = this.turn[0];
    const ty = this.turn[1];
    const tz = this.turn[2];
    out[0] += scale * (this.shift[0] + ty * arm[r + 2] - tz * arm[r + 1]);
    out[1] += scale * (this.shift[1] + tz * arm[r] - tx * arm[r + 2]);
    out[2] += scale * (this.shift[2] + tx * arm[r + 1] - ty * arm[r]);
  }
}

const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Corrects the contact forces of a world whose bodies are pieces. */
export class WholeBodies {
  readonly bodies: readonly WholeBody[];
  /**
   * Forces as iterations found them, which the next step starts from: those that balance a body as a whole press flesh where iterations would not have. A light end of flesh
   * below a heavy bone was pressed 7 % of its size into the floor when steps started from them, 1 % deep otherwise.
   */
  readonly found: Float64Array;
  readonly #contacts: ContactBuffer;
  readonly #sides: readonly SideList[];
  readonly #sideOf: Int32Array;
  /** Contacts that take part. */
  readonly #active: Int32Array;
  #count = 0;
  /** Of each contact: arms of its two sides, how it gives way along its normal and its plane, how far it may close, and how far it has slid. */
  readonly #arms: Float64Array;
  readonly #along: Float64Array;
  readonly #across: Float64Array;
  readonly #room: Float64Array;
  readonly #slid: Float64Array;
  readonly #way = new Float64Array(3);
  readonly #change = new Float64Array(3);

  /** `sideOf`: the sides of each contact in the lists of its bodies, 2 per contact. */
  constructor(contacts: ContactBuffer, sides: readonly SideList[], sideOf: Int32Array) {
    this.bodies = sides.map(() => new WholeBody());
    this.#contacts = contacts;
    this.#sides = sides;
    this.#sideOf = sideOf;
    this.found = new Float64Array(contacts.capacity * 3);
    this.#active = new Int32Array(contacts.capacity);
    this.#arms = new Float64Array(contacts.capacity * 6);
    this.#along = new Float64Array(contacts.capacity);
    this.#across = new Float64Array(contacts.capacity);
    this.#room = new Float64Array(contacts.capacity);
    this.#slid = new Float64Array(contacts.capacity * 3);
  }

  /** Keeps the forces as they are. */
  keepFound(): void {
    const { force, count } = this.#contacts;
    for (let i = 0; i < count * 3; i++) this.found[i] = force[i];
  }

  /** Corrects the forces for bodies that were weighed and sides that were placed. Contacts farther than `near` [m] are left alone. */
  correct(near: number): void {
    for (let b = 0; b < this.bodies.length; b++) {
      const body = this.bodies[b];
      body.shift.fill(0);
      body.turn.fill(0);
      body.isBalanced = body.isFree;
      if (body.isFree) body.addWrench(body.force, 0, body.moment, 1);
    }
    this.#list(near);
    const most = Math.max(LEAST_SWEEPS, Math.min(MOST_SWEEPS, MOST_LOOKS / (1 + this.#count)));
    for (let n = 0; n < most; n++) if (this.#sweep()) break;
    if (this.#turnsTooFar()) this.#takeBack();
  }

  #turnsTooFar(): boolean {
    for (let b = 0; b < this.bodies.length; b++) {
      const { turn } = this.bodies[b];
      if (!(dotVec3(turn, 0, turn, 0) <= FARTHEST_TURN * FARTHEST_TURN)) return true;
    }
    return false;
  }

  /** Leaves forces as they were kept, and bodies as they are. */
  #takeBack(): void {
    const { force, count } = this.#contacts;
    for (let i = 0; i < count * 3; i++) force[i] = this.found[i];
    for (let b = 0; b < this.bodies.length; b++) this.bodies[b].isBalanced = false;
  }

  #list(near: number): void {
    const { count, body, force } = this.#contacts;
    this.#count = 0;
    for (let c = 0; c < count; c++) {
      const a = body[c * 2];
      const b = body[c * 2 + 1];
      if (a === b || !(this.bodies[a].isFree || (b >= 0 && this.bodies[b].isFree))) continue;
      this.#place(c);
      const isIdle = force[c * 3] === 0 && force[c * 3 + 1] === 0 && force[c * 3 + 2] === 0;
      if (isIdle && this.#room[c] > near) continue;
      this.#active[this.#count++] = c;
      this.#measure(c, isIdle);
    }
  }

  /** Arms of a contact's sides, where it is, and how far it may close. */
  #place(c: number): void {
    const { body, normal, offset, stuck } = this.#contacts;
    let gap = -offset[c];
    for (let k = 0; k < 3; k++) this.#slid[c * 3 + k] = -stuck[c * 3 + k];
    for (let side = 0; side < 2; side++) {
      const b = body[c * 2 + side];
      if (b < 0) break;
      const here = this.#sides[b].at(this.#sideOf[c * 2 + side]);
      const sign = side === 0 ? 1 : -1;
      for (let k = 0; k < 3; k++) {
        this.#arms[c * 6 + side * 3 + k] = here[k] - this.bodies[b].centre[k];
        this.#slid[c * 3 + k] += sign * here[k];
        gap += sign * normal[c * 3 + k] * here[k];
      }
    }
    this.#room[c] = gap;
  }

  /** How a contact gives way; what pushes stays where it is, and what sticks stays stuck, whatever iterations have left there. */
  #measure(c: number, isIdle: boolean): void {
    const { body, normal, force, friction } = this.#contacts;
    const n = c * 3;
    this.#along[c] = 0;
    this.#across[c] = 0;
    for (let side = 0; side < 2; side++) {
      const b = body[c * 2 + side];
      if (b < 0 || !this.bodies[b].isFree) continue;
      const arm = c * 6 + side * 3;
      this.bodies[b].addGiving(this.#arms, arm, normal, n, this.#along, c);
      for (let k = 0; k < 9; k += 3) this.bodies[b].addGiving(this.#arms, arm, AXES, k, this.#across, c);
      this.bodies[b].push(force, n, this.#arms, arm, side === 0 ? 1 : -1);
    }
    this.#across[c] -= this.#along[c];
    this.#room[c] = isIdle ? Math.max(0, this.#room[c]) : 0;
    const push = dotVec3(force, n, normal, n);
    const square = dotVec3(force, n, force, n) - push * push;
    const most = SLIDES * friction[c] * push;
    const isStuck = !isIdle && square < most * most;
    const aside = dotVec3(this.#slid, n, normal, n);
    for (let k = 0; k < 3; k++) this.#slid[n + k] = isStuck ? 0 : this.#slid[n + k] - aside * normal[n + k];
  }

  /** Solves each contact for itself; whether no force has changed by more than a trace of the largest. */
  #sweep(): boolean {
    const { force } = this.#contacts;
    const by = this.#change;
    let most = 0;
    let largest = 0;
    for (let i = 0; i < this.#count; i++) {
      const n = this.#active[i] * 3;
      this.#relax(this.#active[i]);
      most = Math.max(most, dotVec3(by, 0, by, 0));
      largest = Math.max(largest, dotVec3(force, n, force, n));
    }
    return !(largest > 0) || Math.sqrt(most / largest) <= SETTLED;
  }

  /** Leaves how much the force of a contact has changed in `#change`: returned, it would be boxed. */
  #relax(c: number): void {
    const { body, normal, force, friction } = this.#contacts;
    const way = this.#way;
    const n = c * 3;
    way.fill(0);
    for (let side = 0; side < 2; side++) {
      const b = body[c * 2 + side];
      if (b >= 0 && this.bodies[b].isFree)
        this.bodies[b].addWay(this.#arms, c * 6 + side * 3, side === 0 ? 1 : -1, way);
    }
    const closed = dotVec3(way, 0, normal, n);
    const pushed = dotVec3(force, n, normal, n);
    const push = Math.max(0, pushed - (this.#room[c] + closed) / this.#along[c]);
    const change = this.#change;
    for (let k = 0; k < 3; k++) {
      const slip = this.#slid[n + k] + way[k] - closed * normal[n + k];
      change[k] = force[n + k] - pushed * normal[n + k] - slip / this.#across[c];
    }
    const drag = Math.sqrt(dotVec3(change, 0, change, 0));
    const most = friction[c] * push;
    const scale = drag > most ? most / drag : 1;
    for (let k = 0; k < 3; k++) {
      change[k] = scale * change[k] + push * normal[n + k] - force[n + k];
      force[n + k] += change[k];
    }
    for (let side = 0; side < 2; side++) {
      const b = body[c * 2 + side];
      if (b >= 0 && this.bodies[b].isFree)
        this.bodies[b].push(change, 0, this.#arms, c * 6 + side * 3, side === 0 ? 1 : -1);
    }
  }
}
