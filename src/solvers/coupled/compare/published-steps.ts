/**
 * The published choices beside the step [Shinar2008 §4-7], each by itself or all of them: contact pair by pair in the order of a graph, joints stabilised by steps of their own, elasticity with constraints as a projection inside conjugate
 * gradients, push-out by the central body. What none of them is asked for is done by rows.
 */
import type { AngularBalance } from '../angular-balance.js';
import type { CoupledOptions } from '../options.js';
import type { IslandSolver } from '../rows/island-solver.js';
import type { Islands } from '../rows/islands.js';
import type { RowSystem } from '../rows/row-system.js';
import { BareRows, type Velocities } from './bare-rows.js';
import { ContactGraph } from './contact-graph.js';
import { PairContacts } from './pair-contacts.js';
import { Particles } from './particles.js';
import { ProjectedGradients } from './projected-gradients.js';
import { Projection } from './projection.js';
import { Stabilisation } from './stabilisation.js';

/** What a projection leaves of the largest velocity it finds, and its sweeps there and back at most. */
const PROJECTED = 1e-8;
const PROJECTION_SWEEPS = 20;

/** Nothing that is being compared is as fast as this [m/s]. */
const LOST = 1e4;

/** Solves tracks as published. */
export class PublishedSteps {
  readonly #rows: RowSystem;
  readonly #solver: IslandSolver;
  readonly #options: CoupledOptions;
  readonly #bare: BareRows;
  readonly #graph: ContactGraph;
  readonly #contacts: PairContacts;
  readonly #particles: Particles;
  readonly #held: Stabilisation;
  readonly #projection: Projection;
  readonly #gradients: ProjectedGradients | undefined;
  /** Contacts and bindings that the projection holds. */
  readonly #holds: Uint8Array;
  /** Velocities that are being solved for. */
  readonly #velocities: Velocities;

  /** Fastest that anything was in this step, along an axis [m/s, rad/s]. */
  readonly #fastest = new Float64Array(1);
  /** Of a substep [s]. */
  #h = 0;

  constructor(rows: RowSystem, solver: IslandSolver, options: CoupledOptions) {
    this.#rows = rows;
    this.#solver = solver;
    this.#options = options;
    this.#bare = new BareRows(rows);
    this.#graph = new ContactGraph(this.#bare);
    this.#contacts = new PairContacts(this.#bare, this.#graph, options);
    this.#particles = new Particles(this.#bare);
    this.#held = new Stabilisation(rows);
    this.#holds = new Uint8Array(rows.contacts.capacity);
    this.#velocities = { twist: rows.rigid.velocity, vertex: rows.soft.bodies.velocity };
    this.#projection = new Projection(this.#bare, this.#particles, PROJECTED, PROJECTION_SWEEPS);
    this.#gradients =
      options.velocityBy === 'projection' ? new ProjectedGradients(this.#bare, this.#projection) : undefined;
  }

  /** Whether joints are closed by these steps. */
  get stabilises(): boolean {
    return this.#options.jointsBy === 'stabilisation';
  }

  /** Whether something has been thrown away in this step: it is too long for these choices. */
  get isLost(): boolean {
    const { rigid, soft } = this.#rows;
    this.#watch(rigid.v);
    this.#watch(soft.bodies.v);
    return this.#fastest[0] > LOST;
  }

  #watch(velocities: Float64Array): void {
    let fastest = this.#fastest[0];
    for (let i = 0; i < velocities.length; i++) {
      const speed = Math.abs(velocities[i]);
      // what is no number is no speed either
      if (!(speed <= fastest)) fastest = speed >= 0 ? speed : Number.POSITIVE_INFINITY;
    }
    this.#fastest[0] = fastest;
  }

  /** Makes what depends on the substep h [s]. */
  prepare(h: number): void {
    this.#h = h;
    this.#fastest[0] = 0;
    this.#gradients?.prepare(h);
  }

  /** Velocities of the state are what joints let be, after blows and when positions have gone on; what comes from things nothing moves is added to `outer` [N s]. */
  settle(movable: Uint8Array, outer: Float64Array, balance: AngularBalance): void {
    if (this.stabilises) this.#held.settle(this.#graph.block, movable, outer, balance, this.#h);
  }

  /** Solves a track: velocities are predicted, joints and contacts ready. Impulses of contacts count only where rows solve them; of flesh that is pushed as it is all velocities are changed here. */
  solve(islands: Islands, track: 0 | 1, settled: number, gravity: Float64Array): void {
    const h = this.#h;
    const isBare = this.#options.contactBy !== 'rows' || (this.#gradients !== undefined && track === 1);
    this.#velocities.twist = this.#rows.rigid.velocity;
    this.#velocities.vertex = this.#rows.soft.bodies.velocity;
    this.#mark(track);
    if (isBare || this.stabilises) this.#rows.jointPush.fill(0);
    if (isBare) this.#contacts.begin(track, h);
    if (isBare || this.stabilises) this.#graph.build(this.#contacts.takes);
    // of rigid bodies alone the velocity track leaves nothing of it
    if (this.#gradients && (track === 0 || this.#rows.soft.bodies.count > 0)) {
      this.#projection.list(this.#holds);
      this.#gradients.solve(this.#velocities, track);
      this.#bare.fillSlots();
    } else if (isBare) this.#particles.list(this.#holds);
    this.#watch(this.#velocities.twist);
    this.#watch(this.#velocities.vertex);
    // the step is undone: nothing is worth being solved any more
    if (this.#fastest[0] > LOST) return;
    if (isBare) this.#solvePairs(track, h, settled);
    else this.#solveRows(islands, track, h, settled, gravity);
  }

  /** What the projection holds: bindings, and in the velocity track what positions have pushed. */
  #mark(track: 0 | 1): void {
    const { contacts } = this.#rows;
    const before = contacts.push[0];
    for (let c = 0; c < contacts.count; c++) {
      const o = c * 3;
      const isPushed = before[o] !== 0 || before[o + 1] !== 0 || before[o + 2] !== 0;
      this.#holds[c] = contacts.isBinding(c) || (track === 1 && isPushed) ? 1 : 0;
    }
  }

  /** Contact by rows, with joints among them or around them. */
  #solveRows(islands: Islands, track: 0 | 1, h: number, settled: number, gravity: Float64Array): void {
    const { block } = this.#graph;
    if (this.stabilises) {
      this.#held.leaveOut(islands);
      this.#held.stop(block, true);
    }
    this.#solver.solve(islands, track, settled, gravity);
    if (!this.stabilises) return;
    if (track === 0) this.#held.close(block, h);
    else this.#held.stop(block, false);
  }

  /** Contact pair by pair. */
  #solvePairs(track: 0 | 1, h: number, settled: number): void {
    const { block } = this.#graph;
    const { contactBy, sweeps } = this.#options;
    const held = this.#held;
    const contacts = this.#contacts;
    const velocities = this.#velocities;
    const particles = this.#particles;
    if (this.stabilises) held.stop(block, true, velocities, particles);
    for (let round = 0; round < sweeps[track]; round++) {
      contacts.found[0] = 0;
      if (!this.stabilises) held.sweep(block, true, 1, velocities, particles);
      contacts.sweep(velocities, contactBy === 'rows' && round % 2 === 1 ? -1 : 1);
      if (!this.stabilises) continue;
      if (track === 0) held.close(block, h, 1);
      if (contacts.found[0] <= settled) break;
    }
    if (contactBy === 'shock') contacts.propagate(velocities, sweeps[track]);
    if (this.stabilises) {
      if (track === 1) held.stop(block, false, velocities, particles);
      else held.close(block, h);
    }
    this.#bare.fillSlots();
  }
}
