/**
 * Kernels of joints (`readyJoints`, `solveChains`) and of rigid bodies (`advanceBodies`) against the plain code, which is their specification, bit for bit: loops of rods that tumble and fold, one of them
 * with a joint that is there twice, which has no factor and is left to gradients.
 */
import { describe, expect, it } from 'vitest';
import { compileKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ThreadPool } from '../../../src/kernels/thread-pool.js';
import { createRandom } from '../../../src/math/random.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import type { CoupledJoint } from '../../../src/solvers/coupled/rigid/coupled-joint.js';
import { JointCloser } from '../../../src/solvers/coupled/rigid/joint-closer.js';
import { box } from '../../support/models/coupled.js';

const SIDES = 6;
const HALF = 0.1;

/** A ring of rods in the plane of z = `at`, joined end to end, in pieces of `spin` rad/s at random. */
function ring(first: number, at: number, spin: number, seed: number) {
  const random = createRandom(seed);
  const radius = HALF * Math.sqrt(3);
  const rigid = Array.from({ length: SIDES }, (_, n) => {
    const angle = ((2 * n + 1) * Math.PI) / SIDES;
    // along the tangent
    const turn = 0.5 * (angle + Math.PI / 2);
    const rod = box([HALF, 0.02, 0.02], 1 + 0.2 * n, {
      position: [radius * Math.cos(angle), radius * Math.sin(angle), at],
      rotation: [0, 0, Math.sin(turn), Math.cos(turn)],
      angularVelocity: [random.range(-spin, spin), random.range(-spin, spin), random.range(-spin, spin)],
    });
    return { ...rod, shape: 'none' as const };
  });
  const joints = rigid.map((_, n): CoupledJoint => {
    const [a, b] = [first + n, first + ((n + 1) % SIDES)];
    return { type: 'ball', a, b, anchorA: [HALF, 0, 0], anchorB: [-HALF, 0, 0] };
  });
  return { rigid, joints };
}

async function withKernels(core: CoupledCore): Promise<CoupledCore> {
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const start = core.plan(plan);
  start(threads.start(await compileKernels(false), plan.allocate()), threads);
  return core;
}

describe('joints by kernels', () => {
  it.each([1, 2, 3])('ready, close and move bodies as plain code does, bit for bit, seed %d', async (seed) => {
    const build = () => {
      const rings = [0, 1, 2].map((n) => ring(n * SIDES, n, 4, seed * 10 + n));
      const joints = rings.flatMap((one) => one.joints);
      // what is said twice
      const twice = [...joints, joints[0]];
      return new CoupledCore({ rigid: rings.flatMap(({ rigid }) => rigid), joints: twice, gravity: [0, -9.81, 0] });
    };
    const plain = build();
    const fast = await withKernels(build());
    const before = plain.rigid.q.slice();
    for (let n = 0; n < 20; n++) {
      plain.step(1 / 60);
      fast.step(1 / 60);
    }
    expect(fast.rigid.x).toEqual(plain.rigid.x);
    expect(fast.rigid.q).toEqual(plain.rigid.q);
    expect(fast.rigid.l).toEqual(plain.rigid.l);
    expect(fast.joints.push).toEqual(plain.joints.push);
    expect(fast.joints.largestGap(fast.rigid)).toBeLessThan(1e-10);
    // they have turned by far more than a small angle
    expect(Math.max(...before.map((value, i) => Math.abs(value - plain.rigid.q[i])))).toBeGreaterThan(0.3);
  });

  it('solves loops and open chains of several lengths side by side as plain code does one by one, bit for bit', async () => {
    const build = () => {
      const rings = Array.from({ length: 11 }, (_, n) => ring(n * SIDES, n, 4, n));
      // how many joints each lacks: four alike, one by itself, two alike, and four of which one says a thing twice
      const lacking = [0, 0, 0, 0, 1, 2, 2, 0, 0, 0, 0];
      const joints = rings.flatMap((one, n) => one.joints.slice(lacking[n]));
      const twice = [...joints, rings[8].joints[3]];
      return new CoupledCore({ rigid: rings.flatMap(({ rigid }) => rigid), joints: twice, gravity: [0, -9.81, 0] });
    };
    const plain = build();
    const fast = await withKernels(build());
    for (let n = 0; n < 20; n++) {
      plain.step(1 / 60);
      fast.step(1 / 60);
    }
    expect(fast.rigid.x).toEqual(plain.rigid.x);
    expect(fast.rigid.q).toEqual(plain.rigid.q);
    expect(fast.joints.push).toEqual(plain.joints.push);
  });

  it('closes what is open and leaves what is closed as it is, bit for bit', () => {
    const rings = [0, 1, 2].map((n) => ring(n * SIDES, n, 0, n));
    const core = new CoupledCore({
      rigid: rings.flatMap(({ rigid }) => rigid),
      joints: rings.flatMap(({ joints }) => joints),
    });
    const { rigid, joints } = core;
    // the middle one comes apart
    rigid.x[SIDES * 3] += 1e-3;
    const [x, q] = [rigid.x.slice(), rigid.q.slice()];
    expect(joints.largestGap(rigid)).toBeGreaterThan(0.9e-3);
    new JointCloser(rigid, core.sides, joints, rigid.count).close(core.movable);
    expect(joints.largestGap(rigid)).toBeLessThan(1e-11);
    for (const first of [0, 2 * SIDES]) {
      expect(rigid.x.slice(first * 3, (first + SIDES) * 3)).toEqual(x.slice(first * 3, (first + SIDES) * 3));
      expect(rigid.q.slice(first * 4, (first + SIDES) * 4)).toEqual(q.slice(first * 4, (first + SIDES) * 4));
    }
    // pushed within alone: its middle, by mass, stays
    const weighed = (places: Float64Array) =>
      Array.from({ length: SIDES }, (_, n) => rigid.mass[SIDES + n] * places[(SIDES + n) * 3]).reduce((a, b) => a + b);
    expect(Math.abs(weighed(rigid.x) - weighed(x))).toBeLessThan(1e-15);
  });
});
