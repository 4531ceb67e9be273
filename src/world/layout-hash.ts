/**
 * What the numbers of a snapshot belong to. A snapshot is refused by a world whose bodies, obstacles or equations are others: the same
 * numbers would mean something else there. What may differ is how closely the equations are solved (iterations, tolerance, sweeps, acceleration, regions that turn,
 * threads, memory), how bodies rub and what loses energy (friction, restitution, damping), motors, which are state, drives, and names. Gravity and
 * integrator are those a world was made with: who changes them while it runs may still go back.
 */
import type { Model } from '../body/model.js';
import type { ObstacleDef } from '../collision/obstacles/obstacle.js';
import { Hash64 } from '../debug/hash64.js';
import { hashPlain } from '../debug/plain-hash.js';
import type { LayeredModel } from '../solvers/layered/layered-model.js';
import { insideOf, type World } from './world.js';

/** Options of solvers that say what is solved; where a solver has none of that name it counts as undefined. */
const EQUATIONS = ['integrator', 'smoothed', 'substeps', 'incompressible', 'mode', 'weight', 'kappa', 'volume'];

/** Models and descriptions of obstacles never change: each is looked at once. */
const known = new WeakMap<object, string>();

/** Fingerprint of what a world solves, to be taken when it is made. */
export function hashEquations(solver: string, options: object, gravity: Float64Array): string {
  const given = options as Record<string, unknown>;
  return hashPlain([solver, gravity, EQUATIONS.map((name) => [name, given[name] ?? 'none'])]);
}

/** Fingerprint of what decides how many numbers a state has and what they mean. */
export function hashLayout(world: World): string {
  const { solver, equations } = insideOf(world);
  const { obstacles } = world;
  const hash = new Hash64();
  const add = (text: string) => hash.add(Int32Array.from(text, (letter) => letter.charCodeAt(0)));
  add(equations);
  for (const { model, state } of world.bodies) {
    hash.add(Int32Array.from(state.arrays, (array) => array.length));
    add(remember(model, hashModel));
  }
  hash.add(Int32Array.from(solver.warmStart, (array) => array.length));
  obstacles.defs.forEach((def, i) => {
    add(obstacles.has(i) ? remember(def, hashObstacle) : 'none');
  });
  return hash.toString();
}

function remember<T extends object>(thing: T, hashOf: (thing: T) => string): string {
  const found = known.get(thing) ?? hashOf(thing);
  known.set(thing, found);
  return found;
}

function hashModel(model: Model): string {
  const { kind, positions, masses, pinned, sheet, muscles } = model;
  const { tets, mu, lambda, weight, neoHookean } = model;
  const { bones, joints } = model;
  const { boneA, boneB, types, anchorA, anchorB, frame, limits } = joints;
  return hashPlain([
    [kind, positions, masses, pinned],
    [tets, mu, lambda, weight, neoHookean],
    [bones.ofVertex, bones.mass, bones.centre, bones.secondMoment],
    [boneA, boneB, types, anchorA, anchorB, frame, limits],
    sheet && { ...sheet, bending: sheet.bending.values },
    muscles && { ...muscles, names: undefined, activations: undefined },
    (model as Partial<LayeredModel>).layer?.stiffness.values,
  ]);
}

function hashObstacle({ shape, velocity, angularVelocity, path }: ObstacleDef): string {
  return hashPlain({ shape, velocity, angularVelocity, path });
}
