/** The coupled solver once more: the projection onto joints, the central body, the threshold of sticking, stacks, large ratios within one body. */
import { buildModel } from '../../src/body/model.js';
import { createRandom } from '../../src/math/random.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { CentralBody } from '../../src/solvers/coupled/compare/central-body.js';
import type { CoreRigid } from '../../src/solvers/coupled/core-scene.js';
import { CoupledCore } from '../../src/solvers/coupled/coupled-core.js';
import { SoftModel } from '../../src/solvers/coupled/soft/soft-model.js';
import { G, type VerifyCase } from './verify-case.js';

const HALF = 0.1;

function box(mass: number, position: readonly number[], more: Partial<CoreRigid> = {}): CoreRigid {
  const moment = (mass * 2 * HALF * HALF) / 3;
  const inertia = [moment, 0, 0, 0, moment, 0, 0, 0, moment];
  const inverseInertia = [1 / moment, 0, 0, 0, 1 / moment, 0, 0, 0, 1 / moment];
  const shape = { kind: 'box', halfExtents: [HALF, HALF, HALF] } as const;
  return { mass, inertia, inverseInertia, position, shape, ...more };
}

const GROUND: CoreRigid = {
  ...{ mass: 0, inertia: [], inverseInertia: [], position: [0, 0, 0] },
  ...{ shape: { kind: 'plane' }, friction: 0.5 },
};

/** V40: six hinged rods thrown about at random for a second: largest change of linear momentum [kg m/s]. */
function chainDrift(): number {
  const random = createRandom(40);
  const throwOne = () => [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
  const rigid = Array.from({ length: 6 }, (_, i) =>
    box(0.5, [0.4 * i, 0, 0], { shape: 'none', velocity: throwOne(), angularVelocity: throwOne() }),
  );
  const joints = Array.from({ length: 5 }, (_, i) => ({
    ...{ type: 'hinge' as const, a: i, b: i + 1, anchorA: [0.2, 0, 0], anchorB: [-0.2, 0, 0] },
    ...{ axisA: [0, 0, 1], axisB: [0, 0, 1] },
  }));
  const core = new CoupledCore({ rigid, joints, gravity: [0, 0, 0] });
  const momentum = (k: number) => core.rigid.mass.reduce((sum, m, b) => sum + m * core.rigid.v[b * 3 + k], 0);
  const before = [0, 1, 2].map(momentum);
  for (let n = 0; n < 60; n++) core.step(1 / 60);
  return Math.max(...before.map((p, k) => Math.abs(momentum(k) - p)));
}

/** V41: a central body with eight outer ones that ask for random changes along normals: what is missing of them, at most [m/s]. */
function centralError(): number {
  const random = createRandom(41);
  const vector = () => [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
  const central = new CentralBody(8);
  central.begin(2, Float64Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3), 0);
  const outers = Array.from({ length: 8 }, () => ({ r: vector(), v: vector(), soft: random.range(0.1, 2) }));
  for (const { r, v, soft } of outers) central.addOuter(r, 0, Float64Array.of(soft, 0, 0, 0, soft, 0, 0, 0, soft), v);
  central.solve();
  const [u0, u1, u2, w0, w1, w2] = central.change;
  let worst = 0;
  outers.forEach(({ r, v, soft }, i) => {
    const j = new Float64Array(3);
    central.impulseOf(i, j);
    const turned = [w1 * r[2] - w2 * r[1], w2 * r[0] - w0 * r[2], w0 * r[1] - w1 * r[0]];
    [u0, u1, u2].forEach((u, k) => {
      worst = Math.max(worst, Math.abs(u + turned[k] - soft * j[k] - v[k]));
    });
  });
  return worst;
}

/** V51: how far a box slides in 5 s down a slope of one in two [m]. */
function slides(friction: number): number {
  const half = 0.5 * Math.atan(0.5);
  const rotation = [0, 0, Math.sin(-half), Math.cos(half)];
  const [sine, cosine] = [1 / Math.sqrt(5), 2 / Math.sqrt(5)];
  const start = [HALF * sine, HALF * cosine, 0];
  const core = new CoupledCore({ rigid: [{ ...GROUND, rotation, friction }, box(1, start, { rotation, friction })] });
  for (let n = 0; n < 300; n++) core.step(1 / 60);
  return (core.rigid.x[3] - start[0]) * cosine - (core.rigid.x[4] - start[1]) * sine;
}

/** V52: worst relative error of the force under each of five boxes on each other after 5 s. */
function stackForces(): number {
  const boxes = Array.from({ length: 5 }, (_, i) => box(1, [0, HALF + 2 * HALF * i, 0]));
  const core = new CoupledCore({ rigid: [GROUND, ...boxes] });
  for (let n = 0; n < 300; n++) core.step(1 / 60);
  const { contacts, options } = core;
  const under = new Float64Array(6);
  for (let c = 0; c < contacts.count; c++) {
    under[Math.max(contacts.a[c], contacts.b[c])] += Math.abs(contacts.push[1][c * 3 + 1]) * 60 * options.substeps;
  }
  return Math.max(...[1, 2, 3, 4, 5].map((b) => Math.abs(under[b] / ((6 - b) * G) - 1)));
}

/** V56: how deep a box half of feathers, half of steel (densities 1e4, stiffnesses 1e8 to one) comes into the floor it falls on [m]; NaN where it is not finite. */
function ratioDepth(): number {
  const mesh = buildLattice({ cells: [2, 2, 4], cellSize: 0.1, origin: [-0.1, 0.2, -0.2] });
  const material = { model: 'corotated', poissonRatio: 0.3 } as const;
  const materials = [
    { ...material, youngModulus: 1e3, density: 10 },
    { ...material, youngModulus: 1e11, density: 1e5 },
  ];
  const regions = Array.from({ length: mesh.tets.length / 4 }, (_, t) =>
    mesh.positions[mesh.tets[t * 4] * 3 + 2] < -1e-6 ? 1 : 0,
  );
  const model = new SoftModel(buildModel({ name: 'box', ...mesh, materials, regions }));
  const core = new CoupledCore({ rigid: [GROUND], soft: [{ model, positions: model.elements.positions }] });
  let deepest = 0;
  for (let n = 0; n < 60; n++) {
    core.step(1 / 60);
    for (let c = 0; c < core.contacts.count; c++) deepest = Math.max(deepest, -core.contacts.gap[c]);
  }
  return core.isFinite() ? deepest : Number.NaN;
}

const coupled = { solver: 'coupled', expected: 0 } as const;
const slope = 'g (sin α − μ cos α) t² / 2';

export const COUPLED_PROOF_CASES: readonly VerifyCase[] = [
  {
    ...{ id: 'V40', ...coupled, name: 'six hinged rods thrown at random, change of momentum in 1 s', unit: 'kg m/s' },
    ...{ formula: 'linear momentum is kept', tolerance: 1e-12, run: async () => chainDrift() },
  },
  {
    ...{
      id: 'V41',
      ...coupled,
      name: 'central body, eight outer bodies at random, change that is missing',
      unit: 'm/s',
    },
    ...{ formula: 'u + ω × r − K j = asked', tolerance: 1e-11, run: async () => centralError() },
  },
  {
    ...{ id: 'V51', ...coupled, name: 'box on a slope of 1 in 2, μ = 0.49, 5 s', unit: 'm', formula: slope },
    ...{ expected: (0.5 * G * (1 - 0.98) * 25) / Math.sqrt(5), tolerance: 0.01, run: async () => slides(0.49) },
  },
  {
    ...{ id: 'V51', ...coupled, name: 'box on a slope of 1 in 2, μ = 0.501, 5 s', unit: 'm' },
    ...{ formula: '0 where μ > tan α', tolerance: 1e-3, run: async () => slides(0.501) },
  },
  {
    ...{ id: 'V52', ...coupled, name: 'forces under five boxes on each other, worst', unit: '' },
    ...{ formula: 'f_k / ((5 − k) m g) − 1 = 0', tolerance: 0.01, run: async () => stackForces() },
  },
  {
    ...{ id: 'V56', ...coupled, name: 'density 1e4, stiffness 1e8 to one in a box on the floor, depth', unit: 'm' },
    ...{ formula: '0, at most 5 % of the box', tolerance: 0.02, run: async () => ratioDepth() },
  },
];
