/**
 * The kernels `findPairs` and `refreshBodies` against the plain search, which is their specification: balls, rods and rings, flesh and a floor,
 * thrown together, have the same contacts and go the same way bit for bit.
 */
import { expect, it } from 'vitest';
import { type AnyShape, sampleShape } from '../../../src/collision/rigid/sampled-shape.js';
import { compileKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ThreadPool } from '../../../src/kernels/thread-pool.js';
import { createRandom } from '../../../src/math/random.js';
import { PairKernels } from '../../../src/solvers/coupled/contacts/pair-kernels.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { ground } from '../../support/models/coupled.js';
import { placeSoft, softBox } from '../../support/models/coupled-soft.js';

const SHAPES: readonly AnyShape[] = [
  { kind: 'sphere', radius: 0.1 },
  { kind: 'capsule', radius: 0.05, halfLength: 0.12 },
  { kind: 'torus', radius: 0.1, tubeRadius: 0.03 },
  // two of them are left to plain code as well
  { kind: 'capsule', radius: 0.02, halfLength: 0.2 },
  // not known to the kernels
  { kind: 'box', halfExtents: [0.08, 0.1, 0.06] },
];
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function build(seed: number) {
  const random = createRandom(seed);
  const at = () => [random.range(-0.15, 0.15), random.range(0.1, 0.5), random.range(-0.15, 0.15)];
  const rigid = Array.from({ length: 10 }, (_, n) => ({
    mass: 1,
    inertia: IDENTITY.map((value) => 0.004 * value),
    inverseInertia: IDENTITY.map((value) => 250 * value),
    position: at(),
    rotation: [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1), 1],
    velocity: [random.range(-1, 1), random.range(-3, 0), random.range(-1, 1)],
    angularVelocity: [random.range(-5, 5), 0, random.range(-5, 5)],
    shape: SHAPES[n % SHAPES.length],
  }));
  const model = softBox([2, 2, 2], 0.08);
  const soft = Array.from({ length: 3 }, () => placeSoft(model, at(), { velocity: [0, random.range(-2, 0), 0] }));
  const all = [ground(0.5), ...rigid];
  const shapes = all.map(({ shape }) => sampleShape(shape as AnyShape));
  return { core: new CoupledCore({ rigid: all, soft }), shapes };
}

/** Boxes of flesh exactly on each other: the nearest face to a corner is beside it, and another one counts. */
function buildStack() {
  const model = softBox([2, 2, 2], 0.1);
  const soft = [0.1, 0.3, 0.5].map((y) => placeSoft(model, [0, y, 0]));
  const all = [ground(0.5)];
  return {
    core: new CoupledCore({ rigid: all, soft }),
    shapes: all.map(({ shape }) => sampleShape(shape as AnyShape)),
  };
}

/** Steps a world with the plain search and its like with kernels; the most contacts they had. */
async function compare(make: () => ReturnType<typeof build>): Promise<number> {
  const { core: plain } = make();
  const { core: fast, shapes } = make();
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const pairs = new PairKernels(plan, fast.rigid, fast.soft, fast.sides, shapes, fast.search.broad.pairs.length);
  pairs.start(threads.start(await compileKernels(false), plan.allocate()), threads);
  fast.search.kernels = pairs;
  let contacts = 0;
  for (let n = 0; n < 5; n++) {
    plain.step(1 / 60);
    fast.step(1 / 60);
    contacts = Math.max(contacts, fast.contacts.count);
    expect(fast.contacts.count).toBe(plain.contacts.count);
    for (const name of ['key', 'normal', 'gap', 'armA', 'armB', 'sideA', 'sideB'] as const) {
      expect(fast.contacts[name]).toEqual(plain.contacts[name]);
    }
    expect(fast.sides.weight).toEqual(plain.sides.weight);
    expect(fast.soft.x).toEqual(plain.soft.x);
  }
  return contacts;
}

it.each([1, 2, 3, 4])('kernels find the contacts that the plain search finds, bit for bit, seed %d', async (seed) => {
  expect(await compare(() => build(seed))).toBeGreaterThan(40);
});

it('and those of boxes exactly on each other: nine corners each way, twice, and nine on the floor', async () => {
  expect(await compare(buildStack)).toBe(45);
});
