/**
 * Solves the rows of a track, island by island: sweeps forwards and backwards, with conjugate gradients between them where the island
 * is small enough to be worth it; a fixed number of sweeps where it is not. Impulses start from those of the step before.
 */
import { TWIST } from '../rigid/rigid-bodies.js';
import { IslandGradients } from './island-gradients.js';
import type { Islands } from './islands.js';
import type { RowSystem } from './row-system.js';
import { relaxBlock, relaxContact } from './sweep.js';

/** How the rows are solved. */
export interface RowOptions {
  /** Largest island, in contacts and joint blocks, that conjugate gradients are used on. */
  readonly gradientRows: number;
  /** Sweeps over larger ones, in the position and in the velocity track. */
  readonly sweeps: readonly [number, number];
}

/**
 * Patience with an island: rounds of sweeps and gradients at most, steps of each, and what gradients leave as a share of what they find,
 * squared. Rigid stacks and mass ratios of a million need all of it; flesh gives way, and every step costs more.
 */
const RIGID = { rounds: 24, steps: 40, enough: 1e-24, settled: 0.1 };
const SOFT = { rounds: 4, steps: 40, enough: 1e-14, settled: 1 };
/** Larger islands, in contacts and joint blocks, are heaps, not stacks: they get less. So do smaller ones, if not the smallest, that are being thrown about. */
const STACK = 64;
const FEW = 16;
/** A body this fast is in no stack [m/s]. */
const FAST = 2;
const HEAP = { rounds: 2, steps: 30, enough: 1e-8, settled: 100 };

/** Solves islands. */
export class IslandSolver {
  readonly #system: RowSystem;
  readonly #gradients: IslandGradients;
  readonly #options: RowOptions;
  /** Largest change of a velocity in a sweep [m/s]. */
  readonly #changed = new Float64Array(1);

  constructor(system: RowSystem, options: RowOptions) {
    this.#system = system;
    this.#options = options;
    this.#gradients = new IslandGradients(system, options.gradientRows);
  }

  /** Solves all islands for the selected track, until no velocity changes by more than `settled` [m/s] or patience ends. */
  solve(islands: Islands, track: 0 | 1, settled: number): void {
    for (let i = 0; i < islands.count; i++) {
      const rows =
        islands.contactStart[i + 1] - islands.contactStart[i] + islands.blockStart[i + 1] - islands.blockStart[i];
      if (rows === 0) continue;
      if (rows <= this.#options.gradientRows) this.#solveClosely(islands, i, rows, settled);
      else this.#sweep(islands, i, this.#options.sweeps[track]);
    }
  }

  #solveClosely(islands: Islands, i: number, rows: number, settled: number): void {
    const { block, contact, blockStart, contactStart } = islands;
    const changed = this.#changed;
    const isHeap = rows > STACK || (rows > FEW && this.#isFast(islands, i));
    const patience = isHeap ? HEAP : this.#isSoft(islands, i) ? SOFT : RIGID;
    for (let round = 0; round < patience.rounds; round++) {
      this.#forward(islands, i);
      this.#backward(islands, i);
      if (changed[0] <= settled * patience.settled) return;
      const { held } = this.#gradients;
      held.list(block, blockStart[i], blockStart[i + 1], contact, contactStart[i], contactStart[i + 1]);
      const { body, bodyStart } = islands;
      this.#gradients.run(body, bodyStart[i], bodyStart[i + 1], patience.steps, patience.enough);
    }
  }

  /** Whether a rigid body of an island is fast: what is being thrown about does not stand. */
  #isFast({ body, bodyStart }: Islands, i: number): boolean {
    const { count, velocity } = this.#system.rigid;
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      const v = body[n] * TWIST;
      if (body[n] >= count) continue;
      const square = velocity[v] * velocity[v] + velocity[v + 1] * velocity[v + 1] + velocity[v + 2] * velocity[v + 2];
      if (square > FAST * FAST) return true;
    }
    return false;
  }

  /** Whether an island has contacts of soft bodies. */
  #isSoft({ contact, contactStart }: Islands, i: number): boolean {
    const { sideA, sideB } = this.#system.contacts;
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++) {
      if (sideA[contact[n]] >= 0 || sideB[contact[n]] >= 0) return true;
    }
    return false;
  }

  #sweep(islands: Islands, i: number, sweeps: number): void {
    const { idle } = this.#system;
    this.#system.isLazy = true;
    for (let n = 0; n < sweeps; n++) {
      // what was far from touching is looked at again in the middle and at the end
      if (n === sweeps >> 1 || n === sweeps - 1) idle.fill(0);
      if (n % 2 === 0) this.#forward(islands, i);
      else this.#backward(islands, i);
    }
    idle.fill(0);
    this.#system.isLazy = false;
  }

  #forward({ block, contact, blockStart, contactStart }: Islands, i: number): void {
    const changed = this.#changed;
    changed.fill(0);
    for (let n = blockStart[i]; n < blockStart[i + 1]; n++) relaxBlock(this.#system, block[n], changed);
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++) relaxContact(this.#system, contact[n], changed);
  }

  #backward({ block, contact, blockStart, contactStart }: Islands, i: number): void {
    const changed = this.#changed;
    changed.fill(0);
    for (let n = contactStart[i + 1] - 1; n >= contactStart[i]; n--) relaxContact(this.#system, contact[n], changed);
    for (let n = blockStart[i + 1] - 1; n >= blockStart[i]; n--) relaxBlock(this.#system, block[n], changed);
  }
}
