/** The second derivative of the energy of tets that share strains, and slopes of rollouts with it, against forces of an independent program and central differences of the world. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { type ControlDef, type ControlGoal, createWorld, disposeWorld, goalSlopes } from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { ElasticProduct } from '../../../src/solvers/projective/adjoint/elastic/elastic-product.js';
import { layOut } from '../../../src/solvers/projective/layout.js';
import { NODAL_SHAPE } from '../../../src/solvers/projective/nodal-strain.js';
import { measured } from '../../support/checks/measure.js';
import { forcesAt } from '../../support/checks/newton-equilibrium.js';
import { differences } from '../../support/checks/rollout-differences.js';
import { placesOf } from '../../support/checks/smoothed-elasticity.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const MODELS = ['corotated', 'stableNeoHookean'] as const;
const NUDGE = 1e-6;

function barOf(model: (typeof MODELS)[number]) {
  const material = { model, youngModulus: 3e4, poissonRatio: 0.4, density: 1000 } as const;
  return buildFleshBar({ cells: [4, 2, 2], cell: 0.05, layers: 2, material, joint: 'hinge' });
}

describe('forces that answer small moves, of tets that share strains', () => {
  it.each(MODELS)('are central differences of the forces of an independent program (%s)', (model) => {
    // pins instead of bones, inside which nothing resists being deformed
    const { name, positions, tets, materials } = barOf(model);
    const pins = [...positions.keys()].filter((i) => i % 3 === 0 && positions[i] < 1e-6).map((i) => i / 3);
    const built = buildModel({ name, positions, tets, materials, pins });
    expect(pins.length).toBeGreaterThan(4);
    const random = createRandom(3);
    // stretched, sheared and turned far, and every vertex somewhat by itself
    const x = built.positions.map((_, i) => {
      const [a, b, c] = built.positions.subarray(i - (i % 3), i - (i % 3) + 3);
      const at = [1.2 * a - 0.9 * b, 0.8 * a + 0.7 * b + 0.2 * c, 0.9 * c + 0.3 * a * a][i % 3];
      return at + 0.004 * (random.next() - 0.5);
    });
    const moves = Float64Array.from(x, () => random.next() - 0.5);
    const product = new ElasticProduct(built, layOut(built), true);
    const gradient = new Float64Array(x.length);
    product.prepare(x, gradient);
    const answer = new Float64Array(x.length);
    product.addProduct(moves, answer);
    const places = placesOf(built, NODAL_SHAPE, 1);
    const none = [0, 0, 0];
    const at = (by: number) =>
      forcesAt(
        built,
        places,
        x.map((value, i) => value + by * moves[i]),
        none,
      );
    const [above, below, forces] = [at(NUDGE), at(-NUDGE), at(0)];
    let [wrongForce, wrong, most, mostForce] = [0, 0, 0, 0];
    for (let i = 0; i < x.length; i++) {
      const wanted = (below[i] - above[i]) / (2 * NUDGE);
      wrong = Math.max(wrong, Math.abs(answer[i] - wanted));
      most = Math.max(most, Math.abs(wanted));
      wrongForce = Math.max(wrongForce, Math.abs(gradient[i] + forces[i]));
      mostForce = Math.max(mostForce, Math.abs(forces[i]));
    }
    measured(`product of shared strains, ${model}`, { wrong: wrong / most, force: wrongForce / mostForce });
    expect(wrongForce).toBeLessThan(1e-12 * mostForce);
    expect(wrong).toBeLessThan(1e-8 * most);
  });
});

describe('slopes of rollouts of flesh that shares strains', () => {
  it.each(MODELS)('are central differences of the world (%s)', async (model) => {
    const bar = barOf(model);
    const joints = (bar.joints ?? []).map((joint) => ({ ...joint, motor: { stiffness: 2, damping: 0.1 } }));
    const scene = { name: 'test', description: '', bodies: [{ body: { ...bar, joints } }] };
    const world = await createWorld(scene, { dt: 1 / 60, contact: 'none', iterations: 60, smoothed: true });
    const controls: ControlDef[] = [
      { kind: 'velocity', body: bar.name },
      { kind: 'motor', body: bar.name, joint: joints[0].name, times: [0, 0.1] },
    ];
    const goal: ControlGoal = {
      steps: 8,
      miss: ({ bodies: [{ state }] }) => [...state.positions.subarray(0, 15)],
    };
    const values = [0.2, 0.1, -0.2, 0.4, 0.8];
    const wanted = differences(world, controls, goal, values, 5e-3);
    const slopes = goalSlopes(world, controls, goal, values);
    const worst = Math.max(...wanted.map((one, i) => Math.abs(one - slopes[i])));
    const largest = Math.max(...wanted.map(Math.abs));
    measured(`slopes with shared strains, ${model}`, { worst: worst / largest });
    expect(worst).toBeLessThan(1e-3 * largest);
    disposeWorld(world);
  });
});
