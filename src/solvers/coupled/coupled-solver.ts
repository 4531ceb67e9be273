/**
 * The coupled solver behind the world's contract: hands bodies and obstacles to the core, steps it, and writes back what moved. The core's
 * arrays are the state; those of the bodies follow from them.
 */
import type { Model } from '../../body/model.js';
import { type BodyState, type PlannedVertices, planState, planVertices, type StateArray } from '../../body/state.js';
import type { StateKeeper } from '../../body/state-backup.js';
import { ContactBuffer } from '../../collision/contact-buffer.js';
import { TendonError } from '../../errors.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { HeldPoint, Outcome, Solver, SolverSite } from '../solver.js';
import { clearReport, createReport, type StepReport } from '../step-report.js';
import { BodyWriter } from './body-writer.js';
import { ContactKeeper } from './contacts/contact-keeper.js';
import { ContactPublisher } from './contacts/publish-contacts.js';
import type { StartKernels } from './core-kernels.js';
import { CoupledCore } from './coupled-core.js';
import { ForceKeeper } from './force-keeper.js';
import { type CoupledState, Motors } from './motors.js';
import { COUPLED_STAGES, type CoupledOptions } from './options.js';
import { pullHeld } from './pull-held.js';
import { PoseKernel } from './rigid/pose-kernel.js';
import { RigidState } from './rigid/rigid-state.js';
import { placeAttached } from './soft/attachments.js';
import type { SoftModel } from './soft/soft-model.js';
import { ContactReports, Momentum, measureStep } from './step-measure.js';
import { keptBodies } from './volume/kept-bodies.js';
import { type BodyMap, mapBodies } from './world-bodies.js';

/** Steps the bodies of a world together. */
export class CoupledSolver implements Solver {
  readonly contacts: ContactBuffer;
  readonly reports: readonly StepReport[];
  readonly jointMultipliers: readonly Float64Array[];
  fault: TendonError | undefined;
  readonly #site: SolverSite;
  readonly #options: CoupledOptions;
  readonly #planned: readonly ((kernels: KernelTable) => CoupledState)[];
  readonly #shared = new Map<Model, SoftModel>();
  readonly #held: (readonly HeldPoint[])[];
  readonly #momentum = new Momentum();
  /** Of bodies contacts alone are told; all else stays as it was made. */
  readonly #told: ContactReports;
  #states: readonly CoupledState[] = [];
  readonly #map: BodyMap;
  readonly #core: CoupledCore;
  readonly #startKernels: StartKernels;
  readonly #poses: PoseKernel;
  #writer!: BodyWriter;
  #publisher!: ContactPublisher;
  #motors!: Motors;
  #keeper!: ContactKeeper;

  constructor(site: SolverSite, plan: MemoryPlan, options: CoupledOptions) {
    this.#site = site;
    this.#options = options;
    this.reports = site.bodies.map(() => createReport(COUPLED_STAGES));
    this.#told = new ContactReports(this.reports);
    this.jointMultipliers = site.bodies.map(({ model: { joints } }) => new Float64Array(joints.rowStart[joints.count]));
    this.#held = site.bodies.map(() => []);
    this.#map = mapBodies(site, this.#shared);
    const { softOf } = this.#map;
    const vertices = site.bodies.map(({ model }) => planVertices(plan, model));
    this.#planned = site.bodies.map(({ model }, i) => planCoupledState(plan, model, vertices[i], softOf[i] < 0));
    const incompressible = keptBodies(options.incompressible, site.bodies, softOf);
    this.#core = new CoupledCore({ ...this.#map.scene, incompressible }, options, site.clock);
    this.#startKernels = this.#core.plan(plan);
    this.#poses = new PoseKernel(plan, this.#core.rigid, this.#map);
    const room = this.#core.contacts.capacity;
    this.contacts = new ContactBuffer(
      room,
      site.bodies.map(() => room),
    );
    for (const model of this.#shared.values()) model.prepare(site.dt / options.substeps);
  }

  /** Everything that goes on from step to step beside the bodies' own arrays. */
  get warmStart(): readonly StateArray[] {
    return this.#core.arrays;
  }

  get keepers(): readonly StateKeeper[] {
    return [this.#keeper];
  }

  start(kernels: KernelTable, threads: ThreadPool): readonly BodyState[] {
    this.#startKernels(kernels, threads);
    this.#keeper = new ContactKeeper(this.#core.contacts, this.#core.sides);
    this.#states = this.#planned.map((make) => make(kernels));
    this.#poses.start(threads, this.#states);
    this.#writer = new BodyWriter(this.#site, this.#core, this.#map, this.#states, this.#poses);
    this.#publisher = new ContactPublisher(this.#site, this.#core, this.#map, this.#states);
    this.#motors = new Motors(this.#site, this.#core, this.#map, this.#states);
    return this.#states;
  }

  reset(): void {
    this.#writer.readAll();
    this.#motors.reset();
    placeAttached(this.#map.attached, this.#core);
    this.#core.moved();
    this.#keeper.written();
    this.contacts.clear();
    this.fault = undefined;
  }

  restored(): void {
    for (const { keeper } of this.#states) keeper?.written();
    this.#keeper.written();
  }

  interrupted(): void {
    // they would be taken for bodies that others move
    this.#core.rigid.thaw();
  }

  hold(body: number, points: readonly HeldPoint[]): void {
    this.#held[body] = points;
  }

  step(h: number): Outcome {
    const { clock, certificate, obstacles } = this.#site;
    const began = clock();
    clearReport(certificate);
    this.#core.gravity.set(this.#site.gravity);
    this.#writer.readDriven(h);
    this.#motors.read();
    pullHeld(this.#held, this.#states, this.#site, this.#writer, h / this.#options.substeps);
    this.#writer.noteAsleep();
    this.#core.ready(h);
    this.#momentum.before(this.#core);
    this.#core.balance.begin();
    this.#core.advance(h);
    this.#momentum.after(this.#core);
    certificate.angularDrift = this.#core.balance.end();
    if (!this.#core.isFinite()) {
      const advice = 'the step was not finite and was undone';
      this.fault = new TendonError('E_DIVERGED', 'solver/coupled', this.#site.stepCount, advice);
      return 'diverged';
    }
    const solved = clock();
    this.#writer.writeAll(h);
    this.#motors.write(h / this.#options.substeps);
    this.#publisher.publish(this.contacts, h / this.#options.substeps);
    obstacles.commit();
    measureStep(this.#core, this.#map, certificate, this.#told, this.#momentum);
    certificate.ms.contact = this.#core.searchTime;
    certificate.ms.solve = solved - began - this.#core.searchTime;
    certificate.ms.write = clock() - solved;
    return 'done';
  }
}

/** Plans the state of one body: what all have, and motors. */
function planCoupledState(
  plan: MemoryPlan,
  model: Model,
  vertices: PlannedVertices,
  isRigid: boolean,
): (kernels: KernelTable) => CoupledState {
  const makeCommon = planState(plan, model, vertices);
  const motors = plan.f64(model.joints.motors.length);
  const jointTorques = plan.f64(model.joints.count * 6);
  return (kernels) => {
    const made = makeCommon();
    const own = { motors: motors.view, jointTorques: jointTorques.view };
    if (isRigid) return new RigidState(model, made, own, new ForceKeeper(made.forces, kernels));
    return { ...made, ...own, keeper: undefined, arrays: [...made.arrays, own.motors, own.jointTorques] };
  };
}
