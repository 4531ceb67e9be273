/** A scene with the panel's settings put in: what its bodies are made of, and what holds them once their bones are gone. */

import { type AnyBodyDef, isFlesh } from '../../src/body/kinds/any-body-def.js';
import { DEFAULT_ITERATIONS } from '../../src/constants.js';
import {
  type AnySceneDef,
  type BodyDef,
  type BoneMethod,
  type JointDef,
  MATERIALS,
  type WorldOptions,
} from '../../src/index.js';
import { PROJECTIVE_DEFAULTS } from '../../src/solvers/projective/options.js';
import { findSolverKind } from '../../src/solvers/solver-table.js';
import type { Settings } from './protocol.js';

/** The part of the settings that says what flesh is made of. */
export type MaterialSettings = Pick<Settings, 'young' | 'poisson' | 'model'>;

/** What a scene without flesh says its flesh is made of. */
const NO_FLESH: MaterialSettings = { young: MATERIALS.muscle.youngModulus, poisson: 0.4, model: 'corotated' };

/** What the first body of flesh of a scene is made of. */
export function usualMaterial(scene: AnySceneDef): MaterialSettings {
  const flesh = scene.bodies.map(({ body }) => body).find(isFlesh);
  if (!flesh) return NO_FLESH;
  const [first] = flesh.materials;
  return { young: first.youngModulus, poisson: first.poissonRatio, model: first.model };
}

/** What a scene runs with unless told otherwise. */
export function usualSettings(def: AnySceneDef): Settings {
  const { kind: _kind, ...own } = def.solver ?? { kind: 'projective' };
  return {
    ...PROJECTIVE_DEFAULTS,
    ...own,
    iterations: def.iterations ?? DEFAULT_ITERATIONS,
    gravity: def.gravity?.[1] ?? -9.81,
    compare: false,
    threads: 1,
    quality: 'auto',
    deform: false,
    strength: 0,
    blend: 1,
    limits: '',
    learned: '',
    ...usualMaterial(def),
  };
}

/** Settings of the panel that are options of solvers. */
const OF_SOLVERS = ['bones', 'compare', 'iterations', 'integrator', 'damping'] as const;

/** What was asked for of the panel's settings that the scene's solver knows: a link made with one scene and a setting of its solver opens every other. `idle`: settings that mean nothing to it. */
export function solverSettings({ solver }: AnySceneDef, wanted: Partial<Settings>) {
  const { iterations, integrator, damping, bones, compare = false } = wanted;
  const { options } = findSolverKind(solver?.kind ?? 'projective');
  const isKnown = (name: string) => options === undefined || options.includes(name === 'compare' ? 'bones' : name);
  const known = Object.entries({ iterations, integrator, damping, bones }).filter(([name]) => isKnown(name));
  const asked = Object.fromEntries(known) as Pick<WorldOptions, 'iterations' | 'integrator' | 'damping' | 'bones'>;
  return { asked, compares: compare && isKnown('compare'), idle: OF_SOLVERS.filter((name) => !isKnown(name)) };
}

/** The scene with other materials: moduli scaled as that of the first, Poisson ratio and energy the same for all. */
export function withMaterial(scene: AnySceneDef, wanted: Partial<MaterialSettings>): AnySceneDef {
  const usual = usualMaterial(scene);
  const { young = usual.young, poisson, model } = wanted;
  const scale = young / usual.young;
  const same = scale === 1 && (poisson ?? usual.poisson) === usual.poisson && (model ?? usual.model) === usual.model;
  if (same) return scene;
  return mapBodies(scene, (body) => ({
    ...body,
    materials: body.materials.map((one) => ({
      ...one,
      youngModulus: one.youngModulus * scale,
      poissonRatio: poisson ?? one.poissonRatio,
      model: model ?? one.model,
    })),
  }));
}

/** Bones that are imitated by flesh leave nothing that kinematic bones and joints with the world could hold: pins do. */
export function withHolds(scene: AnySceneDef, method: BoneMethod): AnySceneDef {
  if (method !== 'stiff' && method !== 'shape') return scene;
  return mapBodies(scene, (body) => ({ ...body, pins: [...Array.from(body.pins ?? []), ...heldVertices(body)] }));
}

function heldVertices(body: BodyDef): number[] {
  const bones = body.bones ?? [];
  const held = new Set(bones.flatMap(({ kinematic, vertices }) => (kinematic ? Array.from(vertices) : [])));
  for (const joint of body.joints ?? []) {
    if (joint.bones.length > 1) continue;
    const bone = bones.find(({ name }) => name === joint.bones[0]);
    if (bone) for (const vertex of nearAnchor(body, bone.vertices, joint)) held.add(vertex);
  }
  return [...held];
}

/** Vertices of a bone at a joint's anchor: one for a ball, more where turning is not free. */
function nearAnchor(body: BodyDef, vertices: ArrayLike<number>, { anchor, type }: JointDef): number[] {
  const away = (v: number) => [0, 1, 2].reduce((sum, k) => sum + (body.positions[v * 3 + k] - anchor[k]) ** 2, 0);
  const count = type === 'ball' || type === 'universal' ? 1 : 4;
  return Array.from(vertices)
    .sort((a, b) => away(a) - away(b))
    .slice(0, count);
}

/** Changes bodies of flesh; bodies that are one object stay one object: they share a factorisation. */
function mapBodies(scene: AnySceneDef, change: (body: BodyDef) => BodyDef): AnySceneDef {
  const changed = new Map<AnyBodyDef, AnyBodyDef>();
  for (const { body } of scene.bodies) if (!changed.has(body)) changed.set(body, isFlesh(body) ? change(body) : body);
  return { ...scene, bodies: scene.bodies.map((placed) => ({ ...placed, body: changed.get(placed.body)! })) };
}
