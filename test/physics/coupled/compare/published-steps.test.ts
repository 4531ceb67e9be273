/**
 * The published choices of the coupled solver [Shinar2008], each by itself and all of them, against closed forms and conservation laws: free fall, a stack of two, the slope (V50), chains that swing, springs at rest; the same bits again from a
 * snapshot, and what they cannot do is refused.
 */
import { describe, expect, it } from 'vitest';
import { rigidBody } from '../../../../scenes/cast/coupled-bodies.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  hashWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../../src/index.js';
import { CoupledCore } from '../../../../src/solvers/coupled/coupled-core.js';
import type { CoupledOptions } from '../../../../src/solvers/coupled/options.js';
import type { CoupledJoint } from '../../../../src/solvers/coupled/rigid/coupled-joint.js';
import { box, ground, incline, onIncline } from '../../../support/models/coupled.js';
import { placeSoft, softBox } from '../../../support/models/coupled-soft.js';

type Ways = readonly (readonly [string, Partial<CoupledOptions>])[];
const WAYS: Ways = [
  ['graph', { contactBy: 'graph' }],
  ['shock', { contactBy: 'shock' }],
  ['stabilisation', { jointsBy: 'stabilisation' }],
  ['projection', { velocityBy: 'projection' }],
  ['all', { scheme: 'published' }],
];
/** Those that keep momentum: shock propagation loses what would go downwards. */
const KEEPING = WAYS.filter(([name]) => name !== 'shock');
const STABILISED = WAYS.filter(([name]) => name === 'stabilisation' || name === 'all');

const momentum = ({ rigid, soft }: CoupledCore) =>
  [0, 1, 2].map(
    (k) =>
      rigid.mass.reduce((sum, m, b) => sum + (m > 0 ? m * rigid.v[b * 3 + k] : 0), 0) +
      soft.mass.reduce((sum, m, i) => sum + m * soft.v[i * 3 + k], 0),
  );

describe.each(WAYS)('%s', (_name, options) => {
  it('falls by g t²/2, rigid and soft', () => {
    const soft = [placeSoft(softBox([2, 1, 1], 0.1), [1, 50, 0])];
    const core = new CoupledCore({ rigid: [box([0.1, 0.1, 0.1], 8, { position: [0, 50, 0] })], soft }, options);
    for (let n = 0; n < 60; n++) core.step(1 / 60);
    expect(Math.abs(core.rigid.x[1] - 50 + 9.81 / 2)).toBeLessThan(1e-10);
    const mass = core.soft.mass.reduce((sum, m) => sum + m, 0);
    const height = core.soft.mass.reduce((sum, m, i) => sum + (m / mass) * core.soft.x[i * 3 + 1], 0);
    expect(Math.abs(height - 50 + 9.81 / 2)).toBeLessThan(1e-10);
  });

  it('a box on a box stays where it is: within 1 cm in 2 s', () => {
    const boxes = [0, 1].map((i) => box([0.1, 0.1, 0.1], 8, { position: [0, 0.1 + 0.2 * i, 0] }));
    const core = new CoupledCore({ rigid: [ground(), ...boxes] }, options);
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    for (const b of [1, 2]) {
      const [x, y, z] = core.rigid.x.subarray(b * 3, b * 3 + 3);
      expect(Math.hypot(x, y - 0.2 * b + 0.1, z)).toBeLessThan(0.01);
    }
  });

  it('a rigid box slides down the slope by (sin α − μ cos α) g t²/2 (V50), and flesh in eight substeps', () => {
    const angle = Math.PI / 6;
    const wanted = 0.5 * 9.81 * (Math.sin(angle) - 0.2 * Math.cos(angle)) * 4;
    expect(wanted).toBeCloseTo(6.411716, 5);
    const place = onIncline(angle, 0, 0.1);
    const along = (x: ArrayLike<number>, i: number) =>
      Math.cos(angle) * (x[i] - place[0]) - Math.sin(angle) * (x[i + 1] - place[1]);
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const slope = incline(angle, 0.2);
    const hard = box([0.1, 0.1, 0.1], 8, { position: place, rotation: slope.rotation });
    const core = new CoupledCore({ rigid: [slope, hard] }, options);
    const soft = [placeSoft(softBox([2, 2, 2], 0.1), place, { rotation: [c, s, 0, -s, c, 0, 0, 0, 1] })];
    const flesh = new CoupledCore({ rigid: [slope], soft }, { ...options, substeps: 8 });
    for (let n = 0; n < 120; n++) {
      core.step(1 / 60);
      flesh.step(1 / 60);
    }
    expect(Math.abs(along(core.rigid.x, 3) / wanted - 1)).toBeLessThan(0.01);
    const { x, mass } = flesh.soft;
    const whole = mass.reduce((sum, m) => sum + m, 0);
    const gone = mass.reduce((sum, m, i) => sum + (m / whole) * along(x, i * 3), 0);
    expect(Math.abs(gone / wanted - 1)).toBeLessThan(0.01);
  });
});

describe.each(KEEPING)('%s keeps momentum', (_name, options) => {
  it('of a box, of jointed boxes and of flesh that meet in the air', () => {
    const rigid = [
      box([0.1, 0.1, 0.1], 8, { position: [-0.4, 0.02, 0.01], velocity: [3, 0, 0] }),
      box([0.1, 0.05, 0.05], 2, { position: [0.55, 0, 0], velocity: [-2, 0.3, 0] }),
      box([0.1, 0.05, 0.05], 2, { position: [0.79, 0, 0], velocity: [-2, 0, 0.2] }),
    ];
    const hinge = { anchorA: [0.12, 0, 0], anchorB: [-0.12, 0, 0], axisA: [0, 0, 1], axisB: [0, 0, 1] };
    const joints: CoupledJoint[] = [{ type: 'hinge', a: 1, b: 2, ...hinge }];
    const soft = [placeSoft(softBox([2, 2, 2], 0.1), [0.1, 0, 0])];
    const core = new CoupledCore({ rigid, soft, joints, gravity: [0, 0, 0] }, { ...options, substeps: 8 });
    const before = momentum(core);
    let pushed = 0;
    for (let n = 0; n < 30; n++) {
      core.step(1 / 60);
      for (let c = 0; c < core.contacts.count * 3; c++) pushed = Math.max(pushed, Math.abs(core.contacts.push[1][c]));
    }
    expect(pushed).toBeGreaterThan(0.01);
    // 1e-12 of what the first box brings
    momentum(core).forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan(1e-12 * 24);
    });
  });
});

describe.each(STABILISED)('joints, %s', (_name, options) => {
  it.each(['ball', 'hinge', 'universal'] as const)('a swinging chain of %s joints is closed to 1e-9 m', (type) => {
    const rods = Array.from({ length: 4 }, (_, i) => box([0.1, 0.02, 0.03], 0.5, { position: [0.2 * i, 0, 0] }));
    const wall = box([0.01, 0.01, 0.01], 0, { position: [-0.1, 0, 0] });
    const joints = rods.map((_, i): CoupledJoint => {
      const axisB = type === 'universal' ? [0, 1, 0] : [0, 0, 1];
      const anchorA = i === 0 ? [0, 0, 0] : [0.1, 0, 0];
      return { type, a: i, b: i + 1, anchorA, anchorB: [-0.1, 0, 0], axisA: [0, 0, 1], axisB };
    });
    const core = new CoupledCore({ rigid: [wall, ...rods], joints }, options);
    let open = 0;
    let lowest = 0;
    for (let n = 0; n < 60; n++) {
      core.step(1 / 60);
      open = Math.max(open, core.joints.largestGap(core.rigid));
      lowest = Math.min(lowest, core.rigid.x[13]);
    }
    expect(open).toBeLessThan(1.001e-9);
    // it has swung
    expect(lowest).toBeLessThan(-0.5);
  });

  it.each([1, 1e4])('a spring rests at torque over stiffness: k = %d', (stiffness) => {
    const rod = box([0.1, 0.01, 0.01], 0.1 * stiffness, { position: [0.1, 0, 0] });
    const wall = box([0.01, 0.01, 0.01], 0);
    const at = { a: 0, b: 1, anchorA: [-0.1, 0, 0], anchorB: [0, 0, 0], axisA: [0, 0, 1], axisB: [0, 0, 1] };
    const joints: CoupledJoint[] = [
      { type: 'hinge', ...at },
      { type: 'control', ...at, stiffness, damping: 0.05 * stiffness },
    ];
    const core = new CoupledCore({ rigid: [rod, wall], joints }, options);
    for (let n = 0; n < 600; n++) core.step(1 / 60);
    // control measures twice the sine of half the angle: k θ = m g l cos θ
    const half = -core.rigid.q[2];
    expect((2 * half) / (0.1 * 9.81 * 0.1 * (1 - 2 * half * half))).toBeCloseTo(1, 8);
  });
});

describe('shock propagation', () => {
  it('keeps a stack of five upright that the graph alone shakes down', () => {
    const run = (contactBy: 'graph' | 'shock') => {
      const boxes = Array.from({ length: 5 }, (_, i) => box([0.1, 0.1, 0.1], 8, { position: [0, 0.1 + 0.2 * i, 0] }));
      const core = new CoupledCore({ rigid: [ground(), ...boxes] }, { contactBy });
      for (let n = 0; n < 600; n++) core.step(1 / 60);
      return core.rigid.x[16];
    };
    expect(Math.abs(run('shock') - 0.9)).toBeLessThan(0.02);
    expect(run('graph')).toBeLessThan(0.8);
  });
});

/** Two boxes, one on the other. */
function scene(solver: object): AnySceneDef {
  const body = rigidBody('box', { kind: 'box', halfExtents: [0.1, 0.1, 0.1] });
  const bodies = [0.1, 0.3].map((y, i) => ({ name: `box ${i}`, body, position: [0, y, 0] as const }));
  const obstacles = [{ name: 'floor', shape: { kind: 'plane' } } as const];
  return { name: 'two', description: '', solver: { kind: 'coupled', ...solver }, bodies, obstacles };
}

describe('worlds', () => {
  it('go on from a snapshot with the same bits', async () => {
    const world = await createWorld(scene({ scheme: 'published' }));
    for (let n = 0; n < 10; n++) expect(stepWorld(world)).toBe(true);
    const snapshot = takeSnapshot(world);
    const go = () => {
      for (let n = 0; n < 20; n++) expect(stepWorld(world)).toBe(true);
      return hashWorld(world);
    };
    const first = go();
    restoreSnapshot(world, snapshot);
    expect(go()).toBe(first);
    disposeWorld(world);
  });

  it('single choices given beside the scheme count', async () => {
    const hashOf = async (solver: object) => {
      const world = await createWorld(scene(solver));
      for (let n = 0; n < 20; n++) expect(stepWorld(world)).toBe(true);
      const hash = hashWorld(world);
      disposeWorld(world);
      return hash;
    };
    const ROWS = { contactBy: 'rows', jointsBy: 'rows', velocityBy: 'rows', pushOutBy: 'rows' };
    expect(await hashOf({ scheme: 'published', ...ROWS })).toBe(await hashOf({}));
    expect(await hashOf({ scheme: 'published' })).not.toBe(await hashOf({}));
  });

  it.each([
    ['scheme', { scheme: 'printed' }],
    ['contactBy', { contactBy: 'pairs' }],
    ['jointsBy', { jointsBy: 1 }],
    ['velocityBy', { velocityBy: 'cg' }],
    ['sleepSpeed', { scheme: 'published', sleepSpeed: 0.03 }],
    ['incompressible', { velocityBy: 'projection', incompressible: true }],
  ])('refuse %s in %j by name', async (name, solver) => {
    await expect(createWorld(scene(solver))).rejects.toMatchObject({ code: 'E_RANGE', place: `options/${name}` });
  });
});
