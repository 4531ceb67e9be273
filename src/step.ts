/** One step of a world: the ordered list of stages, no mathematics. */
import { CONTACT_MARGIN, MAX_DT } from './constants.js';
import { requireInRange, TendonError } from './errors.js';
import type { StepReport } from './solvers/solver.js';
import type { World, WorldBody } from './world.js';

/** Shorter steps that are tried, one after the other, when a whole one is not finite. */
const RETRIES = [2, 4, 8];

/**
 * Advances every body by `dt` [s]; 0 does nothing. Fills `world.certificate`. A step that is not finite is tried again as 2,
 * 4 and 8 shorter ones (`certificate.substeps` says so); when that fails too nothing has moved, `world.fault` says which
 * body, and false is returned.
 */
export function stepWorld(world: World, dt = world.dt): boolean {
  requireInRange(dt, 0, MAX_DT, 'dt');
  if (dt === 0) return true;
  world.fault = undefined;
  const done = attempt(world, dt, 1) || (forcesFinite(world) && RETRIES.some((parts) => attempt(world, dt, parts)));
  if (done) {
    world.fault = undefined;
    world.time += dt;
    world.stepCount++;
  }
  return done;
}

/** Takes `parts` steps of dt/parts; false, with every body where it was, where one of them fails. */
function attempt(world: World, dt: number, parts: number): boolean {
  const { backups, bodies, obstacles } = world;
  // a single body that fails at once is left alone by its solver: nothing to save for the usual case
  const saved = bodies.length > 1 || parts > 1;
  if (saved) for (let i = 0; i < backups.length; i++) backups[i].save();
  if (saved) obstacles.save();
  for (let part = 0; part < parts; part++) {
    if (advance(world, dt / parts)) continue;
    if (saved) for (let i = 0; i < backups.length; i++) backups[i].restore();
    if (saved) obstacles.restore();
    return false;
  }
  world.certificate.substeps = parts;
  return true;
}

/** One step of length h [s]: the stages in order. False where a body's result is not finite. */
function advance(world: World, h: number): boolean {
  clearCertificate(world.certificate);
  world.obstacles.predict(h);
  for (let i = 0; i < world.bodies.length; i++) {
    const body = world.bodies[i];
    findContacts(world, body, h);
    const good = body.solver.step(body.state, world.gravity, h, body.contacts);
    copyReport(body.solver.report, body.report);
    body.jointMultipliers.set(body.solver.jointMultipliers);
    addToCertificate(world.certificate, body.report);
    if (!good) {
      const advice = 'the step was not finite and was undone';
      world.fault = new TendonError('E_DIVERGED', `bodies/${body.name}`, world.stepCount, advice);
      return false;
    }
  }
  world.obstacles.commit();
  for (let i = 0; i < world.bodies.length; i++) finishContacts(world, world.bodies[i]);
  return true;
}

/** False where a force given by the user is not finite: shorter steps would not help. */
function forcesFinite(world: World): boolean {
  return world.bodies.every(({ state }) => state.forces.every((force) => Number.isFinite(force)));
}

/** Contacts of this step, with the forces of the last one to start from. */
function findContacts(world: World, body: WorldBody, dt: number): void {
  const { contacts, state, model } = body;
  const { obstacles } = world;
  if (obstacles.count === 0) return;
  world.contactFinder.find(body.candidates, obstacles, world.gravity, dt, CONTACT_MARGIN * model.size, contacts);
  for (let c = 0; c < contacts.count; c++) {
    const from = (contacts.surface[c] * obstacles.count + contacts.obstacle[c]) * 3;
    for (let k = 0; k < 3; k++) contacts.force[c * 3 + k] = state.contactForces[from + k];
  }
}

/** Keeps the forces for the next step and says how deep anything is. */
function finishContacts(world: World, body: WorldBody): void {
  const { contacts, state, report } = body;
  if (world.obstacles.count === 0) return;
  state.contactForces.fill(0);
  for (let c = 0; c < contacts.count; c++) {
    const to = (contacts.surface[c] * world.obstacles.count + contacts.obstacle[c]) * 3;
    for (let k = 0; k < 3; k++) state.contactForces[to + k] = contacts.force[c * 3 + k];
  }
  report.contacts = contacts.count;
  report.droppedContacts = contacts.dropped;
  report.penetration = world.contactFinder.measure(state.positions, world.obstacles, contacts);
  world.certificate.contacts += report.contacts;
  world.certificate.droppedContacts += report.droppedContacts;
  world.certificate.penetration = Math.max(world.certificate.penetration, report.penetration);
}

const STAGES = ['predict', 'local', 'global', 'bones', 'contact', 'finish'] as const;

function copyReport(from: StepReport, to: StepReport): void {
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

function clearCertificate(all: StepReport): void {
  all.jointGap = all.rigidity = all.momentumDrift = all.residual = 0;
  all.iterations = all.inverted = all.redundantRows = all.repairedRotations = all.clampedBones = 0;
  all.contacts = all.penetration = all.droppedContacts = 0;
  for (let i = 0; i < STAGES.length; i++) all.ms[STAGES[i]] = 0;
}

/** Worst of the errors, sum of the counts and times. */
function addToCertificate(all: StepReport, one: StepReport): void {
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
