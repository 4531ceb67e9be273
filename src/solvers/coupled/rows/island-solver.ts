/**
 * Solves the rows of a track, island by island: sweeps forwards and backwards, with conjugate gradients between them where the island
 * is small enough to be worth it; a fixed number of sweeps where it is not. Impulses start from those of the step before.
 */
import { ChainSolve } from '../rigid/chain-solve.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { shareEvenly } from './even-friction.js';
import type { HeapRows } from './heap-rows.js';
import { IslandGradients } from './island-gradients.js';
import type { Islands } from './islands.js';
import { RowList } from './row-list.js';
import { RowOrder } from './row-order.js';
import type { RowSystem } from './row-system.js';
import { isFar, relaxBlock, relaxContact } from './sweep.js';

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
/** Larger islands, in contacts and joint blocks, are heaps, not stacks: they get less. */
const STACK = 64;
/** Islands of more rows that are being thrown about are swept as the largest are. */
const FEW = 16;
/** A body this fast is in no stack [m/s]. */
const FAST = 2;
/** Heaps whose bodies are faster than this on the whole are landing [m/s], and get so many times the sweeps. */
const LANDING = 0.7;
const LANDING_FACTOR = 3;
const HEAP = { rounds: 2, steps: 30, enough: 1e-8, settled: 100 };
/** And those in which creatures are solved beforehand: what is left is what touches. */
const ALIVE = { ...HEAP, enough: 1e-4 };

/** What is had of it. */
type Patience = typeof RIGID;

const NO_GRAVITY = [0, 0, 0];
/** Share of what counts as settled that gradients may leave in each row. */
const STILL = 0.1;

/** Solves islands. */
export class IslandSolver {
  readonly #system: RowSystem;
  readonly #gradients: IslandGradients;
  readonly #options: RowOptions;
  /** Rows of the island at hand. */
  readonly #list = new RowList();
  /** Largest change of a velocity in a sweep [m/s]. */
  readonly #changed = new Float64Array(1);
  /** Mean square of the speeds of the rigid bodies of the island that is swept [m²/s²]. */
  readonly #square = new Float64Array(1);
  /** Rows of a large island by height, and of them those that push or are near to it. */
  readonly #order: RowOrder;
  readonly #near: Int32Array;
  /** Sweeps large islands by a kernel, where there is one. */
  heaps: HeapRows | undefined;
  /** Solves short chains that touch nothing at once. */
  readonly chains: ChainSolve;

  constructor(system: RowSystem, options: RowOptions, bodyCount: number) {
    this.#system = system;
    this.chains = new ChainSolve(system, bodyCount);
    this.#options = options;
    this.#gradients = new IslandGradients(system, options.gradientRows);
    this.#order = new RowOrder(system);
    this.#near = new Int32Array(this.#order.row.length);
  }

  /** Solves all islands for the selected track, until no velocity changes by more than `settled` [m/s] or patience ends. */
  solve(islands: Islands, track: 0 | 1, settled: number, gravity: ArrayLike<number> = NO_GRAVITY): void {
    this.#order.setUp(gravity);
    this.heaps?.begin();
    this.chains.solveAll(islands);
    for (let i = 0; i < islands.count; i++) {
      const rows = islands.rowsOf(i);
      if (rows === 0 || this.chains.solve(islands, i)) continue;
      const found = this.#system.creatures?.find(islands, i) ?? 0;
      const isThrown = found === 0 && rows > FEW && this.#isFast(islands, i);
      if (rows - found <= this.#options.gradientRows && !isThrown)
        this.#solveClosely(islands, i, rows, settled, track, found > 0);
      else {
        this.#system.creatures?.leave();
        this.#sweep(islands, i, this.#options.sweeps[track]);
      }
    }
  }

  #solveClosely(islands: Islands, i: number, rows: number, settled: number, track: 0 | 1, isAlive: boolean): void {
    const creatures = isAlive ? this.#system.creatures : undefined;
    const patience = rows > STACK ? (isAlive ? ALIVE : HEAP) : this.#isSoft(islands, i) ? SOFT : RIGID;
    creatures?.begin(islands, i, track);
    this.#list.take(islands, i, creatures);
    this.#system.pushRows(this.#list);
    this.#relaxByTurns(islands, i, settled, patience);
    creatures?.end(islands, i);
  }

  /** Sweeps and gradients by turns, until patience ends. */
  #relaxByTurns({ body, bodyStart }: Islands, i: number, settled: number, patience: Patience): void {
    const { rounds, steps, enough } = patience;
    for (let round = 0; round < rounds; round++) {
      this.#forward();
      this.#backward();
      this.#shareFriction();
      if (this.#changed[0] <= settled * patience.settled) return;
      this.#gradients.held.list(this.#list);
      this.#gradients.run(body, bodyStart[i], bodyStart[i + 1], steps, enough, STILL * settled * patience.settled);
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

  #measureSpeeds({ body, bodyStart }: Islands, i: number): void {
    const { count, velocity } = this.#system.rigid;
    let bodies = 0;
    let square = 0;
    for (let n = bodyStart[i]; n < bodyStart[i + 1] && body[n] < count; n++) {
      const v = body[n] * TWIST;
      bodies++;
      square += velocity[v] * velocity[v] + velocity[v + 1] * velocity[v + 1] + velocity[v + 2] * velocity[v + 2];
    }
    this.#square[0] = bodies > 0 ? square / bodies : 0;
  }

  /** Whether an island has contacts of soft bodies. */
  #isSoft({ contact, contactStart }: Islands, i: number): boolean {
    const { sideA, sideB } = this.#system.contacts;
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++) {
      if (sideA[contact[n]] >= 0 || sideB[contact[n]] >= 0) return true;
    }
    return false;
  }

  /** A fixed number of sweeps, upwards and downwards by turns. What is far from touching is looked at in the first, the middle and the last alone. */
  #sweep(islands: Islands, i: number, least: number): void {
    this.#measureSpeeds(islands, i);
    // blows go through all of what is fast on the whole, and what is not stopped now is deep inside
    const sweeps = this.#square[0] > LANDING * LANDING ? LANDING_FACTOR * least : least;
    const order = this.#order;
    const near = this.#near;
    order.list(islands, i);
    if (this.heaps?.takes(islands, i)) {
      this.heaps.sweep(islands, i, order, sweeps, this.#square);
      return;
    }
    this.#list.take(islands, i);
    this.#system.pushRows(this.#list);
    let nearCount = 0;
    for (let n = 0; n < sweeps; n++) {
      const isWhole = n === 0 || n === sweeps >> 1 || n === sweeps - 1;
      const way = n % 2 === 0 ? 1 : -1;
      this.#relaxRows(isWhole ? order.row : near, isWhole ? order.count : nearCount, way);
      if (isWhole) nearCount = this.#listNear();
    }
  }

  #relaxRows(rows: Int32Array, count: number, way: 1 | -1): void {
    for (let n = 0; n < count; n++) {
      const row = rows[way > 0 ? n : count - 1 - n];
      if (row < 0) relaxBlock(this.#system, -1 - row, this.#changed);
      else relaxContact(this.#system, row, this.#changed);
    }
  }

  /** Lists joint blocks and the contacts that push or are near to it; returns how many. */
  #listNear(): number {
    const { row, count } = this.#order;
    let kept = 0;
    for (let n = 0; n < count; n++) if (row[n] < 0 || !isFar(this.#system, row[n])) this.#near[kept++] = row[n];
    return kept;
  }

  /** Rigid bodies in a small island share their friction evenly: in larger ones no slope is as exact. */
  #shareFriction(): void {
    const { contact, c0, c1 } = this.#list;
    const { a, b } = this.#system.contacts;
    const { count } = this.#system.rigid;
    if (c1 - c0 > FEW) return;
    for (let from = c0, n = c0 + 1; n <= c1; n++) {
      const first = contact[from];
      if (n < c1 && a[contact[n]] === a[first] && b[contact[n]] === b[first]) continue;
      if (n - from > 1 && a[first] < count && b[first] < count) shareEvenly(this.#system, contact, from, n);
      from = n;
    }
  }

  #forward(): void {
    this.#changed.fill(0);
    this.#relaxBlocks(1);
    this.#relaxContacts(1);
  }

  #backward(): void {
    this.#changed.fill(0);
    this.#relaxContacts(-1);
    this.#relaxBlocks(-1);
  }

  #relaxBlocks(way: 1 | -1): void {
    const { block, b0, b1 } = this.#list;
    for (let n = 0; n < b1 - b0; n++) relaxBlock(this.#system, block[way > 0 ? b0 + n : b1 - 1 - n], this.#changed);
  }

  #relaxContacts(way: 1 | -1): void {
    const { contact, c0, c1 } = this.#list;
    for (let n = 0; n < c1 - c0; n++) {
      relaxContact(this.#system, contact[way > 0 ? c0 + n : c1 - 1 - n], this.#changed);
    }
  }
}
