/** One step of a world: the ordered list of stages, no mathematics. */
import { MAX_DT } from './constants.js';
import { requireInRange, TendonError } from './errors.js';
import type { StepReport } from './solvers/solver.js';
import type { World } from './world.js';

/**
 * Advances every body by `dt` [s]; 0 does nothing. Fills `world.certificate`. When a result is not finite nothing has
 * moved, `world.fault` says which body, and false is returned.
 */
export function stepWorld(world: World, dt = world.dt): boolean {
  requireInRange(dt, 0, MAX_DT, 'dt');
  if (dt === 0) return true;
  world.fault = undefined;
  clearCertificate(world.certificate);
  for (let i = 0; i < world.bodies.length; i++) {
    const body = world.bodies[i];
    world.backups[i]?.save();
    const good = body.solver.step(body.state, world.gravity, dt);
    copyReport(body.solver.report, body.report);
    body.jointMultipliers.set(body.solver.jointMultipliers);
    addToCertificate(world.certificate, body.report);
    if (!good) {
      // the solver has left its own body as it was; the bodies before it have already moved
      for (let j = 0; j < i; j++) world.backups[j].restore();
      const advice = 'the step was not finite and was undone';
      world.fault = new TendonError('E_DIVERGED', `bodies/${body.name}`, world.stepCount, advice);
      return false;
    }
  }
  world.time += dt;
  world.stepCount++;
  return true;
}

const STAGES = ['predict', 'local', 'global', 'bones', 'finish'] as const;

function copyReport(from: StepReport, to: StepReport): void {
  to.jointGap = from.jointGap;
  to.rigidity = from.rigidity;
  to.momentumDrift = from.momentumDrift;
  to.residual = from.residual;
  to.inverted = from.inverted;
  to.redundantRows = from.redundantRows;
  to.repairedRotations = from.repairedRotations;
  to.clampedBones = from.clampedBones;
  for (let i = 0; i < STAGES.length; i++) to.ms[STAGES[i]] = from.ms[STAGES[i]];
}

function clearCertificate(all: StepReport): void {
  all.jointGap = all.rigidity = all.momentumDrift = all.residual = 0;
  all.inverted = all.redundantRows = all.repairedRotations = all.clampedBones = 0;
  for (let i = 0; i < STAGES.length; i++) all.ms[STAGES[i]] = 0;
}

/** Worst of the errors, sum of the counts and times. */
function addToCertificate(all: StepReport, one: StepReport): void {
  all.jointGap = Math.max(all.jointGap, one.jointGap);
  all.rigidity = Math.max(all.rigidity, one.rigidity);
  all.momentumDrift = Math.max(all.momentumDrift, one.momentumDrift);
  all.residual = Math.max(all.residual, one.residual);
  all.inverted += one.inverted;
  all.redundantRows += one.redundantRows;
  all.repairedRotations += one.repairedRotations;
  all.clampedBones += one.clampedBones;
  for (let i = 0; i < STAGES.length; i++) all.ms[STAGES[i]] += one.ms[STAGES[i]];
}
