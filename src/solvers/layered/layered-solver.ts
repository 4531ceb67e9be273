/** The layered solver behind the world's contract: states in the world's memory, contacts and certificates for whoever reads them. */
import type { BodyState, StateArray } from '../../body/state.js';
import { ContactBuffer } from '../../collision/contact-buffer.js';
import { TendonError } from '../../errors.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { HeldPoint, Outcome, Solver, SolverSite, StepPart } from '../solver.js';
import { addReport, clearReport, createReport, type StepReport } from '../step-report.js';
import { motorError } from './joints/joint-motors.js';
import { readReactions } from './joints/joint-reactions.js';
import { LayerKernels } from './layer-kernels.js';
import { LayeredCore } from './layered-core.js';
import type { LayeredModel } from './layered-model.js';
import { type LayeredPart, planLayeredPart } from './layered-state.js';
import { addContacts, MotionReport, readBoneRates, writeBoneRates } from './motion-report.js';
import type { LayeredOptions } from './options.js';
import { LAYERED_STAGES } from './stages.js';
import { fillContacts } from './touch/report-contacts.js';

/** Steps all layered bodies of a world. */
export class LayeredSolver implements Solver {
  readonly contacts: ContactBuffer;
  readonly reports: readonly StepReport[];
  readonly jointMultipliers: readonly Float64Array[];
  readonly warmStart: readonly StateArray[] = [];
  fault: TendonError | undefined;
  readonly #site: SolverSite;
  readonly #options: LayeredOptions;
  readonly #planned: readonly (() => LayeredPart)[];
  readonly #kernels: LayerKernels;
  readonly #motion: MotionReport[] = [];
  #parts: readonly LayeredPart[] = [];
  #isBuilt = false;
  #core!: LayeredCore;

  constructor(site: SolverSite, plan: MemoryPlan, options: LayeredOptions) {
    this.#site = site;
    this.#options = options;
    const models = site.bodies.map(({ model }) => model as LayeredModel);
    this.#planned = models.map((model) => planLayeredPart(plan, model));
    this.#kernels = new LayerKernels(
      plan,
      models.map(({ layer }) => layer),
    );
    this.reports = models.map(() => createReport(LAYERED_STAGES));
    this.jointMultipliers = models.map(({ joints }) => new Float64Array(joints.rowStart[joints.count]));
    const room = models.map(({ layer }) => 4 * layer.clusters.nodes.length);
    this.contacts = new ContactBuffer(
      room.reduce((sum, most) => sum + most, 0),
      room,
    );
  }

  start(kernels: KernelTable, threads: ThreadPool): readonly BodyState[] {
    this.#parts = this.#planned.map((make) => make());
    const bodies = this.#parts.map(({ body }) => body);
    this.#kernels.start(kernels, threads, bodies);
    this.#core = new LayeredCore(bodies, this.#site.obstacles, this.#options, this.#kernels);
    this.#site.bodies.forEach(({ friction }, b) => {
      this.#core.friction[b] = friction;
      this.#motion.push(new MotionReport(bodies[b]));
    });
    return this.#parts.map(({ state }) => state);
  }

  reset(): void {
    for (const { state, body, watch } of this.#parts) {
      const own = body.state;
      readBoneRates(state.boneRates, own);
      own.dents.fill(0);
      own.pulls.fill(0);
      own.touch.fill(0);
      own.motors.set(body.model.joints.motors);
      own.jointTorques.fill(0);
      own.wobble.fill(0);
      own.earlierTargets.set(own.targets);
      body.refresh();
      watch.keep();
      // while a world is built it clears the forces of its bodies; who asks for them from then on may write them
      if (!this.#isBuilt) body.mayBePushed = false;
    }
    this.#isBuilt = true;
  }

  restored(): void {
    for (const { body } of this.#parts) body.mayBePushed ||= body.forces?.some((force) => force !== 0) === true;
  }

  hold(body: number, points: readonly HeldPoint[]): void {
    this.#parts[body].body.grips = points;
  }

  step(h: number, { isLastTry }: StepPart): Outcome {
    const { certificate, clock, gravity, obstacles } = this.#site;
    const core = this.#core;
    core.obstacles = obstacles;
    clearReport(certificate);
    const began = clock();
    for (let b = 0; b < this.#parts.length; b++) this.#begin(b);
    if (!core.moveFreely(gravity, h)) return this.#fail('its bones cannot be solved for');
    if (!isLastTry && core.hasJumped()) return 'drivenIn';
    const free = clock();
    core.findTouches(h);
    const found = clock();
    core.solveTouches(h);
    if (!core.boundMotors(gravity, h)) return this.#fail('its bones cannot be solved for');
    const solved = clock();
    if (!core.finish(h)) return this.#fail('its velocities are not finite');
    core.measureGaps();
    obstacles.commit();
    fillContacts(core.touches, this.contacts, h);
    this.#report(h);
    certificate.ms.free = free - began;
    certificate.ms.detection = found - free;
    certificate.ms.contact = solved - found;
    certificate.ms.finish = clock() - solved;
    return 'done';
  }

  /** Lists that follow from the state are made anew where it was written by others. */
  #begin(b: number): void {
    const { body, watch } = this.#parts[b];
    if (!watch.isKept()) body.refresh();
    watch.forget();
    this.#motion[b].begin();
  }

  #report(h: number): void {
    const { certificate, gravity } = this.#site;
    for (let b = 0; b < this.#parts.length; b++) clearReport(this.reports[b]);
    addContacts(this.#core.touches, this.#motion, this.reports);
    for (let b = 0; b < this.#parts.length; b++) {
      const { body, state, watch } = this.#parts[b];
      const report = this.reports[b];
      report.iterations = this.#core.solver.sweepsTaken;
      report.residual = this.#core.solver.residual;
      report.limitExcess = body.limits.excess;
      report.dent = body.dentShare;
      report.trackingError = motorError(body);
      readReactions(body, h, this.jointMultipliers[b]);
      this.#motion[b].fill(report, gravity, h);
      writeBoneRates(body.state, state.boneRates);
      state.clock[0]++;
      state.clock[1] = h;
      watch.keep();
      addReport(certificate, report);
      certificate.penetration = Math.max(certificate.penetration, report.penetration);
    }
    certificate.contacts = this.contacts.count;
  }

  #fail(why: string): Outcome {
    const failed = this.#core.failed;
    const name = this.#site.bodies[failed]?.name ?? failed;
    this.fault = new TendonError('E_DIVERGED', `bodies/${name}`, why, 'the step is not finite');
    return 'diverged';
  }
}
