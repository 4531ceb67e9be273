/** What tests look at inside a projective world. */
import type { ProjectiveSolver } from '../../src/solvers/projective/projective-solver.js';
import type { SideBySide } from '../../src/solvers/side-by-side.js';
import { insideOf, type World } from '../../src/world/world.js';

/** The solver of a projective world, contacts included. */
export function projectiveOf(world: World): SideBySide {
  return insideOf(world).solver as SideBySide;
}

/** The solver of one body of a projective world. */
export function bodySolverOf(world: World, body: number): ProjectiveSolver {
  return projectiveOf(world).parts[body].solver as ProjectiveSolver;
}
