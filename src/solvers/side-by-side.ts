/**
 * A solver over solvers of single bodies: all bodies take an iteration side by side, then the forces of all contacts between them
 * are corrected together, and each body moves as the change wants. One file for the whole conversation of a step with its
 * contacts; docs/the-step.md draws it.
 */
import type { BodyState, StateArray } from '../body/state.js';
import type { StateKeeper } from '../body/state-backup.js';
import { ContactBuffer } from '../collision/contact-buffer.js';
import { PenetrationFinder } from '../collision/depth/penetration-finder.js';
import type { ObstacleSet } from '../collision/obstacles/obstacle.js';
import { type ContactDetection, ContactFinder, type ContactScene } from '../collision/search/contact-finder.js';
import { SurfaceMotion } from '../collision/surface/surface-motion.js';
import { CONTACT_MARGIN, MAX_PENALTY_SIDES } from '../constants.js';
import { ContactMemory } from '../contact/contact-memory.js';
import { ContactSolver } from '../contact/contact-solver.js';
import type { ContactOptions } from '../contact/options.js';
import { PenaltyForces } from '../contact/penalty.js';
import { TendonError } from '../errors.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan } from '../kernels/memory.js';
import type { ThreadPool } from '../kernels/thread-pool.js';
import { hasOvershot, isBalanced, isLost, isRigid, isSettled, isStuck, type SidePart } from './body-solver.js';
import * as corrections from './correction-counts.js';
import { KeptFlesh } from './kept-flesh.js';
import { MeasuredContacts } from './measured-contacts.js';
import type { BoneLead, HeldPoint, Outcome, Solver, SolverSite, StepPart } from './solver.js';
import { StepEnd } from './step-end.js';
import { addReport, clearReport, type StepReport } from './step-report.js';
import type { StepTape } from './step-slopes.js';

/** How iterations go: accelerated, plain, or from another start than where inertia leads. */
type Way = 'usual' | 'plain' | 'elsewhere';

/** What the conversation itself needs to know. */
export interface SideBySideOptions extends ContactOptions {
  readonly iterations: number;
  readonly integrator: string;
}

/** Couples bodies through their contacts. */
export class SideBySide implements Solver, ContactScene {
  readonly contacts: ContactBuffer;
  readonly contactMemory: ContactMemory;
  readonly keepers: readonly StateKeeper[];
  readonly contactSolver: ContactSolver;
  readonly options: SideBySideOptions;
  readonly parts: readonly SidePart[];
  readonly reports: readonly StepReport[];
  readonly jointMultipliers: readonly Float64Array[];
  fault: TendonError | undefined;
  readonly #site: SolverSite;
  #states: readonly BodyState[] = [];
  #finder!: ContactDetection;
  readonly #end: StepEnd;
  #kept!: KeptFlesh;
  readonly #placeOf = (contact: number) => this.contactSolver.positionOf(contact);
  #measured!: MeasuredContacts;
  #penalty: PenaltyForces | undefined;

  constructor(site: SolverSite, plan: MemoryPlan, parts: readonly SidePart[], options: SideBySideOptions) {
    this.#site = site;
    this.parts = parts;
    this.options = options;
    this.reports = parts.map(({ solver }) => solver.report);
    const { bodies } = site;
    this.jointMultipliers = bodies.map(({ model: { joints } }) => new Float64Array(joints.rowStart[joints.count]));
    const isPenalty = options.contact === 'penalty';
    // explicit forces are felt by inner vertices too
    const most = ({ model }: SolverSite['bodies'][number]) => Math.min(MAX_PENALTY_SIDES, 3 * model.vertexCount);
    const room = parts.map(({ sides }, i) => (isPenalty ? most(bodies[i]) : sides.capacity));
    const capacity = room.reduce((sum, most) => sum + most, 0);
    this.contacts = new ContactBuffer(capacity, room);
    this.contactMemory = new ContactMemory(capacity);
    this.keepers = [this.contactMemory];
    // explicit forces are known before the step: nothing is left to solve for
    const solved = isPenalty ? new ContactBuffer(0, []) : this.contacts;
    const size = Math.max(...bodies.map(({ model }) => model.size));
    const sides = parts.map((part) => part.sides);
    this.contactSolver = new ContactSolver(plan, solved, sides, CONTACT_MARGIN * size);
    this.#end = new StepEnd(parts, solved, this.contactSolver);
  }

  start(kernels: KernelTable, threads: ThreadPool): readonly BodyState[] {
    const { parts, options } = this;
    const { bodies } = this.#site;
    for (const { solver } of parts) solver.start(kernels, threads);
    this.contactSolver.start(kernels);
    this.#states = parts.map(({ planned }) => planned());
    const surfaces = parts.map(
      ({ surface }, i) => new SurfaceMotion(bodies[i].model, surface, this.#states[i], bodies[i].friction),
    );
    const isPenalty = options.contact === 'penalty';
    this.#finder = isPenalty
      ? new PenetrationFinder(surfaces, options.selfContact)
      : new ContactFinder(surfaces, options.selfContact, true);
    this.#kept = new KeptFlesh(parts, this.contactSolver, this.#finder, bodies);
    this.#measured = new MeasuredContacts(this, this.#finder, surfaces, this.reports, isPenalty);
    if (isPenalty) this.#penalty = new PenaltyForces(bodies.map(({ model }, i) => ({ model, state: this.#states[i] })));
    return this.#states;
  }

  reset(): void {
    this.parts.forEach((part, i) => {
      part.reset(this.#states[i]);
    });
    this.contactMemory.forget();
  }

  interrupted(): void {
    for (const part of this.parts) part.interrupted?.();
  }

  hold(body: number, points: readonly HeldPoint[]): void {
    this.parts[body].solver.hold(points);
  }

  lead(body: number, lead: BoneLead | undefined): void {
    this.parts[body].solver.lead(lead);
  }

  tape(body: number): StepTape | undefined {
    return this.parts[body].tape?.(this.#states[body], this, body);
  }

  get states(): readonly BodyState[] {
    return this.#states;
  }

  get obstacles(): ObstacleSet {
    return this.#site.obstacles;
  }

  get gravity(): Float64Array {
    return this.#site.gravity;
  }

  get stepCount(): number {
    return this.#site.stepCount;
  }

  get warmStart(): readonly StateArray[] {
    return this.contactMemory.arrays;
  }

  step(h: number, { index, isLastTry, isFinest }: StepPart): Outcome {
    const { contacts } = this;
    const { certificate, clock } = this.#site;
    clearReport(certificate);
    const began = clock();
    this.findContacts(h);
    const detection = clock() - began;
    // what the part before has missed can be taken back, what the step before has missed cannot
    if (contacts.missed > 0 && index > 0 && !isLastTry) return 'drivenIn';
    this.#solve(h);
    const good = this.#finish(isLastTry);
    this.#penalty?.release();
    certificate.ms.contact += detection;
    if (!good) return 'diverged';
    this.obstacles.commit();
    const drivenIn = this.#measured.measure(certificate, h, isLastTry);
    if (drivenIn > 0 && !isLastTry) return 'drivenIn';
    if (this.#measured.isPassing && !isFinest) return 'passing';
    certificate.unswept += drivenIn + contacts.missed;
    this.contactMemory.remember(contacts, this.#penalty ? contacts.force : this.#end.found);
    return 'done';
  }

  /** Contacts of this step, with the forces of the last one to start from (a warm start). */
  findContacts(h: number): void {
    const { contacts } = this;
    contacts.clear();
    if (this.options.contact !== 'none') this.#finder.find(this, h, contacts);
    this.contactMemory.recall(contacts);
    this.contactSolver.begin();
    this.#penalty?.push(contacts, this.obstacles, h);
  }

  /** The iterations of a step; with BDF2 once more, by backward Euler, where contacts push that did not push before. */
  #solve(h: number): void {
    // penalty forces push gradually: nothing to look out for
    const watched = this.options.integrator === 'bdf2' && this.#penalty === undefined;
    const ignoreHistory = watched && (this.contactMemory.pushed || this.#isAnyReleased());
    this.#iterate(h, ignoreHistory, 'usual');
    this.#keepTurned(h, ignoreHistory);
    const again = ignoreHistory || this.#mustForget(watched);
    if (again !== ignoreHistory) this.#iterateAgain(h, true, 'usual');
    if (this.parts.some(hasOvershot)) this.#iterateAgain(h, again, 'plain');
    // by backward Euler, whose steps lose energy: with its history a bar drawn to 2.5 times its length and let go got 1.2 times as much on top
    if (this.parts.some(isStuck)) this.#iterateAgain(h, true, 'elsewhere');
  }

  /** Takes a step that turns flesh inside out again, with contacts that keep it. */
  #keepTurned(h: number, ignoreHistory: boolean): void {
    this.#kept.begin();
    for (let known = this.contacts.count; this.#kept.look(h); known = this.contacts.count) {
      this.#abandon();
      this.contacts.dropForces(known);
      this.contactSolver.begin();
      this.#site.certificate.ms.contact = 0;
      this.#iterate(h, ignoreHistory, 'usual');
    }
  }

  #mustForget(watched: boolean): boolean {
    // flesh that is cut short goes on as its history leads: of 10 kPa, under bones that swing twice a second, it was 885 sizes away after 3 s
    return watched && (this.contacts.isPushing || this.parts.some(isLost));
  }

  #iterateAgain(h: number, ignoreHistory: boolean, way: Way): void {
    this.#abandon();
    this.#site.certificate.ms.contact = 0;
    this.#iterate(h, ignoreHistory, way);
  }

  #isAnyReleased(): boolean {
    for (let i = 0; i < this.parts.length; i++) if (this.parts[i].solver.isReleased(this.#states[i])) return true;
    return false;
  }

  /** Leaves a step of which nothing is committed yet, to take it again from its first iteration. */
  #abandon(): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i].solver.abandon();
    this.contactSolver.restart();
  }

  /** All bodies side by side: each moves under the contact forces as they stand, then the forces are corrected. */
  #iterate(h: number, ignoreHistory: boolean, way: Way): void {
    const { parts, gravity } = this;
    const { contacts } = this.contactSolver;
    const { iterations } = this.options;
    const plain = way === 'plain';
    for (let i = 0; i < parts.length; i++) parts[i].solver.begin(this.#states[i], gravity, h, ignoreHistory, plain);
    for (let i = 0; i < parts.length; i++) parts[i].solver.beginContacts();
    if (way === 'elsewhere') for (const { solver } of parts) solver.startElsewhere();
    const { MANY_CONTACTS, RIGID_CORRECTIONS } = corrections;
    const isHeap = contacts.count > MANY_CONTACTS && iterations > RIGID_CORRECTIONS && parts.every(isRigid);
    const spacing = isHeap ? Math.ceil(iterations / RIGID_CORRECTIONS) : 1;
    const patience = corrections.worthOf(parts, isHeap) * spacing;
    for (let n = 1; n <= iterations; n++) {
      const over = n === iterations || (isHeap && n > spacing && parts.every(isSettled));
      const last = over || parts.every(isBalanced);
      const corrects = contacts.count > 0 && (last || n % spacing === 0);
      for (let i = 0; i < parts.length; i++) {
        const { solver } = parts[i];
        if (solver.isAlone ? n === 1 || last : spacing === 1 || corrects || !solver.isRigid) solver.iterate(last);
      }
      if (corrects) this.#correctContacts(patience, last, isHeap);
      // what closed the joints and answered the contacts may have shown that more is left than it seemed
      if (over || (last && parts.every(isBalanced))) return;
    }
  }

  /** Corrects the forces of all contacts, and moves the bodies as that wants; the last time until nothing is left inside. */
  #correctContacts(patience: number, last: boolean, plain: boolean): void {
    const { parts, contactSolver } = this;
    const { clock, certificate } = this.#site;
    for (let round = 0; round < (last ? corrections.LAST_ROUNDS : 1); round++) {
      const began = clock();
      for (let i = 0; i < parts.length; i++) parts[i].solver.placeContacts();
      // not after the last correction: forces are within the cones of the planes they were found for
      if (round === 0) this.#finder.follow(this, contactSolver.contacts, this.#placeOf);
      contactSolver.list();
      // what one answer brings together, the next one sees
      if (round > 0 && contactSolver.deepest[0] > -contactSolver.near) return;
      for (let i = 0; i < parts.length; i++) parts[i].solver.prepareContacts();
      contactSolver.measure();
      contactSolver.correct(patience, last, plain);
      certificate.ms.contact += clock() - began;
      for (let i = 0; i < parts.length; i++) parts[i].solver.answerContacts(last);
    }
  }

  /** Commits every body and says what became of it. False, with a fault, where a result is not finite. */
  #finish(isLastTry: boolean): boolean {
    const { certificate, bodies, stepCount } = this.#site;
    const bad = this.#end.run(isLastTry);
    for (let i = 0; i < this.parts.length; i++) {
      const { solver } = this.parts[i];
      this.jointMultipliers[i].set(solver.jointMultipliers);
      addReport(certificate, solver.report);
    }
    if (bad < 0) return true;
    const advice = 'the step was not finite and was undone';
    this.fault = new TendonError('E_DIVERGED', `bodies/${bodies[bad].name}`, stepCount, advice);
    return false;
  }
}
