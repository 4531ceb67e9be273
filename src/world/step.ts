/** One step of a world: the ordered list of stages, no mathematics. */
import { MAX_DT } from '../constants.js';
import { requireInRange, TendonError } from '../errors.js';
import { correctContacts, findContacts, measureContacts } from './step-contacts.js';
import { addToCertificate, clearCertificate, copyReport } from './step-report.js';
import type { World, WorldBody } from './world.js';

/**
 * Times the forces of many contacts are corrected in one step, at most (and once more in the last iteration). Few are corrected
 * in every iteration: a box on an incline crept by 5 mm in 10 s with 7 corrections in 20 iterations, and by less than 0.1 mm with 20.
 */
const MOST_CORRECTIONS = 7;
const MANY_CONTACTS = 400;
/** Shorter steps that are tried, one after the other, when a whole one is not finite or drives bodies into each other. */
const RETRIES = [2, 4, 8];
const MOST_PARTS = 8;

/**
 * Advances every body by `dt` [s]; 0 does nothing. Fills `world.certificate`. A step that is not finite, or drives bodies into
 * each other, is tried again as 2, 4 and 8 shorter ones (`certificate.substeps` says so); when that is not finite either nothing has
 * moved, `world.fault` says which body, and false is returned.
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
  const { backups, bodies, obstacles, contactMemory } = world;
  // a single body that fails at once is left alone by its solver: nothing to save for the usual case
  const saved = bodies.length > 1 || parts > 1;
  if (saved) for (let i = 0; i < backups.length; i++) backups[i].save();
  if (saved) obstacles.save();
  if (parts > 1) contactMemory.save();
  let unswept = 0;
  for (let part = 0; part < parts; part++) {
    if (advance(world, dt, part, parts)) {
      unswept += world.certificate.unswept;
      continue;
    }
    if (saved) for (let i = 0; i < backups.length; i++) backups[i].restore();
    if (saved) obstacles.restore();
    if (parts > 1) contactMemory.restore();
    return false;
  }
  world.certificate.substeps = parts;
  world.certificate.unswept = unswept;
  return true;
}

/**
 * One of `parts` steps of a step of dt [s]. False where a body's result is not finite, or where bodies were driven into each other;
 * with the most parts there are the latter is only counted.
 */
function advance(world: World, dt: number, part: number, parts: number): boolean {
  const h = dt / parts;
  const last = parts === MOST_PARTS;
  const { bodies, contacts } = world;
  clearCertificate(world.certificate);
  world.obstacles.predict(h, (dt * (parts - part)) / parts);
  const began = world.clock();
  findContacts(world, h);
  const detection = world.clock() - began;
  // what the part before has missed can be taken back, what the step before has missed cannot
  if (contacts.missed > 0 && part > 0 && !last) return false;
  try {
    solve(world, h);
  } catch (error) {
    // A helper thread died in the middle. Nothing is committed yet: take the step again on the caller's thread alone.
    if (!(error instanceof TendonError) || error.code !== 'E_THREAD') throw error;
    abandon(world);
    solve(world, h);
  }
  let good = true;
  for (let i = 0; i < bodies.length; i++) good = finishBody(world, bodies[i]) && good;
  world.penalty?.release();
  world.certificate.ms.contact += detection;
  if (!good) return false;
  world.obstacles.commit();
  const drivenIn = measureContacts(world, last);
  if (drivenIn > 0 && !last) return false;
  world.certificate.unswept += drivenIn + contacts.missed;
  world.contactMemory.remember(contacts);
  return true;
}

/** The iterations of a step; with BDF2 once more, by backward Euler, where contacts push that did not push before. */
function solve(world: World, h: number): void {
  // penalty forces push gradually: nothing to look out for
  const watched = world.options.integrator === 'bdf2' && world.penalty === undefined;
  const touching = watched && world.contactMemory.pushed;
  iterate(world, h, touching);
  if (!watched || touching || !doPush(world)) return;
  abandon(world);
  world.certificate.ms.contact = 0;
  iterate(world, h, true);
}

/** Leaves a step of which nothing is committed yet, to take it again from its first iteration. */
function abandon({ bodies, contactSolver }: World): void {
  for (let i = 0; i < bodies.length; i++) bodies[i].solver.abandon();
  contactSolver.restart();
}

/** Whether any contact pushes, as the forces stand. */
function doPush({ contacts: { force, count } }: World): boolean {
  for (let i = 0; i < count * 3; i++) if (force[i] !== 0) return true;
  return false;
}

/** All bodies side by side: each moves under the contact forces as they stand, then the forces are corrected. */
function iterate(world: World, h: number, touching: boolean): void {
  const { bodies, contactSolver } = world;
  const { contacts } = contactSolver;
  const { iterations } = world.options;
  for (let i = 0; i < bodies.length; i++) bodies[i].solver.begin(bodies[i].state, world.gravity, h, touching);
  for (let i = 0; i < bodies.length; i++) bodies[i].solver.beginContacts();
  const spacing = contacts.count > MANY_CONTACTS ? Math.ceil(iterations / MOST_CORRECTIONS) : 1;
  for (let n = 1; n <= iterations; n++) {
    const last = n === iterations || bodies.every(isBalanced);
    for (let i = 0; i < bodies.length; i++) bodies[i].solver.iterate(last);
    if (contacts.count > 0 && (last || n % spacing === 0)) correctContacts(world, spacing, last);
    if (last) return;
  }
}

function isBalanced(body: WorldBody): boolean {
  return body.solver.isBalanced;
}

/** Commits a body and says what became of it. False, with a fault, where the result is not finite. */
function finishBody(world: World, body: WorldBody): boolean {
  const good = body.solver.finish();
  copyReport(body.solver.report, body.report);
  body.jointMultipliers.set(body.solver.jointMultipliers);
  addToCertificate(world.certificate, body.report);
  if (good) return true;
  const advice = 'the step was not finite and was undone';
  world.fault ??= new TendonError('E_DIVERGED', `bodies/${body.name}`, world.stepCount, advice);
  return false;
}

/** False where a force given by the user is not finite: shorter steps would not help. */
function forcesFinite(world: World): boolean {
  return world.bodies.every(({ state }) => state.forces.every((force) => Number.isFinite(force)));
}
