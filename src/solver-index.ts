/**
 * `tendon/solver`: what a solver of one's own is made of, and how scenes come to know it.
 * @module tendon/solver
 */

export { type BodyState, planState } from './body/state.js';
export { ContactBuffer } from './collision/contact-buffer.js';
export { addSolverKind } from './solvers/added-kinds.js';
export type { HeldPoint, Outcome, Solver, SolverBody, SolverKind, SolverSite, StepPart } from './solvers/solver.js';
export { createReport, type StepReport } from './solvers/step-report.js';
