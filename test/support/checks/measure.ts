/** Worlds of one body for physics tests, and what is measured on them, in f64 straight from the state. */
import type { BodyDef } from '../../../src/body/body-def.js';
import type { Model } from '../../../src/body/model.js';
import type { BodyState } from '../../../src/body/state.js';
import type { PlacementDef } from '../../../src/scene/scene-def.js';
import { createWorld } from '../../../src/world/create-world.js';
import { stepWorld } from '../../../src/world/step.js';
import type { World, WorldOptions } from '../../../src/world/world.js';

export interface Single {
  readonly world: World;
  readonly model: Model;
  readonly state: BodyState;
  /** Takes `count` steps and fails loudly where one is not good. */
  step(count?: number): void;
}

/** A world with one body. `gravity` defaults to none. */
export async function single(
  body: BodyDef,
  options: WorldOptions & { gravity?: readonly [number, number, number]; placement?: Omit<PlacementDef, 'body'> } = {},
): Promise<Single> {
  const { gravity = [0, 0, 0], placement, ...rest } = options;
  const world = await createWorld({ name: 'test', description: '', bodies: [{ body, ...placement }], gravity }, rest);
  const { model, state } = world.bodies[0];
  return {
    world,
    model,
    state,
    step(count = 1) {
      for (let n = 0; n < count; n++) {
        if (!stepWorld(world)) throw new Error(`step ${n} failed: ${world.fault?.message}`);
      }
    },
  };
}

/** Angle of a bone's turn about z [rad], −π to π. */
export function angleAboutZ(state: BodyState, bone: number): number {
  const r = state.poses.rotations;
  return Math.atan2(r[bone * 9 + 3], r[bone * 9]);
}

/** Moment of inertia of a bone about a principal axis through its centre of mass [kg m²]. */
export function inertiaAbout(model: Model, bone: number, axis: 0 | 1 | 2): number {
  const c = model.bones.secondMoment;
  return c[bone * 9] + c[bone * 9 + 4] + c[bone * 9 + 8] - c[bone * 9 + axis * 4];
}

/** Σ m v [kg m/s]. */
export function linearMomentum(model: Model, state: BodyState): [number, number, number] {
  const p: [number, number, number] = [0, 0, 0];
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) p[k] += model.masses[v] * state.velocities[v * 3 + k];
  }
  return p;
}

/** Σ m a × b over the vertices; 3 numbers per vertex each. */
export function momentOf(model: Model, a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let v = 0; v < model.vertexCount; v++) {
    const i = v * 3;
    const m = model.masses[v];
    sum[0] += m * (a[i + 1] * b[i + 2] - a[i + 2] * b[i + 1]);
    sum[1] += m * (a[i + 2] * b[i] - a[i] * b[i + 2]);
    sum[2] += m * (a[i] * b[i + 1] - a[i + 1] * b[i]);
  }
  return sum;
}

/** Σ ½ m v² [J]. */
export function kineticEnergy(model: Model, state: BodyState): number {
  let sum = 0;
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) sum += 0.5 * model.masses[v] * state.velocities[v * 3 + k] ** 2;
  }
  return sum;
}

export function centreOf(model: Model, positions: ArrayLike<number>): [number, number, number] {
  const centre: [number, number, number] = [0, 0, 0];
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) centre[k] += (model.masses[v] * positions[v * 3 + k]) / model.totalMass;
  }
  return centre;
}

/** x + h v, where inertia alone would take the vertices in the next step without gravity. */
export function inertialTarget(state: BodyState, h: number): Float64Array {
  return state.positions.map((x, i) => x + h * state.velocities[i]);
}

/** Every number a body's state consists of, in one array, to compare bit for bit. */
export function wholeState(state: BodyState): number[] {
  return state.arrays.flatMap((array) => [...array]);
}

export function norm(v: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += v[i] * v[i];
  return Math.sqrt(sum);
}

export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i] - b[i]);
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

/** Prints what a case measured, when TENDON_MEASURED is set: the numbers behind the tolerances. */
export function measured(name: string, value: unknown): void {
  if (process.env.TENDON_MEASURED) console.log(`MEASURED ${name}: ${JSON.stringify(value)}`);
}
