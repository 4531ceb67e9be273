/** What a step says about itself: the reports of its bodies, and the certificate of the world made of them. */
import type { StepReport } from '../solvers/solver.js';

const STAGES = ['predict', 'local', 'global', 'bones', 'contact', 'finish'] as const;

/** Copies what a solver says about its body. */
export function copyReport(from: StepReport, to: StepReport): void {
  to.jointGap = from.jointGap;
  to.rigidity = from.rigidity;
  to.momentumDrift = from.momentumDrift;
  to.residual = from.residual;
  to.iterations = from.iterations;
  to.inverted = from.inverted;
  to.redundantRows = from.redundantRows;
  to.repairedRotations = from.repairedRotations;
  to.clampedBones = from.clampedBones;
  for (let i = 0; i < STAGES.length; i++) to.ms[STAGES[i]] = from.ms[STAGES[i]];
}

/** Nothing has happened yet. */
export function clearCertificate(all: StepReport): void {
  all.jointGap = all.rigidity = all.momentumDrift = all.residual = 0;
  all.iterations = all.inverted = all.redundantRows = all.repairedRotations = all.clampedBones = 0;
  all.contacts = all.penetration = all.droppedContacts = all.unswept = 0;
  for (let i = 0; i < STAGES.length; i++) all.ms[STAGES[i]] = 0;
}

/** Worst of the errors, sum of the counts and times. */
export function addToCertificate(all: StepReport, one: StepReport): void {
  all.jointGap = Math.max(all.jointGap, one.jointGap);
  all.rigidity = Math.max(all.rigidity, one.rigidity);
  all.momentumDrift = Math.max(all.momentumDrift, one.momentumDrift);
  all.residual = Math.max(all.residual, one.residual);
  all.iterations = Math.max(all.iterations, one.iterations);
  all.inverted += one.inverted;
  all.redundantRows += one.redundantRows;
  all.repairedRotations += one.repairedRotations;
  all.clampedBones += one.clampedBones;
  for (let i = 0; i < STAGES.length; i++) all.ms[STAGES[i]] += one.ms[STAGES[i]];
}
