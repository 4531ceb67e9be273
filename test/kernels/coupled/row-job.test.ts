/**
 * The kernels that go through all rows of a coupled world (`measureRows`, `beginSlots`, `finishSlots`) against the plain code, which is their specification, bit for bit; and those that lay the rows of a heap
 * down for sweeps in f32 and take them up again (`laySlots`, `layRows`, `takeRows`, `takeSlots`): the same motion as by plain sweeps in f64 to what f32 can tell, and momentum, which f32 is not to know of, to rounding.
 */
import { expect, it } from 'vitest';
import { compileKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ThreadPool } from '../../../src/kernels/thread-pool.js';
import { createRandom } from '../../../src/math/random.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import type { CoupledOptions } from '../../../src/solvers/coupled/options.js';
import { ground } from '../../support/models/coupled.js';
import { placeSoft, RUBBER, softBox } from '../../support/models/coupled-soft.js';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SHAPES = [
  { kind: 'sphere', radius: 0.1 },
  { kind: 'capsule', radius: 0.05, halfLength: 0.12 },
  { kind: 'torus', radius: 0.1, tubeRadius: 0.03 },
] as const;

/** Rigid bodies, a pair of them joined, and flesh, which kernels of flesh do not know: only rows differ. Thrown at the ground, or at each other in the air. */
function build(seed: number, options: Partial<CoupledOptions>, isOnGround: boolean) {
  const random = createRandom(seed);
  const at = () => [random.range(-0.2, 0.2), random.range(0.15, 0.6), random.range(-0.2, 0.2)];
  const rigid = Array.from({ length: 9 }, (_, n) => {
    const position = at();
    return {
      mass: 1 + n,
      inertia: IDENTITY.map((value) => 0.004 * value),
      inverseInertia: IDENTITY.map((value) => 250 * value),
      position,
      rotation: [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1), 1],
      velocity: position.map((value, k) => 0.3 - (k === 1 ? value : 0.3 + value)),
      shape: SHAPES[n % SHAPES.length],
    };
  });
  const model = softBox([2, 2, 2], 0.08, { ...RUBBER, model: 'stableNeoHookean' });
  const soft = Array.from({ length: 3 }, () => placeSoft(model, at(), { velocity: [0, random.range(-1, 0), 0] }));
  const all = isOnGround ? [...rigid, ground(0.5)] : rigid;
  const between = rigid[0].position.map((value, k) => 0.5 * (value + rigid[1].position[k]));
  const anchor = (n: number) =>
    unturned(
      rigid[n].rotation,
      between.map((value, k) => value - rigid[n].position[k]),
    );
  const joints = [{ type: 'ball' as const, a: 0, b: 1, anchorA: anchor(0), anchorB: anchor(1) }];
  const gravity = isOnGround ? [0, -9.81, 0] : [0, 0, 0];
  return new CoupledCore({ rigid: all, soft, joints, gravity }, options);
}

/** A vector in the frame of a body of this rotation, which is not of length one. */
function unturned(q: readonly number[], v: readonly number[]): number[] {
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map((value) => value / length);
  const t = [2 * (z * v[1] - y * v[2]), 2 * (x * v[2] - z * v[0]), 2 * (y * v[0] - x * v[1])];
  return [
    v[0] + w * t[0] + z * t[1] - y * t[2],
    v[1] + w * t[1] + x * t[2] - z * t[0],
    v[2] + w * t[2] + y * t[0] - x * t[1],
  ];
}

async function withKernels(core: CoupledCore): Promise<CoupledCore> {
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const start = core.plan(plan);
  start(threads.start(await compileKernels(false), plan.allocate()), threads);
  return core;
}

it.each([1, 2, 3, 4, 5, 6, 7])(
  'rows are measured and slots answer as in plain code, bit for bit, seed %d',
  async (seed) => {
    // many rows solved closely, and nothing faster than 2 m/s yet: no sweeps in f32
    const options = { gradientRows: 1e4 };
    const plain = build(seed, options, true);
    const fast = await withKernels(build(seed, options, true));
    let touches = 0;
    for (let n = 0; n < 3; n++) {
      plain.step(1 / 240);
      fast.step(1 / 240);
      touches = Math.max(touches, fast.contacts.push[1].filter((value) => value !== 0).length);
      expect(fast.rigid.x).toEqual(plain.rigid.x);
      expect(fast.rigid.l).toEqual(plain.rigid.l);
      expect(fast.soft.x).toEqual(plain.soft.x);
      expect(fast.soft.v).toEqual(plain.soft.v);
    }
    expect(touches).toBeGreaterThan(12);
  },
);

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a heap swept in f32 moves as one swept in f64, and keeps momentum to rounding, seed %d',
  async (seed) => {
    // one sweep upwards, and two steps, before a heap is fast enough on the whole to get more: plain sweeps go downwards in another order of the parts of a heap
    const options = { gradientRows: 1, sweeps: [1, 1] } as const;
    const plain = build(seed, options, false);
    const fast = await withKernels(build(seed, options, false));
    const before = momentumOf(fast);
    let pushes = 0;
    for (let n = 0; n < 2; n++) {
      plain.step(1 / 240);
      fast.step(1 / 240);
      pushes = Math.max(pushes, fast.contacts.push[0].filter((value) => value !== 0).length);
    }
    expect(pushes).toBeGreaterThan(30);
    // velocities of metres per second, known to 6e-8 of themselves in each of eight sweeps, over a 240th of a second
    fast.rigid.x.forEach((value, i) => {
      expect(Math.abs(value - plain.rigid.x[i])).toBeLessThan(1e-8);
    });
    fast.soft.x.forEach((value, i) => {
      expect(Math.abs(value - plain.soft.x[i])).toBeLessThan(1e-8);
    });
    // nothing from outside: what one body gains another loses
    momentumOf(fast).forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan(1e-12 * 45);
    });
  },
);

/** Linear momentum of everything [kg m/s]; all bodies together are 45 kg and some flesh. */
function momentumOf({ rigid, soft }: CoupledCore): number[] {
  return [0, 1, 2].map((k) => {
    let sum = 0;
    for (let b = 0; b < rigid.count; b++) sum += rigid.mass[b] * rigid.v[b * 3 + k];
    for (let i = 0; i < soft.vertexCount; i++) sum += soft.mass[i] * soft.v[i * 3 + k];
    return sum;
  });
}
