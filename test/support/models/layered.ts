/** Skinned characters made by formula, and what the tests of the layered solver measure on them. */

import type { LayerBoneDef, LayerDef } from '../../../src/body/kinds/layer-def.js';
import { type ObstacleDef, ObstacleSet } from '../../../src/collision/obstacles/obstacle.js';
import { LayerBody } from '../../../src/solvers/layered/layer-body.js';
import { buildLayerModel, type LayerModel } from '../../../src/solvers/layered/layer-model.js';
import { LayeredCore } from '../../../src/solvers/layered/layered-core.js';
import type { LayeredOptions } from '../../../src/solvers/layered/options.js';
import { IMPULSE_CORE, IMPULSE_N, NORMAL, TOUCH } from '../../../src/solvers/layered/touch/touch-list.js';

export const GRAVITY = [0, -9.81, 0];

/** A tube along x, 1 m long, radius 8 cm, of `rings` rings of `around` nodes and two cap nodes, with bones in a chain along it. */
export function tubeDef(around: number, rings: number, boneCount: number, more: Partial<LayerDef> = {}): LayerDef {
  const radius = 0.08;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < rings; i++) {
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      positions.push(i / (rings - 1) - 0.5, radius * Math.cos(angle), radius * Math.sin(angle));
    }
  }
  positions.push(-0.5, 0, 0, 0.5, 0, 0);
  const left = rings * around;
  for (let j = 0; j < around; j++) {
    const k = (j + 1) % around;
    for (let i = 0; i + 1 < rings; i++) {
      const [a, b, c, d] = [i * around + j, i * around + k, (i + 1) * around + j, (i + 1) * around + k];
      triangles.push(a, b, d, a, d, c);
    }
    triangles.push(left, k, j, left + 1, (rings - 1) * around + j, (rings - 1) * around + k);
  }
  const bones: LayerBoneDef[] = Array.from({ length: boneCount }, (_, b) => ({
    name: `bone ${b}`,
    parent: b - 1,
    place: [b / boneCount - 0.5, 0, 0],
  }));
  const owners: number[] = [];
  const weights: number[] = [];
  for (let p = 0; p < positions.length; p += 3) {
    // weights go from one bone to the next over a quarter of a bone's length on both sides of a joint
    const along = (positions[p] + 0.5) * boneCount - 0.5;
    const lower = Math.max(0, Math.min(boneCount - 1, Math.floor(along)));
    const upper = Math.min(boneCount - 1, lower + 1);
    const share = upper === lower ? 0 : Math.max(0, Math.min(1, 0.5 + (along - lower - 0.5) / 0.5));
    owners.push(lower, upper, 0, 0);
    weights.push(1 - share, share, 0, 0);
  }
  return {
    kind: 'layer',
    name: 'tube',
    positions: Float64Array.from(positions),
    triangles: Int32Array.from(triangles),
    bones,
    owners,
    weights,
    material: { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.4, density: 1000 },
    ...more,
  };
}

/** A box of skin with a single bone, `n` nodes along each edge. */
export function boxDef(half: readonly [number, number, number], n: number, more: Partial<LayerDef> = {}): LayerDef {
  const index = new Map<string, number>();
  const positions: number[] = [];
  const triangles: number[] = [];
  const node = (g: readonly number[]): number => {
    const key = g.join();
    const known = index.get(key);
    if (known !== undefined) return known;
    index.set(key, positions.length / 3);
    for (let k = 0; k < 3; k++) positions.push(half[k] * ((2 * g[k]) / n - 1));
    return positions.length / 3 - 1;
  };
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [0, n]) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const at = (u: number, v: number): number => {
            const g = [0, 0, 0];
            g[axis] = side;
            g[(axis + 1) % 3] = u;
            g[(axis + 2) % 3] = v;
            return node(g);
          };
          const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
          if (side === n) triangles.push(a, b, c, a, c, d);
          else triangles.push(a, c, b, a, d, c);
        }
      }
    }
  }
  const count = positions.length / 3;
  return {
    kind: 'layer',
    name: 'box',
    positions: Float64Array.from(positions),
    triangles: Int32Array.from(triangles),
    bones: [{ name: 'core', parent: -1, place: [0, 0, 0] }],
    owners: new Int32Array(4 * count),
    weights: Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    material: { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.4, density: 1000 },
    ...more,
  };
}

/** A body of a model at a place, at rest. */
export function placeBody(model: LayerModel, position: readonly number[], rotation = [0, 0, 0, 1]): LayerBody {
  const body = new LayerBody(model);
  body.place(position, rotation);
  return body;
}

/** Characters with obstacles, without a world. */
export function makeCore(
  bodies: readonly LayerBody[],
  obstacles: readonly ObstacleDef[] = [],
  options: Partial<LayeredOptions> = {},
): LayeredCore {
  return new LayeredCore(bodies, new ObstacleSet(obstacles), options);
}

export const FLOOR: ObstacleDef = { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 };

/** Takes steps; throws where one fails. */
export function run(
  core: LayeredCore,
  h: number,
  steps: number,
  each?: (step: number) => void,
  gravity = GRAVITY,
): void {
  for (let step = 0; step < steps; step++) {
    core.obstacles.predict(h);
    if (!core.step(gravity, h)) throw new Error(`step ${step} failed`);
    core.obstacles.commit();
    each?.(step);
  }
}

/** Sum of all contact forces on characters in the last step along y [N]; `normal`: the normal ones. */
export function upForce({ touches }: LayeredCore, h: number): number {
  let sum = 0;
  for (let c = 0; c < touches.count; c++) {
    const o = TOUCH * c;
    sum += (touches.data[o + IMPULSE_N] + touches.data[o + IMPULSE_CORE]) * touches.data[o + NORMAL + 1];
    sum += touches.data[o + 18] * touches.data[o + 4] + touches.data[o + 19] * touches.data[o + 7];
  }
  return sum / h;
}

/** Linear momentum and angular momentum about the origin. */
export function momentum({ model, state }: LayerBody): number[] {
  const total = [0, 0, 0, 0, 0, 0];
  const { mass, inertia, count } = model.bones;
  const r = state.poses.rotations;
  for (let bone = 0; bone < count; bone++) {
    const v = [...state.velocities.subarray(3 * bone, 3 * bone + 3)];
    const w = [...state.spins.subarray(3 * bone, 3 * bone + 3)];
    const c = [...state.poses.translations.subarray(3 * bone, 3 * bone + 3)];
    const R = [...r.subarray(9 * bone, 9 * bone + 9)];
    const local = [0, 1, 2].map((k) => R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2]);
    const L = [0, 1, 2].map(
      (k) =>
        inertia[9 * bone + 3 * k] * local[0] +
        inertia[9 * bone + 3 * k + 1] * local[1] +
        inertia[9 * bone + 3 * k + 2] * local[2],
    );
    for (let k = 0; k < 3; k++) {
      total[k] += mass[bone] * v[k];
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      total[3 + k] += R[3 * k] * L[0] + R[3 * k + 1] * L[1] + R[3 * k + 2] * L[2];
      total[3 + k] += mass[bone] * (c[i] * v[j] - c[j] * v[i]);
    }
  }
  return total;
}

/** Kinetic plus potential energy, above y = 0 [J]. */
export function energy({ model, state }: LayerBody): number {
  let sum = 0;
  const { mass, inertia, count } = model.bones;
  const r = state.poses.rotations;
  for (let bone = 0; bone < count; bone++) {
    for (let k = 0; k < 3; k++) sum += 0.5 * mass[bone] * state.velocities[3 * bone + k] ** 2;
    sum += 9.81 * mass[bone] * state.poses.translations[3 * bone + 1];
    const w = state.spins.subarray(3 * bone, 3 * bone + 3);
    const local = [0, 1, 2].map(
      (k) => r[9 * bone + k] * w[0] + r[9 * bone + 3 + k] * w[1] + r[9 * bone + 6 + k] * w[2],
    );
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) sum += 0.5 * local[i] * local[j] * inertia[9 * bone + 3 * i + j];
  }
  return sum;
}

/** Largest distance between the two ends of a joint [m]. */
export function jointGap({ model, state }: LayerBody): number {
  const { parents, places, centre, count } = model.bones;
  let worst = 0;
  const at = (bone: number, joint: number, k: number): number => {
    let sum = state.poses.translations[3 * bone + k];
    for (let j = 0; j < 3; j++) {
      sum += state.poses.rotations[9 * bone + 3 * k + j] * (places[3 * joint + j] - centre[3 * bone + j]);
    }
    return sum;
  };
  for (let bone = 1; bone < count; bone++) {
    for (let k = 0; k < 3; k++) worst = Math.max(worst, Math.abs(at(bone, bone, k) - at(parents[bone], bone, k)));
  }
  return worst;
}

export { buildLayerModel };
