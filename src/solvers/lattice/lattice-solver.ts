/**
 * Lattice bodies as the solver of a world: contacts are found once per step, answered by one-sided springs in the energy of each
 * body, and every body goes downhill on its own, one after the other. Between two bodies each sees the other where it is.
 */
import type { BodyState, StateArray } from '../../body/state.js';
import { CONTACT_VERTICES, ContactBuffer } from '../../collision/contact-buffer.js';
import type { ObstacleSet } from '../../collision/obstacles/obstacle.js';
import { ContactFinder, type ContactScene } from '../../collision/search/contact-finder.js';
import { buildCollisionSurface } from '../../collision/surface/collision-surface.js';
import { SurfaceMotion } from '../../collision/surface/surface-motion.js';
import { ContactMemory } from '../../contact/contact-memory.js';
import { TendonError } from '../../errors.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import { MeasuredContacts } from '../measured-contacts.js';
import type { HeldPoint, Outcome, Solver, SolverSite, StepPart } from '../solver.js';
import { addReport, clearReport, type StepReport } from '../step-report.js';
import { fillModel, type SharedLattice } from './fill-model.js';
import { LatticePart } from './lattice-part.js';
import type { LatticeOptions } from './options.js';
import { MAX_SPRINGS } from './vertex-springs.js';

/** Solves all bodies of a world. */
export class LatticeSolver implements Solver, ContactScene {
  readonly contacts: ContactBuffer;
  readonly contactMemory: ContactMemory;
  readonly parts: readonly LatticePart[];
  readonly reports: readonly StepReport[];
  readonly jointMultipliers: readonly Float64Array[];
  /** What detection asks of a solver. */
  readonly options = { integrator: 'backwardEuler' };
  fault: TendonError | undefined;
  readonly #site: SolverSite;
  readonly #settings: LatticeOptions;
  #finder!: ContactFinder;
  #measured!: MeasuredContacts;
  /** Spring of each contact on its first and second body, -1 for none. */
  readonly #springs: Int32Array;
  readonly #other = new Float64Array(3);
  readonly #force = new Float64Array(3);

  constructor(site: SolverSite, plan: MemoryPlan, settings: LatticeOptions) {
    this.#site = site;
    this.#settings = settings;
    const shared = new Map<object, SharedLattice>();
    this.parts = site.bodies.map(({ model }) => {
      const known = shared.get(model) ?? fillModel(model, settings, site.dt);
      shared.set(model, known);
      return new LatticePart(plan, model, known, settings);
    });
    this.reports = this.parts.map(({ report }) => report);
    this.jointMultipliers = this.parts.map(({ multipliers }) => multipliers);
    const crowded = site.bodies.length > 1 || settings.selfContact;
    const touches = settings.contact === 'penalty' && (crowded || site.obstacles.count > 0 || site.obstaclesLater);
    const room: number[] = this.parts.map(() => (touches ? MAX_SPRINGS : 0));
    const capacity = room.reduce((sum, most) => sum + most, 0);
    this.contacts = new ContactBuffer(capacity, room);
    this.contactMemory = new ContactMemory(capacity);
    this.#springs = new Int32Array(2 * capacity);
  }

  start(kernels: KernelTable, threads: ThreadPool): readonly BodyState[] {
    const states = this.parts.map((part) => part.start(kernels, threads));
    const { bodies } = this.#site;
    const surfaces = bodies.map(
      ({ model, friction }, i) => new SurfaceMotion(model, buildCollisionSurface(model), states[i], friction),
    );
    // bodies of cells look after their own skin
    const byTets = this.#settings.selfContact && bodies.every(({ model }) => model.kind === 'flesh');
    this.#finder = new ContactFinder(surfaces, byTets);
    this.#measured = new MeasuredContacts(this, this.#finder, surfaces, this.reports, true);
    return states;
  }

  reset(): void {
    for (const part of this.parts) part.reset();
    this.contactMemory.forget();
  }

  hold(body: number, points: readonly HeldPoint[]): void {
    this.parts[body].hold(points);
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

  step(h: number, { isLastTry }: StepPart): Outcome {
    const { certificate, clock, gravity, bodies } = this.#site;
    clearReport(certificate);
    const began = clock();
    this.#findContacts(h);
    const found = clock();
    for (let i = 0; i < this.parts.length; i++) {
      const part = this.parts[i];
      clearReport(part.report);
      this.#aimContacts(i);
      const from = clock();
      if (!part.step(h, gravity)) {
        const advice = 'the step was not finite and was undone';
        this.fault = new TendonError('E_DIVERGED', `bodies/${bodies[i].name}`, this.stepCount, advice);
        return 'diverged';
      }
      part.report.ms.flesh = clock() - from;
      addReport(certificate, part.report);
    }
    this.#writeForces();
    this.obstacles.commit();
    this.#measured.measure(certificate, h, isLastTry);
    for (let i = 0; i < this.parts.length; i++) this.parts[i].addContacts(certificate);
    this.contactMemory.remember(this.contacts, this.contacts.force);
    certificate.ms.contact += found - began;
    return 'done';
  }

  /** Contacts of this step, each a spring on the bodies it touches. */
  #findContacts(h: number): void {
    const { contacts, parts } = this;
    contacts.clear();
    if (contacts.capacity > 0) this.#finder.find(this, h, contacts);
    this.contactMemory.recall(contacts);
    for (let i = 0; i < parts.length; i++) parts[i].listGrips();
    for (let c = 0; c < contacts.count; c++) {
      const [a, b] = [contacts.body[2 * c], contacts.body[2 * c + 1]];
      // springs give way by themselves: they pull to the surface itself, not to a place on the way out
      if (b < 0)
        contacts.offset[c] = Math.max(
          contacts.offset[c],
          this.#along(c, this.#place(c, 0, this.#other)) - contacts.gap[c],
        );
      this.#springs[2 * c] = this.#list(a, c, 0);
      // a body that touches itself has both sides in one energy, each against where the other one was
      this.#springs[2 * c + 1] = b < 0 ? -1 : this.#list(b, c, 1);
    }
  }

  #list(body: number, c: number, side: number): number {
    const { contacts } = this;
    const { vertices, weights, normal } = contacts;
    const { springs, contactStiffness } = this.parts[body];
    const spring = springs.list(vertices, weights, (2 * c + side) * CONTACT_VERTICES, CONTACT_VERTICES);
    if (spring < 0) return -1;
    const sign = side === 0 ? 1 : -1;
    for (let k = 0; k < 3; k++) springs.normals[3 * spring + k] = sign * normal[3 * c + k];
    springs.stiffness[spring] = contactStiffness;
    springs.hold[spring] = contacts.friction[c] * this.#pushBefore(c);
    return spring;
  }

  /** What a contact pushed with in the step before [N]. */
  #pushBefore(c: number): number {
    const { force, normal } = this.contacts;
    return Math.max(
      0,
      force[3 * c] * normal[3 * c] + force[3 * c + 1] * normal[3 * c + 1] + force[3 * c + 2] * normal[3 * c + 2],
    );
  }

  /**
   * Lays the planes of a body's contacts: n·x of its own side must be at least what the other side leaves it. Friction pulls to where the
   * contact would stick, less what it takes to pull as it did in the step before: what sticks does not creep.
   */
  #aimContacts(body: number): void {
    const { contacts } = this;
    for (let c = 0; c < contacts.count; c++) {
      for (let side = 0; side < 2; side++) {
        const spring = this.#springs[2 * c + side];
        if (contacts.body[2 * c + side] !== body || spring < 0) continue;
        const sign = side === 0 ? 1 : -1;
        const { springs } = this.parts[body];
        const other = this.#place(c, 1 - side, this.#other);
        springs.targets[3 * spring] = contacts.offset[c] + sign * this.#along(c, other);
        for (let k = 0; k < 3; k++) {
          const pulled = contacts.stuck[3 * c + k] + contacts.force[3 * c + k] / springs.stiffness[spring];
          springs.anchors[3 * spring + k] = other[k] + sign * pulled;
        }
      }
    }
  }

  /** Where a side of a contact is, its body being where it is now; the origin for obstacles. */
  #place(c: number, side: number, out: Float64Array): Float64Array {
    const { contacts } = this;
    const body = contacts.body[2 * c + side];
    out.fill(0);
    if (body < 0) return out;
    const { positions } = this.parts[body].state;
    for (let n = (2 * c + side) * CONTACT_VERTICES; n < (2 * c + side + 1) * CONTACT_VERTICES; n++) {
      for (let k = 0; k < 3; k++) out[k] += contacts.weights[n] * positions[3 * contacts.vertices[n] + k];
    }
    return out;
  }

  #along(c: number, place: Float64Array): number {
    const { normal } = this.contacts;
    return normal[3 * c] * place[0] + normal[3 * c + 1] * place[1] + normal[3 * c + 2] * place[2];
  }

  /** What the springs of the first sides push and hold with. */
  #writeForces(): void {
    const { contacts } = this;
    for (let c = 0; c < contacts.count; c++) {
      const spring = this.#springs[2 * c];
      const { springs } = this.parts[contacts.body[2 * c]];
      this.#force.fill(0);
      if (spring >= 0) springs.pull(spring, this.#place(c, 0, this.#other), this.#force);
      for (let k = 0; k < 3; k++) contacts.force[3 * c + k] = -this.#force[k];
    }
  }
}
