/**
 * The exact bone step against the published one: how far above the minimum of the step's objective [Li2019 eq. 13] a single
 * step ends, by number of iterations. The body is a bar of 1 m, 525 vertices, with two bones and a ball joint.
 */

import { buildBar } from '../../scenes/cast/bar.js';
import type { Model } from '../../src/body/model.js';
import { createWorld, disposeWorld, resetWorld, stepWorld, type World } from '../../src/index.js';
import { elasticEnergy } from '../../src/kernels/reference/local-tets.js';
import type { TetElements } from '../../src/kernels/tet-groups.js';
import { plainFlesh } from './boxes.js';
import { COLORS, type Figure } from './svg-plot.js';

const H = 0.033;
/** Iterations that count as converged. */
const CONVERGED = 1000;
export const OBJECTIVE_ITERATIONS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300];

/** Velocity [m/s] and spin [rad/s] of the bones at the start: they fly apart, 0.1 m in one step, and fold. */
const MOTION = [
  { velocity: [-1.5, 1, 0.5], spin: [1, 2, -4] },
  { velocity: [1.5, -1, 0.5], spin: [-2, 1, 4] },
];

/** Objective above the minimum [J] after one step of each of OBJECTIVE_ITERATIONS, for flesh of one stiffness. */
export interface ObjectiveCurve {
  /** Shear modulus [Pa]. */
  readonly mu: number;
  /** The minimum [J]. */
  readonly least: number;
  readonly exact: readonly number[];
  readonly published: readonly number[];
}

/** Takes the step with both methods for three stiffnesses. */
export async function measureObjective(): Promise<ObjectiveCurve[]> {
  const curves: ObjectiveCurve[] = [];
  for (const mu of [1e3, 1e4, 1e5]) {
    const exact = await objectives(mu, 'exact', [...OBJECTIVE_ITERATIONS, CONVERGED]);
    const published = await objectives(mu, 'published', OBJECTIVE_ITERATIONS);
    const least = exact.pop() as number;
    curves.push({ mu, least, exact: exact.map((e) => e - least), published: published.map((e) => e - least) });
  }
  return curves;
}

/** Draws it. */
export function plotObjective(curves: readonly ObjectiveCurve[]): Figure {
  return {
    description: 'Objective above its minimum against iterations, exact and published bone step, three stiffnesses.',
    panelSize: [280, 280],
    panels: curves.map(({ mu, exact, published }, i) => ({
      title: `(${'abc'[i]}) flesh μ = ${['10³', '10⁴', '10⁵'][i]} Pa`,
      x: { label: 'local/global iterations', scale: 'log', range: [1, 300] },
      y: { label: mu === 1e3 ? 'objective above minimum [J]' : '', scale: 'log', range: [1e-12, 100] },
      series: [
        {
          x: OBJECTIVE_ITERATIONS,
          y: published,
          color: COLORS.red,
          markers: true,
          tag: { text: 'as published', x: 18, y: published[8] * 3.5 },
        },
        {
          x: OBJECTIVE_ITERATIONS,
          y: exact,
          color: COLORS.blue,
          markers: true,
          tag: {
            text: 'exact',
            ...[
              { x: 6.5, y: 1e-6 },
              { x: 17, y: 1e-5 },
              { x: 34, y: 4e-3 },
            ][i],
          },
        },
      ],
    })),
  };
}

/** One line for the terminal. */
export function describeObjective(curves: readonly ObjectiveCurve[]): string {
  const parts = curves.map(({ mu, exact, published }) => {
    const last = published[published.length - 1];
    return `μ=${mu.toExponential(0)}: exact ${exact[0].toPrecision(2)} J after 1, published ${last.toPrecision(2)} J after 300`;
  });
  return `objective above minimum: ${parts.join('; ')}`;
}

/** Objective after one step from the straight bar whose bones fly apart while the flesh is at rest. */
async function objectives(mu: number, bones: 'exact' | 'published', counts: readonly number[]): Promise<number[]> {
  const body = buildBar({ cells: [20, 4, 4], cell: 0.05, boneLayers: 6, material: plainFlesh(mu) });
  const scene = { name: 'apart', description: '', bodies: [{ body }], gravity: [0, 0, 0], dt: H } as const;
  const world = await createWorld(scene, { bones });
  const found = counts.map((iterations) => {
    resetWorld(world);
    world.options.iterations = iterations;
    setMotion(world);
    const { model, state } = world.bodies[0];
    const aim = state.positions.map((x, i) => x + H * state.velocities[i]);
    if (!stepWorld(world)) throw world.fault;
    return objective(model, state.positions, aim);
  });
  disposeWorld(world);
  return found;
}

function setMotion(world: World): void {
  const { model, state } = world.bodies[0];
  MOTION.forEach(({ velocity, spin }, bone) => {
    const [a, b, c] = spin;
    state.boneRates.set([0, c, -b, -c, 0, a, b, -a, 0, ...velocity], bone * 12);
    for (let n = model.bones.vertexStart[bone]; n < model.bones.vertexStart[bone + 1]; n++) {
      const v = model.bones.vertices[n] * 3;
      const [x, y, z] = [0, 1, 2].map((k) => model.positions[v + k] - model.bones.centre[bone * 3 + k]);
      state.velocities.set([velocity[0] + b * z - c * y, velocity[1] + c * x - a * z, velocity[2] + a * y - b * x], v);
    }
  });
}

/** ½ Σ m |x − y|²/h² + Σ μ V |F − R|², in f64 [J]. */
function objective(model: Model, positions: Float64Array, aim: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < aim.length; i++) {
    const far = (positions[i] - aim[i]) / H;
    sum += 0.5 * model.masses[Math.floor(i / 3)] * far * far;
  }
  const tets: TetElements = {
    corners: model.tets,
    inverseRest: model.inverseRest,
    shearStiffness: model.mu.map((mu, t) => 2 * mu * model.volumes[t]),
    bulkStiffness: model.lambda.map((lambda, t) => lambda * model.volumes[t]),
  };
  const rows = new Float64Array(model.vertexCount * 4);
  for (let v = 0; v < model.vertexCount; v++) rows.set(positions.subarray(v * 3, v * 3 + 3), v * 4);
  return sum + elasticEnergy(tets, rows);
}
