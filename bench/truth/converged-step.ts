/**
 * The converged step from a state, which others are measured against: very many iterations without regions, with contacts swept until they agree.
 */
import { restoreSnapshot, stepWorld, type World } from '../../src/index.js';
import { SideBySide } from '../../src/solvers/side-by-side.js';
import { insideOf } from '../../src/world/world.js';

/** Iterations of the step that counts as converged where half as many come to the same, and the most that are tried, each time twice as many. */
const CONVERGED = 300;
const MOST_CONVERGED = 2400;
/**
 * Times the sweeps of contact forces in a converged step: with as many as an iteration has, a snail of which 20 of 2,000 contacts push was moved by 2 to 14 % from 300 iterations to 600.
 */
const SWEPT = 30;
/** The same: distance as a share of the correction needed. */
const SAME = 1e-4;
/** Farthest that the last two may be apart for errors to be measured against the last, a tenth of the smallest that is asked for (docs/benchmarks.md); other states are left out. */
export const DOUBTFUL = 5e-4;

/** A state with the step that follows it. */
export interface Reference {
  readonly snapshot: Uint8Array;
  readonly converged: readonly Float64Array[];
  /** Length of the correction in the masses. */
  readonly needed: number;
  /** Distance of the converged step from one of half as many iterations, or from one found without mixing, as a share of that. */
  readonly doubt: number;
}

/** Has the contacts of a world swept until they agree. */
export function sweepMore(world: World): void {
  const { solver } = insideOf(world);
  if (!(solver instanceof SideBySide))
    throw new Error('only the projective solver has a converged step to compare with');
  const { contactSolver } = solver;
  const correct = contactSolver.correct.bind(contactSolver);
  contactSolver.correct = (share, last, isPlain) => correct(SWEPT * share, last, isPlain);
}

/** The converged step from a state, by a world whose contacts are swept more; where many iterations still move it, its distance from as good a step of plain iterations is the doubt. */
export function converge(snapshot: Uint8Array, world: World, plain: World): Reference {
  restoreSnapshot(world, snapshot);
  const { dt, gravity } = world;
  const free = world.bodies.map(({ state, model }) =>
    state.positions.map((x, i) => {
      const falls = model.pinned[Math.floor(i / 3)] ? 0 : dt * dt * gravity[i % 3];
      return x + dt * state.velocities[i] + falls;
    }),
  );
  let converged = stepWith(world, snapshot, CONVERGED / 2);
  let [needed, doubt] = [0, 1];
  for (let iterations = CONVERGED; iterations <= MOST_CONVERGED && !(doubt <= SAME); iterations *= 2) {
    const next = stepWith(world, snapshot, iterations);
    needed = distance(world, free, next);
    doubt = distance(world, converged, next) / needed;
    converged = next;
  }
  if (doubt > DOUBTFUL) doubt = distance(world, converged, stepWith(plain, snapshot, 2 * MOST_CONVERGED)) / needed;
  return { snapshot, converged, needed, doubt };
}

/** Positions after one step with so many iterations. */
function stepWith(world: World, snapshot: Uint8Array, iterations: number): Float64Array[] {
  restoreSnapshot(world, snapshot);
  world.options.iterations = iterations;
  step(world);
  return world.bodies.map(({ state }) => state.positions.slice());
}

/** Distance of two sets of positions in the masses of the vertices. */
export function distance(world: World, a: readonly Float64Array[], b: readonly Float64Array[]): number {
  let sum = 0;
  world.bodies.forEach(({ model }, body) => {
    a[body].forEach((x, i) => {
      const d = x - b[body][i];
      sum += model.masses[Math.floor(i / 3)] * d * d;
    });
  });
  return Math.sqrt(sum);
}

/** Takes a step, or throws what stopped it. */
export function step(world: World): void {
  if (!stepWorld(world)) throw world.fault;
}
