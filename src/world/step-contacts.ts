/** The part of a step that contacts take: found, corrected with all bodies side by side, and measured when it is over. */
import type { World } from './world.js';

/** Corrections in the last iteration, at most. */
const LAST_ROUNDS = 2;
/**
 * Depth, in margins, by which one step may drive bodies into each other. A bullet of 80 m/s that pulls a plate
 * along for 5 cm in one step leaves the plate behind; in 8 steps it does not.
 */
const DRIVEN_IN = 5;

/** Contacts of this step, with the forces of the last one to start from. */
export function findContacts(world: World, h: number): void {
  const { contacts } = world;
  contacts.clear();
  if (world.options.contact !== 'none') world.contactFinder.find(world, h, contacts);
  world.contactMemory.recall(contacts);
  world.contactSolver.begin();
  world.penalty?.push(contacts, world.obstacles, h);
}

/** Corrects the forces of all contacts, and moves the bodies as that wants; the last time until nothing is left inside. */
export function correctContacts(world: World, spacing: number, last: boolean): void {
  const { bodies, contactSolver } = world;
  for (let round = 0; round < (last ? LAST_ROUNDS : 1); round++) {
    const began = world.clock();
    for (let i = 0; i < bodies.length; i++) bodies[i].solver.placeContacts();
    followObstacles(world);
    contactSolver.list();
    // what one answer brings together, the next one sees
    if (round > 0 && contactSolver.deepest[0] > -contactSolver.near) return;
    for (let i = 0; i < bodies.length; i++) bodies[i].solver.prepareContacts();
    contactSolver.measure();
    contactSolver.correct(spacing, last);
    world.certificate.ms.contact += world.clock() - began;
    for (let i = 0; i < bodies.length; i++) bodies[i].solver.answerContacts(last);
  }
}

/** Lays the planes of contacts with obstacles where their vertices are by now. */
function followObstacles(world: World): void {
  const { contactSolver, contactFinder } = world;
  const { contacts } = contactSolver;
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.obstacle[c] >= 0) contactFinder.follow(world, contacts, c, contactSolver.placeOf(c));
  }
}

/** Says how many contacts there were and how deep anything is now; returns how many contacts drove in. */
export function measureContacts(world: World, last: boolean): number {
  const { contacts, certificate, bodies } = world;
  let drivenIn = 0;
  for (let i = 0; i < bodies.length; i++) bodies[i].report.contacts = bodies[i].report.penetration = 0;
  for (let c = 0; c < contacts.count; c++) {
    const gap = world.contactFinder.measure(world, contacts, c);
    if (isDrivenIn(world, c, gap) || (last && cameFromAfar(world, c))) drivenIn++;
    contacts.gap[c] = gap;
    for (let side = 0; side < 2; side++) {
      const body = contacts.body[c * 2 + side];
      if (body < 0) continue;
      const { report } = bodies[body];
      report.contacts++;
      report.penetration = Math.max(report.penetration, -gap);
    }
    certificate.penetration = Math.max(certificate.penetration, -gap);
  }
  certificate.contacts = contacts.count;
  certificate.droppedContacts = contacts.dropped;
  certificate.unswept = contacts.unswept;
  return drivenIn;
}

/** Whether the step drove two bodies far into each other: by how much more than before, at contact c. */
function isDrivenIn({ contacts, bodies, penalty }: World, c: number, gap: number): boolean {
  // penalty forces let bodies in, in shorter steps as well
  if (penalty !== undefined) return false;
  const a = contacts.body[c * 2];
  const b = contacts.body[c * 2 + 1];
  if (b < 0 || a === b) return false;
  const deeper = Math.min(0, contacts.gap[c]) - gap;
  return deeper > DRIVEN_IN * Math.max(bodies[a].surface.margin, bodies[b].surface.margin);
}

/** Whether a body hit another from farther than its own size: part of it may have passed unseen. */
function cameFromAfar({ contacts, bodies }: World, c: number): boolean {
  const b = contacts.body[c * 2 + 1];
  const pushes = contacts.force[c * 3] !== 0 || contacts.force[c * 3 + 1] !== 0 || contacts.force[c * 3 + 2] !== 0;
  if (b < 0 || !pushes) return false;
  return contacts.gap[c] > Math.min(bodies[contacts.body[c * 2]].model.size, bodies[b].model.size);
}
