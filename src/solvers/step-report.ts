/** What a step says about itself: a report for each body, and the certificate of the world made of them. */

/** How exact a step was, and what it cost. One per body; the world's is the worst of them. */
export interface StepReport {
  /** Largest gap of any joint after the step [m]. */
  jointGap: number;
  /** Largest angle by which a joint exceeds its limits after the step [rad]: starts outside, and limits that joints or driven bones contradict. */
  limitExcess: number;
  /** Root of the mean square of the angle between joints and the rotations their motors lead them to [rad]; 0 without such motors. */
  trackingError: number;
  /** Force from outside that leads a bone through space, in bodies whose root is assisted [N]. */
  assistForce: number;
  /** Largest deviation of a bone's rotation from orthonormal, |RᵀR − I|. */
  rigidity: number;
  /** Change of linear momentum that no outside force explains [kg m/s]; 0 for bodies that are held. */
  momentumDrift: number;
  /**
   * Change of angular momentum that no outside force explains [kg m²/s]: in the coupled solver of the whole world about the origin, in the projective one of each body that nothing holds
   * about its middle, or of bodies that push only each other about that of them all, the worst of them; what the integrator takes from a spin is not counted. Undefined where it is not measured.
   */
  angularDrift?: number;
  /** Bodies and parts of bodies that sleep; undefined where nothing may. */
  sleeping?: number;
  /** Force that was still unbalanced when the last iteration began [N], an upper bound for what is left. */
  residual: number;
  /** Estimated distance from the converged step, as a share of the correction that was needed (at least of what gravity does in a step); 1 where too little is known. */
  error: number;
  /** Iterations taken: all that are allowed, or fewer with a tolerance. */
  iterations: number;
  /** Tets turned inside out. */
  inverted: number;
  /** Volume of the flesh as a share of that at rest, of the body that has least; of lattices that of their cells. 1 where there is no flesh. */
  volume: number;
  /** Redundant joint rows that were left out. */
  redundantRows: number;
  /** Tets whose rotation needed the full SVD. */
  repairedRotations: number;
  /** Kinematic bones whose move was cut short because it was too long for one step. */
  clampedBones: number;
  /** Vertices that touched, or nearly touched, an obstacle. */
  contacts: number;
  /** Deepest anything is inside an obstacle, another body or its own after the step, creases included [m]. */
  penetration: number;
  /** Deepest that vertices of flesh that is turned inside out are in their own body after the step [m]; measured where bodies touch themselves. */
  turnedDepth: number;
  /** Contacts beyond what a body has room for, and therefore not answered. */
  droppedContacts: number;
  /** Triangles too fast, and too many, to look at all they might have hit, and contacts that came deeper than foreseen: things may have passed through. */
  unswept: number;
  /** Longest dent of a skin on bones, as a share of its depth there; undefined where bodies have no such skin. */
  dent?: number;
  /** What became of the cells of lattices; undefined where there are none. */
  cells?: CellReport;
  /** Milliseconds per stage of the solver; every solver has `contact`, finding contacts and answering them. */
  readonly ms: StageTimes;
}

/** Cells after a step. */
export interface CellReport {
  /** Largest move of a node in the last iteration, in cells. */
  lastMove: number;
  /** Volume relative to the rest shape: mean over the cells, and of the most squeezed one. */
  meanVolume: number;
  leastVolume: number;
}

/** Milliseconds spent in each stage of a step. */
export interface StageTimes {
  [stage: string]: number;
  contact: number;
}

/** A report with nothing in it yet. */
export function createReport(stages: readonly string[]): StepReport {
  return {
    jointGap: 0,
    limitExcess: 0,
    trackingError: 0,
    assistForce: 0,
    rigidity: 0,
    momentumDrift: 0,
    residual: 0,
    error: 0,
    iterations: 0,
    inverted: 0,
    volume: 1,
    redundantRows: 0,
    repairedRotations: 0,
    clampedBones: 0,
    contacts: 0,
    penetration: 0,
    turnedDepth: 0,
    droppedContacts: 0,
    unswept: 0,
    ms: { ...Object.fromEntries(stages.map((stage) => [stage, 0])), contact: 0 },
  };
}

/** Nothing has happened yet. */
export function clearReport(report: StepReport): void {
  report.jointGap = report.limitExcess = report.rigidity = report.momentumDrift = report.residual = report.error = 0;
  report.trackingError = report.assistForce = 0;
  report.inverted = report.redundantRows = report.clampedBones = 0;
  report.contacts = report.penetration = report.turnedDepth = report.droppedContacts = report.unswept = 0;
  if (report.angularDrift !== undefined) report.angularDrift = 0;
  if (report.dent !== undefined) report.dent = 0;
  if (report.cells) {
    report.cells.lastMove = 0;
    report.cells.meanVolume = report.cells.leastVolume = 1;
  }
  clearWork(report);
}

/** No work has been done yet: times, iterations and repairs. */
export function clearWork(report: StepReport): void {
  report.iterations = report.repairedRotations = 0;
  for (const stage in report.ms) report.ms[stage] = 0;
}

/** Adds the report of a body to that of all: worst of the errors, sum of the counts and times. Contacts are counted elsewhere. */
export function addReport(all: StepReport, one: StepReport): void {
  all.jointGap = Math.max(all.jointGap, one.jointGap);
  all.limitExcess = Math.max(all.limitExcess, one.limitExcess);
  all.trackingError = Math.max(all.trackingError, one.trackingError);
  all.assistForce = Math.max(all.assistForce, one.assistForce);
  all.rigidity = Math.max(all.rigidity, one.rigidity);
  all.momentumDrift = Math.max(all.momentumDrift, one.momentumDrift);
  if (one.angularDrift !== undefined) all.angularDrift = Math.max(all.angularDrift ?? 0, one.angularDrift);
  all.residual = Math.max(all.residual, one.residual);
  all.error = Math.max(all.error, one.error);
  all.iterations = Math.max(all.iterations, one.iterations);
  all.inverted += one.inverted;
  all.redundantRows += one.redundantRows;
  all.repairedRotations += one.repairedRotations;
  all.clampedBones += one.clampedBones;
  if (one.dent !== undefined) all.dent = Math.max(all.dent ?? 0, one.dent);
  if (one.cells) {
    all.cells ??= { lastMove: 0, meanVolume: 1, leastVolume: 1 };
    all.cells.lastMove = Math.max(all.cells.lastMove, one.cells.lastMove);
    all.cells.meanVolume = Math.min(all.cells.meanVolume, one.cells.meanVolume);
    all.cells.leastVolume = Math.min(all.cells.leastVolume, one.cells.leastVolume);
  }
  for (const stage in one.ms) all.ms[stage] += one.ms[stage];
}
