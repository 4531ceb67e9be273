/** The projective solver as a kind that scenes can name: its options, the bodies it takes, and how its parts come together. */

import type { BodyDef } from '../../body/body-def.js';
import { isFlesh } from '../../body/kinds/any-body-def.js';
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import { buildCollisionSurface, type CollisionSurface } from '../../collision/surface/collision-surface.js';
import { DEFAULT_ITERATIONS, MANY_SIDES, SIDES_PER_VERTEX } from '../../constants.js';
import type { ContactOptions } from '../../contact/options.js';
import { SideList } from '../../contact/side-list.js';
import { requireInRange, requireType, TendonError } from '../../errors.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { SidePart } from '../body-solver.js';
import { SideBySide } from '../side-by-side.js';
import type { GivenOptions, SceneFacts, SolverKind, SolverSite } from '../solver.js';
import type { ContactsOfStep } from '../step-slopes.js';
import { ProjectiveTape } from './adjoint/projective-tape.js';
import { withShapeBones, withStiffBones } from './compare/imitate-bones.js';
import { type BoneMethod, PROJECTIVE_DEFAULTS, PROJECTIVE_STAGES, type ProjectiveOptions } from './options.js';
import { ContactCompliance } from './outside/contact-compliance.js';
import { ContactResponse } from './outside/contact-response.js';
import { FleshAndBones } from './outside/flesh-and-bones.js';
import { InnerColumns } from './outside/inner-columns.js';
import { SideRows } from './outside/side-rows.js';
import { UnitPushes } from './outside/unit-pushes.js';
import { ProjectiveSolver } from './projective-solver.js';
import { type ProjectiveState, planProjectiveState, resetProjectiveState } from './projective-state.js';
import { RegionResponse } from './regions/region-response.js';

/** All options of projective worlds. */
export type ProjectiveSettings = ProjectiveOptions & ContactOptions;

const BONE_METHODS: readonly BoneMethod[] = ['exact', 'published', 'stiff', 'shape'];
const CONTACT_METHODS: readonly ContactOptions['contact'][] = ['implicit', 'penalty', 'none'];
const INTEGRATORS: readonly ProjectiveOptions['integrator'][] = ['backwardEuler', 'bdf2'];

export const PROJECTIVE: SolverKind<ProjectiveSettings> = {
  name: 'projective',
  takes: ['flesh', 'rigid'],
  stages: PROJECTIVE_STAGES,
  options: [...Object.keys(PROJECTIVE_DEFAULTS), 'contact', 'selfContact'],
  readOptions,
  adaptBody: (def, { bones }) => {
    // what has no flesh has nothing to imitate bones by
    if (!isFlesh(def)) return def;
    if (bones === 'shape') return withShapeBones(def).body;
    return bones === 'stiff' ? withStiffBones(def) : def;
  },
  create: (site, plan, options) => new SideBySide(site, plan, planParts(site, plan, options), options),
};

/** What bodies of one model share. */
interface SharedParts {
  readonly surface: CollisionSurface;
  readonly shapes: readonly Int32Array[] | undefined;
  /** The first body's: its factorisation serves all. */
  solver: ProjectiveSolver | undefined;
  columns: { readonly compliance: ContactCompliance; readonly inner: InnerColumns } | undefined;
}

function planParts(site: SolverSite, plan: MemoryPlan, options: ProjectiveSettings): SidePart[] {
  const { bodies, obstacles } = site;
  const crowded = obstacles.count > 0 || bodies.length > 1;
  const touching = options.contact === 'implicit' && (crowded || options.selfContact || site.obstaclesLater);
  const shared = new Map<Model, SharedParts>();
  return bodies.map(({ def, model }) => {
    const parts = shared.get(model) ?? {
      surface: buildCollisionSurface(model),
      shapes: options.bones === 'shape' && isFlesh(def) ? shapesOf(def, model) : undefined,
      solver: undefined,
      columns: undefined,
    };
    shared.set(model, parts);
    const solver = new ProjectiveSolver(plan, model, options, site, parts.shapes, parts.solver);
    parts.solver ??= solver;
    const sides = makeSides(plan, model, parts, solver, touching);
    const planned = planProjectiveState(plan, model, solver.rows.quatCount);
    const reset = (state: BodyState) => resetProjectiveState(model, state);
    // the contacts' columns, and flesh that was made another material for some iterations
    const interrupted = () => {
      solver.matrix.forget();
      solver.rows.tets.start();
    };
    const tape = (state: BodyState, touching: ContactsOfStep, body: number) =>
      new ProjectiveTape(model, solver, state as ProjectiveState, touching, body);
    return { solver, sides, surface: parts.surface, planned, reset, interrupted, tape };
  });
}

/** The contact sides of a body, none where nothing can touch; prepares its solver for them. */
function makeSides(
  plan: MemoryPlan,
  model: Model,
  parts: SharedParts,
  solver: ProjectiveSolver,
  touching: boolean,
): SideList {
  if (!touching) return new SideList(plan, 0);
  const { surface } = parts;
  parts.columns ??= makeColumns(model, surface, solver);
  const { compliance, inner } = parts.columns;
  const capacity = roomFor(surface.vertices.length);
  const { rows, matrix } = solver;
  const [bones, turning] = [model.bones.count, matrix.regions.count];
  const response = new FleshAndBones(plan, capacity, model.bones, turning, compliance.regionCount, !solver.isRigid);
  const sides = new SideList(plan, capacity, response);
  const sideRows = new SideRows(compliance, inner, response.flesh, surface, capacity);
  const withRegions = new RegionResponse(plan, bones, turning);
  solver.contacts = new ContactResponse(sides, response, model, rows, matrix.solve, sideRows, withRegions);
  return sides;
}

/** Contact sides that a surface of so many vertices has room for: three each, within reason. */
function roomFor(vertices: number): number {
  const many = Math.min(2 * MANY_SIDES, Math.ceil(SIDES_PER_VERTEX * vertices));
  return Math.min(3 * vertices, Math.max(MANY_SIDES, many));
}

/** How the vertices of a model that can touch move each other. */
function makeColumns(model: Model, surface: CollisionSurface, { rows, matrix }: ProjectiveSolver) {
  const pushes = new UnitPushes(model, rows, matrix.solve);
  const compliance = new ContactCompliance(model, pushes, surface.vertices);
  return { compliance, inner: new InnerColumns(model, pushes, surface, compliance.regions) };
}

/** Flesh vertices that imitate each bone. */
function shapesOf(def: BodyDef, { vertexMap, pinned }: Model): Int32Array[] {
  return withShapeBones(def).shapes.map((vertices) =>
    Int32Array.from(vertices, (v) => vertexMap[v]).filter((v) => v >= 0 && !pinned[v]),
  );
}

function readOptions(given: GivenOptions, scene: SceneFacts): ProjectiveSettings {
  const crowded = scene.obstacleCount > 0 || scene.bodyCount > 1;
  const wanted = given as Partial<ProjectiveSettings>;
  const settings: ProjectiveSettings = {
    iterations: wanted.iterations ?? DEFAULT_ITERATIONS,
    tolerance: wanted.tolerance ?? PROJECTIVE_DEFAULTS.tolerance,
    accelerated: wanted.accelerated ?? PROJECTIVE_DEFAULTS.accelerated,
    turningRegions: wanted.turningRegions ?? PROJECTIVE_DEFAULTS.turningRegions,
    smoothed: wanted.smoothed ?? PROJECTIVE_DEFAULTS.smoothed,
    bones: wanted.bones ?? PROJECTIVE_DEFAULTS.bones,
    integrator: wanted.integrator ?? PROJECTIVE_DEFAULTS.integrator,
    damping: wanted.damping ?? PROJECTIVE_DEFAULTS.damping,
    contact: wanted.contact ?? (wanted.bones === 'published' ? 'penalty' : 'implicit'),
    selfContact: wanted.selfContact ?? crowded,
  };
  requireInRange(settings.iterations, 0, 10_000, 'options/iterations');
  if (!Number.isInteger(settings.iterations)) {
    throw new TendonError('E_RANGE', 'options/iterations', settings.iterations, 'iterations are whole');
  }
  requireInRange(settings.damping, 0, 1e6, 'options/damping');
  requireInRange(settings.tolerance, 0, 1, 'options/tolerance');
  for (const name of ['accelerated', 'smoothed', 'selfContact'] as const) {
    requireType(settings[name], 'boolean', `options/${name}`);
  }
  requireOneOf([true, false, 'auto'], settings.turningRegions, 'options/turningRegions');
  requireOneOf(BONE_METHODS, settings.bones, 'options/bones');
  requireOneOf(CONTACT_METHODS, settings.contact, 'options/contact');
  requireOneOf(INTEGRATORS, settings.integrator, 'options/integrator');
  if (settings.bones === 'published' && settings.contact === 'implicit') {
    const advice = "the published projection goes with the published contact: use 'penalty', or other bones";
    throw new TendonError('E_RANGE', 'options/contact', settings.contact, advice);
  }
  return settings;
}

function requireOneOf<T extends string | boolean>(known: readonly T[], value: T, path: string): void {
  if (!known.includes(value)) throw new TendonError('E_UNKNOWN', path, value, `use ${known.join(', ')}`);
}
