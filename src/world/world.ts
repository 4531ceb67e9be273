/** What a world is: bodies of models, their states in one memory, a solver per model, and the last step's certificate. */

import type { BodyDef, Vec3 } from '../body/body-def.js';
import { buildModel, type Model } from '../body/model.js';
import { type BodyState, type Placement, planState, resetState } from '../body/state.js';
import { StateBackup } from '../body/state-backup.js';
import { ContactBuffer } from '../collision/contact-buffer.js';
import { PenetrationFinder } from '../collision/depth/penetration-finder.js';
import { ObstacleSet } from '../collision/obstacles/obstacle.js';
import { type ContactDetection, ContactFinder } from '../collision/search/contact-finder.js';
import { buildCollisionSurface, type CollisionSurface } from '../collision/surface/collision-surface.js';
import { SurfaceMotion } from '../collision/surface/surface-motion.js';
import { CONTACT_MARGIN, DEFAULT_DT, DEFAULT_ITERATIONS, MAX_DT, MAX_PENALTY_SIDES, MAX_SIDES } from '../constants.js';
import { ContactMemory } from '../contact/contact-memory.js';
import { ContactSolver } from '../contact/contact-solver.js';
import type { ContactOptions } from '../contact/options.js';
import { PenaltyForces } from '../contact/penalty.js';
import { SideList } from '../contact/side-list.js';
import { requireFinite, requireInRange, TendonError } from '../errors.js';
import { compileKernels, type KernelOptions } from '../kernels/load-kernels.js';
import { MemoryPlan } from '../kernels/memory.js';
import { canShareMemory, canWait, ThreadPool } from '../kernels/thread-pool.js';
import type { PlacementDef, SceneDef } from '../scene/scene-def.js';
import { withShapeBones, withStiffBones } from '../solvers/projective/compare/imitate-bones.js';
import { ContactCompliance } from '../solvers/projective/contact-compliance.js';
import { type BoneMethod, PROJECTIVE_DEFAULTS, type ProjectiveOptions } from '../solvers/projective/options.js';
import { ProjectiveSolver } from '../solvers/projective/projective-solver.js';
import { type Clock, createReport, type StepReport } from '../solvers/solver.js';
import { releaseGrabs } from './grab.js';

/** How a world is built and stepped. */
export interface WorldOptions extends Partial<ProjectiveOptions>, Partial<ContactOptions> {
  /** Time step the solvers are prepared for [s]; default the scene's. Another one works too, after a pause. */
  readonly dt?: number;
  /** Threads, the caller's included; default 1. Fewer where memory cannot be shared. The bits do not change. */
  readonly threads?: number;
  /**
   * Make room for contacts with obstacles that `addObstacle` brings later, in a world that starts with nothing to touch;
   * default false. Costs memory, no time. Whether bodies touch themselves is `selfContact`'s to say.
   */
  readonly obstaclesLater?: boolean;
  /** Most memory the world may take [bytes]; default 1 GiB. */
  readonly memoryLimit?: number;
  /** Where the kernels come from; default: embedded. */
  readonly kernels?: KernelOptions;
  /** Milliseconds, for the report only; default performance.now. */
  readonly clock?: Clock;
}

/** A body in a world. */
export interface WorldBody {
  readonly name: string;
  readonly model: Model;
  readonly state: BodyState;
  readonly solver: ProjectiveSolver;
  /** What the last step said of this body. */
  readonly report: StepReport;
  /** Multiplier of each joint row in the last step [N]; the force on the first bone is its negative. */
  readonly jointMultipliers: Float64Array;
  readonly placement: Placement;
  /** What of the body can touch, and how it moves. */
  readonly surface: SurfaceMotion;
}

/** How exact the last step was, over all bodies. */
export interface Certificate extends StepReport {
  /** Size of the largest body [m], to compare gaps with. */
  readonly bodySize: number;
  /** Shorter steps the last one was made of: 1 unless a whole one was not finite or drove bodies into each other. */
  substeps: number;
}

/** A world: everything `stepWorld` needs. */
export interface World {
  readonly name: string;
  readonly bodies: readonly WorldBody[];
  /** Time since the start [s]. */
  time: number;
  /** Steps taken since the start. */
  stepCount: number;
  /** Gravitational acceleration [m/s²]. */
  readonly gravity: Float64Array;
  /** Time step the scene is meant for [s]. */
  readonly dt: number;
  readonly certificate: Certificate;
  /** Set when the last step was not finite and the state was left as it was before. */
  fault: TendonError | undefined;
  readonly options: ProjectiveOptions & ContactOptions;
  readonly threads: ThreadPool;
  /** What bodies cannot enter; another set after each `addObstacle` and `removeObstacle`. */
  obstacles: ObstacleSet;
  /** Contacts of the last step, in all bodies. */
  readonly contacts: ContactBuffer;
  readonly contactFinder: ContactDetection;
  readonly contactSolver: ContactSolver;
  readonly contactMemory: ContactMemory;
  /** Explicit contact forces, for `contact: 'penalty'`. */
  readonly penalty: PenaltyForces | undefined;
  /** Where each body was before the step, so that a failed step can be undone. */
  readonly backups: readonly StateBackup[];
  readonly memory: WebAssembly.Memory;
  /** Milliseconds, for reports only. */
  readonly clock: Clock;
}

/** Builds a world from a scene. Throws a TendonError that names what is wrong, and has then built nothing. */
export async function createWorld(scene: SceneDef, options: WorldOptions = {}): Promise<World> {
  const settings = checkSettings(scene, options);
  const dt = requireInRange(options.dt ?? scene.dt ?? DEFAULT_DT, 1e-7, MAX_DT, 'options/dt');
  const clock = options.clock ?? (() => performance.now());
  if (scene.bodies.length === 0) throw new TendonError('E_EMPTY', 'scene/bodies', 0, 'a scene needs a body');
  const gravity = Float64Array.from(scene.gravity ?? [0, -9.81, 0]);
  requireFinite(gravity, 'scene/gravity');

  const obstacles = new ObstacleSet(scene.obstacles ?? []);
  const crowded = obstacles.count > 0 || scene.bodies.length > 1;
  const touching =
    settings.contact === 'implicit' && (crowded || settings.selfContact || options.obstaclesLater === true);
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const shared = new Map<BodyDef, SharedParts>();
  const planned = scene.bodies.map((placed, i) => {
    const place = `scene/bodies/${i}`;
    const twin = shared.get(placed.body);
    const parts = twin ?? prepareModel(placed.body, `${place}/body`, settings);
    const solver = new ProjectiveSolver(plan, parts.model, settings, dt, clock, parts.shapes, twin?.solver);
    parts.solver ??= solver;
    shared.set(placed.body, parts);
    const placement = checkPlacement(placed, parts.model, place);
    const friction = requireInRange(placed.friction ?? DEFAULT_FRICTION, 0, 10, `${place}/friction`);
    const sides = makeSides(parts, solver, touching);
    const make = planState(plan, parts.model, solver.quatCount);
    return { ...parts, solver, sides, placement, friction, name: placed.name ?? placed.body.name, make };
  });

  const wanted = requireInRange(options.threads ?? 1, 1, 64, 'options/threads');
  const sharedMemory = wanted > 1 && canShareMemory() && canWait();
  const module = await compileKernels(sharedMemory, options.kernels);
  const memory = plan.allocate({ shared: sharedMemory, limit: options.memoryLimit });
  const kernels = threads.start(module, memory);
  if (sharedMemory) await threads.startHelpers(wanted, module, memory);
  for (const { solver } of planned) solver.start(kernels, threads);
  const bodies = planned.map(({ name, model, solver, placement, surface, friction, make }) => {
    const state = make();
    resetState(model, state, placement);
    const jointMultipliers = new Float64Array(model.joints.rowStart[model.joints.count]);
    const report = createReport();
    const motion = new SurfaceMotion(model, surface, state, friction);
    return { name, model, state, solver, placement, report, jointMultipliers, surface: motion };
  });
  const sides = planned.map((body) => body.sides);
  const penalty = settings.contact === 'penalty' ? new PenaltyForces(bodies) : undefined;
  const room = planned.map((body) => (penalty ? penaltyCapacity(body.model) : body.sides.capacity));
  const capacity = room.reduce((sum, most) => sum + most, 0);
  const contacts = new ContactBuffer(capacity, room);
  const bodySize = Math.max(...bodies.map((body) => body.model.size));
  return {
    name: scene.name,
    bodies,
    time: 0,
    stepCount: 0,
    gravity,
    dt,
    certificate: { ...createReport(), bodySize, substeps: 1 },
    fault: undefined,
    options: settings,
    threads,
    obstacles,
    contacts,
    contactFinder: new (penalty ? PenetrationFinder : ContactFinder)(
      bodies.map((body) => body.surface),
      settings.selfContact,
    ),
    // explicit forces are known before the step: nothing is left to solve for
    contactSolver: new ContactSolver(penalty ? new ContactBuffer(0, []) : contacts, sides, CONTACT_MARGIN * bodySize),
    contactMemory: new ContactMemory(capacity),
    penalty,
    backups: bodies.map(({ state }) => new StateBackup(state)),
    memory,
    clock,
  };
}

/** Friction of bodies against each other where none is given. */
const DEFAULT_FRICTION = 0.5;

/** What bodies of one definition share. */
interface SharedParts {
  readonly model: Model;
  readonly shapes: readonly Int32Array[] | undefined;
  readonly surface: CollisionSurface;
  /** The first body's: its factorisation serves all. */
  solver: ProjectiveSolver | undefined;
  compliance: ContactCompliance | undefined;
}

/** Most contact sides a body can have: three per vertex, within reason. */
function sideCapacity({ vertices }: CollisionSurface): number {
  return Math.min(MAX_SIDES, 3 * vertices.length);
}

/** The same for explicit forces, which inner vertices feel too. */
function penaltyCapacity({ vertexCount }: Model): number {
  return Math.min(MAX_PENALTY_SIDES, 3 * vertexCount);
}

/** The contact sides of a body, none where nothing can touch; prepares its solver for them. */
function makeSides(parts: SharedParts, solver: ProjectiveSolver, touching: boolean): SideList {
  if (!touching) return new SideList(0, 0, 0);
  const compliance = shareCompliance(parts, solver);
  const sides = new SideList(sideCapacity(parts.surface), parts.model.bones.count, compliance.regionCount);
  solver.enableContacts(sides, compliance, parts.surface.surfaceOf);
  return sides;
}

function shareCompliance(parts: SharedParts, { rows, matrix }: ProjectiveSolver): ContactCompliance {
  parts.compliance ??= new ContactCompliance(parts.model, rows, matrix.solve, parts.surface.vertices);
  return parts.compliance;
}

/** What is made of a body's definition; imitated bones become flesh here. */
function prepareModel(def: BodyDef, place: string, settings: ProjectiveOptions): SharedParts {
  const imitated = settings.bones === 'shape' ? withShapeBones(def) : undefined;
  const body = imitated?.body ?? (settings.bones === 'stiff' ? withStiffBones(def) : def);
  const model = buildModel(body, place);
  const shapes = imitated?.shapes.map((vertices) =>
    Int32Array.from(vertices, (v) => model.report.vertexMap[v]).filter((v) => v >= 0 && !model.pinned[v]),
  );
  return { model, shapes, surface: buildCollisionSurface(model), solver: undefined, compliance: undefined };
}

/** Puts every body back to its start and lets go of it; the next steps repeat the first ones bit for bit. */
export function resetWorld(world: World): void {
  releaseGrabs(world);
  for (const body of world.bodies) resetState(body.model, body.state, body.placement);
  world.obstacles.reset();
  world.contactMemory.forget();
  world.time = 0;
  world.stepCount = 0;
  world.fault = undefined;
}

/** Ends the world's threads. */
export function disposeWorld(world: World): void {
  world.threads.stop();
}

const BONE_METHODS: readonly BoneMethod[] = ['exact', 'printed', 'stiff', 'shape'];
const CONTACT_METHODS: readonly ContactOptions['contact'][] = ['implicit', 'penalty', 'none'];

function checkSettings(scene: SceneDef, options: WorldOptions): ProjectiveOptions & ContactOptions {
  const crowded = (scene.obstacles?.length ?? 0) > 0 || scene.bodies.length > 1;
  const settings: ProjectiveOptions & ContactOptions = {
    iterations: options.iterations ?? scene.iterations ?? DEFAULT_ITERATIONS,
    tolerance: options.tolerance ?? PROJECTIVE_DEFAULTS.tolerance,
    bones: options.bones ?? PROJECTIVE_DEFAULTS.bones,
    integrator: options.integrator ?? PROJECTIVE_DEFAULTS.integrator,
    damping: options.damping ?? PROJECTIVE_DEFAULTS.damping,
    contact: options.contact ?? scene.contact ?? (options.bones === 'printed' ? 'penalty' : 'implicit'),
    selfContact: options.selfContact ?? scene.selfContact ?? crowded,
  };
  requireInRange(settings.iterations, 0, 10_000, 'options/iterations');
  if (!Number.isInteger(settings.iterations)) {
    throw new TendonError('E_RANGE', 'options/iterations', settings.iterations, 'iterations are whole');
  }
  requireInRange(settings.damping, 0, 1e6, 'options/damping');
  requireInRange(settings.tolerance, 0, 1e12, 'options/tolerance');
  if (!BONE_METHODS.includes(settings.bones)) {
    throw new TendonError('E_UNKNOWN', 'options/bones', settings.bones, `use ${BONE_METHODS.join(', ')}`);
  }
  if (!CONTACT_METHODS.includes(settings.contact)) {
    throw new TendonError('E_UNKNOWN', 'options/contact', settings.contact, `use ${CONTACT_METHODS.join(', ')}`);
  }
  if (settings.bones === 'printed' && settings.contact === 'implicit') {
    const advice = "the published projection goes with the published contact: use 'penalty', or other bones";
    throw new TendonError('E_RANGE', 'options/contact', settings.contact, advice);
  }
  if (settings.integrator !== 'backwardEuler' && settings.integrator !== 'bdf2') {
    throw new TendonError('E_UNKNOWN', 'options/integrator', settings.integrator, 'use backwardEuler or bdf2');
  }
  return settings;
}

function checkPlacement(placed: PlacementDef, model: Model, place: string): Placement {
  const vector = (value: Vec3 | undefined, name: string) => {
    const given = value ?? [0, 0, 0];
    requireFinite(given, `${place}/${name}`);
    return given;
  };
  const rotation = placed.rotation ?? [0, 0, 0, 1];
  requireFinite(rotation, `${place}/rotation`);
  const length = Math.sqrt(rotation.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 1e-6)) throw new TendonError('E_RANGE', `${place}/rotation`, length, 'a quaternion needs a length');
  let startPositions: Float64Array | undefined;
  if (placed.startPositions) {
    const given = placed.startPositions;
    requireFinite(given, `${place}/startPositions`);
    if (given.length !== model.report.vertexMap.length * 3) {
      const advice = `three numbers per vertex of the body: ${model.report.vertexMap.length * 3}`;
      throw new TendonError('E_RANGE', `${place}/startPositions`, given.length, advice);
    }
    startPositions = new Float64Array(model.vertexCount * 3);
    model.report.vertexSource.forEach((source, v) => {
      startPositions!.set(given.subarray(source * 3, source * 3 + 3), v * 3);
    });
  }
  return {
    rotation: rotation.map((value) => value / length),
    position: vector(placed.position, 'position'),
    velocity: vector(placed.velocity, 'velocity'),
    angularVelocity: vector(placed.angularVelocity, 'angularVelocity'),
    startPositions,
  };
}
