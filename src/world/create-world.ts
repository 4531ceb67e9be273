/** Building worlds from scenes, starting them anew, and ending them. */

import type { Vec3 } from '../body/body-def.js';
import { type AnyBodyDef, buildAnyModel, kindOfBody } from '../body/kinds/any-body-def.js';
import type { BodyKind, Model } from '../body/model.js';
import { type Placement, resetState } from '../body/state.js';
import { StateBackup } from '../body/state-backup.js';
import { ObstacleSet } from '../collision/obstacles/obstacle.js';
import { DEFAULT_DT, MAX_DT } from '../constants.js';
import {
  requireFinite,
  requireGiven,
  requireInRange,
  requireList,
  requireNumbers,
  requireType,
  TendonError,
} from '../errors.js';
import { compileKernels } from '../kernels/load-kernels.js';
import { DEFAULT_MEMORY_LIMIT, MemoryPlan } from '../kernels/memory.js';
import { canShareMemory, canWait, ThreadPool } from '../kernels/thread-pool.js';
import type { AnySceneDef, PlacementDef } from '../scene/scene-def.js';
import type { SolverKind } from '../solvers/solver.js';
import { DEFAULT_SOLVER, findSolverKind } from '../solvers/solver-table.js';
import { createReport } from '../solvers/step-report.js';
import { type Drive, makeDrives } from './drives.js';
import { readAttachments } from './given/attachments.js';
import { readSettings, requireTypes } from './given/solver-settings.js';
import { releaseGrabs } from './grab.js';
import { hashEquations } from './layout-hash.js';
import { insideOf, type World, type WorldBody, type WorldInside, type WorldOptions } from './world.js';

/** Friction of bodies against each other where none is given. */
const DEFAULT_FRICTION = 0.5;

/**
 * Builds a world from a scene. Throws a TendonError that names what is wrong, and has then built nothing.
 *
 * @example
 * const world = await createWorld(buildScene('bar'), { iterations: 20, threads: 2 });
 */
export async function createWorld(scene: AnySceneDef, options: WorldOptions = {}): Promise<World> {
  requireTypes(scene, options);
  const kind = findSolverKind(scene.solver?.kind ?? DEFAULT_SOLVER);
  const dt = requireInRange(options.dt ?? scene.dt ?? DEFAULT_DT, 1e-7, MAX_DT, 'options/dt');
  if (requireList(scene.bodies, 'scene/bodies').length === 0)
    throw new TendonError('E_EMPTY', 'scene/bodies', 0, 'a scene needs a body');
  const pull = scene.gravity ?? [0, -9.81, 0];
  requireNumbers(pull, 3, 'scene/gravity');
  const gravity = Float64Array.from(pull);
  const obstacles = new ObstacleSet(requireList(scene.obstacles ?? [], 'scene/obstacles'));
  const settings = readSettings(kind, scene, options);
  const bodies = describeBodies(scene, kind, settings);
  const bodySize = Math.max(...bodies.map(({ model }) => model.size));
  const memoryLimit = requireInRange(options.memoryLimit ?? DEFAULT_MEMORY_LIMIT, 0, 4294967296, 'options/memoryLimit');
  const plan = new MemoryPlan(memoryLimit);
  const threads = new ThreadPool(plan);
  const world = {
    name: scene.name,
    bodies,
    time: 0,
    stepCount: 0,
    gravity,
    dt,
    certificate: { ...createReport(kind.stages), bodySize, substeps: 1, slipped: [], stilled: false },
    fault: undefined,
    solverName: kind.name,
    options: settings,
    equations: hashEquations(kind.name, settings, gravity),
    threads,
    obstacles,
    obstaclesLater: options.obstaclesLater ?? false,
    clock: options.clock ?? (() => performance.now()),
    progress: options.progress,
  };
  const solver = kind.create(world, plan, settings);

  const wanted = requireInRange(options.threads ?? 1, 1, 64, 'options/threads');
  const sharedMemory = wanted > 1 && canShareMemory() && canWait();
  const module = await compileKernels(sharedMemory, options.kernels ?? {});
  const memory = plan.allocate({ shared: sharedMemory, limit: memoryLimit });
  const kernels = threads.start(module, memory);
  if (sharedMemory) await threads.startHelpers(wanted, module, memory);
  const states = solver.start(kernels, threads);
  bodies.forEach((body, i) => {
    Object.assign(body, { state: states[i], report: solver.reports[i], jointMultipliers: solver.jointMultipliers[i] });
    resetState(body.model, states[i], body.placement);
  });
  solver.reset();
  const arrays = [...states.flatMap((state) => state.arrays), ...solver.warmStart];
  const backup = new StateBackup(arrays, [...states.flatMap(({ keeper }) => keeper ?? []), ...(solver.keepers ?? [])]);
  const drives: Drive[] = [];
  const inside: WorldInside = Object.assign(world, { solver, contacts: solver.contacts, memory, backup, drives });
  // whoever asks for contacts gets those of now, also where the solver had left them until somebody does
  const contacts = () => {
    solver.contacts.fill();
    return solver.contacts;
  };
  Object.defineProperty(inside, 'contacts', { get: contacts, enumerable: true });
  drives.push(...makeDrives(inside, scene.drives ?? []));
  return inside;
}

/**
 * Puts every body back to its start and lets go of it; the next steps repeat the first ones bit for bit.
 *
 * @example
 * const start = hashWorld(world);
 * stepWorld(world);
 * resetWorld(world); // hashWorld(world) === start
 */
export function resetWorld(world: World): void {
  releaseGrabs(world);
  for (const body of world.bodies) resetState(body.model, body.state, body.placement);
  insideOf(world).solver.reset();
  world.obstacles.reset();
  world.time = 0;
  world.stepCount = 0;
  world.fault = undefined;
}

/** Ends the world's threads. */
export function disposeWorld(world: World): void {
  world.threads.stop();
}

/** The bodies of a scene, before there is a solver: their state and their reports come later. */
// biome-ignore lint/suspicious/noExplicitAny: only the solver's kind knows what its options are
function describeBodies(scene: AnySceneDef, kind: SolverKind<any>, settings: any): WorldBody[] {
  const models = new Map<AnyBodyDef, Model>();
  const bodies = scene.bodies.map((placed, index) => {
    const path = `scene/bodies/${index}`;
    const def = requireGiven(placed.body, `${path}/body`);
    const filling = kindOfBody(def);
    if (!kind.takes.includes(filling)) {
      const advice = `the ${kind.name} solver takes bodies of kind ${kind.takes.join(', ')}, not ${String(filling)}`;
      throw new TendonError('E_UNKNOWN', `${path}/body/kind`, filling, advice);
    }
    const build = kind.models?.[filling] ?? buildAnyModel;
    const model = models.get(def) ?? build(kind.adaptBody?.(def, settings) ?? def, `${path}/body`);
    models.set(def, model);
    const name = requireType(placed.name ?? def.name, 'string', placed.name ? `${path}/name` : `${path}/body/name`);
    const friction = requireInRange(placed.friction ?? DEFAULT_FRICTION, 0, 10, `${path}/friction`);
    const restitution = readRestitution(placed, kind, filling, `${path}/restitution`);
    const placement = checkPlacement(placed, model, path);
    return { name, index, def, model, placement, friction, restitution } as WorldBody;
  });
  return bodies.map((body, i) => Object.assign(body, { attachments: readAttachments(i, scene.bodies, bodies, kind) }));
}

// biome-ignore lint/suspicious/noExplicitAny: only the solver's kind knows what its options are
function readRestitution(placed: PlacementDef<AnyBodyDef>, kind: SolverKind<any>, filling: BodyKind, path: string) {
  const given = requireInRange(placed.restitution ?? 0, 0, 1, path);
  if (given === 0 || kind.bounces?.includes(filling)) return given;
  const advice = `the ${kind.name} solver has no restitution of bodies of kind ${filling}; obstacles may have one`;
  throw new TendonError('E_UNKNOWN', path, given, advice);
}

function checkPlacement(placed: PlacementDef<AnyBodyDef>, model: Model, path: string): Placement {
  const vector = (value: Vec3 | undefined, name: string) => {
    const given = value ?? [0, 0, 0];
    requireNumbers(given, 3, `${path}/${name}`);
    return given;
  };
  const rotation = placed.rotation ?? [0, 0, 0, 1];
  requireNumbers(rotation, 4, `${path}/rotation`);
  const length = Math.sqrt(rotation.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 1e-6)) throw new TendonError('E_RANGE', `${path}/rotation`, length, 'a quaternion needs a length');
  return {
    rotation: rotation.map((value) => value / length),
    position: vector(placed.position, 'position'),
    velocity: vector(placed.velocity, 'velocity'),
    angularVelocity: vector(placed.angularVelocity, 'angularVelocity'),
    startPositions: mapPositions(placed.startPositions, model, `${path}/startPositions`),
  };
}

/** Start positions by vertex of the model, from those by vertex of the description. */
function mapPositions(given: ArrayLike<number> | undefined, model: Model, path: string): Float64Array | undefined {
  if (given === undefined || given === null) return undefined;
  const { vertexMap, vertexCount } = model;
  requireFinite(given, path);
  if (given.length !== vertexMap.length * 3) {
    const advice = `three numbers per vertex of the body: ${vertexMap.length * 3}`;
    throw new TendonError('E_RANGE', path, given.length, advice);
  }
  const mapped = new Float64Array(vertexCount * 3);
  for (let source = vertexMap.length - 1; source >= 0; source--) {
    for (let k = 0; vertexMap[source] >= 0 && k < 3; k++) mapped[vertexMap[source] * 3 + k] = given[source * 3 + k];
  }
  return mapped;
}
