/**
 * Joints by steps of their own [Shinar2008 §4-7], not among the rows: velocities are brought to what joints, motors and limits let be before contact is treated, and to what joints let be after it (post-stabilisation, also after blows and
 * when positions have gone on); in the position track joints are closed beforehand instead (pre-stabilisation). One after the other, forwards and backwards. Particles that are embedded in bodies go with them.
 */
import type { AngularBalance } from '../angular-balance.js';
import { ContactList } from '../contacts/contact-list.js';
import { HOLD } from '../rigid/joint-blocks.js';
import type { Islands } from '../rows/islands.js';
import { RowSystem } from '../rows/row-system.js';
import { relaxBlock } from '../rows/sweep.js';
import type { Velocities } from './bare-rows.js';
import type { Particles } from './particles.js';
import { PreStabilisation } from './pre-stabilisation.js';

/** Sweeps there and back at most, and what is left of the largest that was found. */
const SWEEPS = 200;
const ENOUGH = 1e-10;
/** Sweeps of pre-stabilisation at most. */
const CLOSING = 2000;

/** Stabilises joints. */
export class Stabilisation {
  readonly #system: RowSystem;
  /** Joints alone: what they push is explained where nothing else is at work. */
  readonly #alone: RowSystem;
  readonly #pre: PreStabilisation;
  readonly #changed = new Float64Array(1);

  constructor(system: RowSystem) {
    this.#system = system;
    this.#alone = new RowSystem(system.rigid, system.soft, system.joints, new ContactList(0));
    this.#pre = new PreStabilisation(system);
  }

  /** Velocities that joints let be, with motors and limits or without, and with embedded particles if there are any. */
  stop(order: Int32Array, withMotors: boolean, velocities?: Velocities, particles?: Particles): void {
    let first = 0;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      this.#changed[0] = 0;
      if (particles) particles.found[0] = 0;
      this.sweep(order, withMotors, 1, velocities, particles);
      this.sweep(order, withMotors, -1, velocities, particles);
      const found = Math.max(this.#changed[0], particles?.found[0] ?? 0);
      first = Math.max(first, found);
      if (found <= ENOUGH * first) return;
    }
  }

  /** All of it once. */
  sweep(order: Int32Array, withMotors: boolean, way: 1 | -1, velocities?: Velocities, particles?: Particles): void {
    const { joints } = this.#system;
    if (velocities && way < 0) particles?.sweep(velocities, way, this.#system.push);
    for (let n = 0; n < order.length; n++) {
      const i = order[way > 0 ? n : order.length - 1 - n];
      if (joints.active[i] === 1 && (withMotors || joints.role[i] === HOLD)) relaxBlock(this.#system, i, this.#changed);
    }
    if (velocities && way > 0) particles?.sweep(velocities, way, this.#system.push);
  }

  /** Positions after a step of h [s] will have joints closed, if `sweeps` suffice. */
  close(order: Int32Array, h: number, sweeps = CLOSING): void {
    this.#pre.close(order, h, sweeps);
  }

  /** Velocities of the state are post-stabilised; what comes from things nothing moves is added to `outer` [N s]. */
  settle(order: Int32Array, movable: Uint8Array, outer: Float64Array, balance: AngularBalance, h: number): void {
    const { joints, rigid } = this.#system;
    if (joints.count === 0) return;
    // no force acts
    rigid.predict(NO_GRAVITY, 0);
    joints.push[1].fill(0);
    joints.prepare(rigid, 1, h);
    this.#system.select(this.#system.contacts, 1);
    this.stop(order, false);
    rigid.commitBounce();
    this.#alone.select(this.#alone.contacts, 1);
    this.#alone.addOuterImpulse(movable, outer, balance);
  }

  /** No island has joints among its rows. */
  leaveOut({ blockStart, count }: Islands): void {
    blockStart.fill(0, 0, count + 1);
  }
}

const NO_GRAVITY = [0, 0, 0];
