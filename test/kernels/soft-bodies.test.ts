/** The kernels `elasticBodies` and `answerBodies`, as the coupled solver calls them, against their specification and in parts. */
import { expect, it } from 'vitest';
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { answerBody, balanceForces } from '../../src/kernels/reference/soft-bodies.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';
import { createRandom } from '../../src/math/random.js';
import { addElasticForces } from '../../src/solvers/coupled/soft/forces/soft-forces.js';
import { SoftKernels } from '../../src/solvers/coupled/soft/soft-kernels.js';
import { softBox } from '../support/models/coupled-soft.js';

const H = 1 / 240;

/** Forty bodies of two models, so that there are several parts; the second of them sleeps. */
async function build() {
  const models = [softBox([2, 2, 3], 0.1), softBox([1, 2, 2], 0.1)];
  const bodies = Array.from({ length: 40 }, (_, s) => models[s % 2]);
  const first = new Int32Array(bodies.length + 1);
  bodies.forEach(({ size }, s) => {
    first[s + 1] = first[s] + size;
  });
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const kernels = new SoftKernels(plan, bodies, first);
  const memory = plan.allocate();
  threads.start(await compileKernels(false), memory);
  for (const model of models) model.prepare(H);
  kernels.start(threads);
  const asleep = new Uint8Array(bodies.length);
  asleep[1] = 1;
  return { bodies, first, kernels, asleep };
}

it('forces are those of the elements in f64, and sum to nothing', async () => {
  const { bodies, first, kernels, asleep } = await build();
  const random = createRandom(1);
  const x = new Float64Array(first[40] * 3);
  bodies.forEach(({ elements }, s) => {
    elements.positions.forEach((value, i) => {
      x[first[s] * 3 + i] = s + value + random.range(-0.01, 0.01);
    });
  });
  kernels.seed(x);
  const force = new Float64Array(x.length).fill(7);
  kernels.elastic(x, force, asleep);
  for (const s of [0, 2, 39]) {
    const { elements, size } = bodies[s];
    const wanted = new Float64Array(x.length);
    addElasticForces(elements, x, first[s], new Float64Array(elements.tetCount * 4), 0, wanted);
    const rows = new Float64Array(size * 4);
    for (let v = 0; v < size; v++) for (let k = 0; k < 3; k++) rows[v * 4 + k] = wanted[(first[s] + v) * 3 + k];
    const balanced = new Float64Array(size * 3);
    balanceForces(rows, elements.masses, balanced);
    const largest = Math.max(...balanced.map(Math.abs));
    // positions in f32 about the body's origin: 1e-8 m of strains of 1e-1 over cells of 0.1 m
    balanced.forEach((value, i) => {
      expect(Math.abs(force[first[s] * 3 + i] - value)).toBeLessThan(2e-5 * largest);
    });
    let sum = 0;
    for (let v = first[s]; v < first[s + 1]; v++) sum += force[v * 3];
    expect(Math.abs(sum)).toBeLessThan(1e-12 * size * largest);
  }
});

it('answers carry the momentum of the impulses; who sleeps does not move', async () => {
  const { bodies, first, kernels, asleep } = await build();
  const random = createRandom(2);
  const impulses = Float64Array.from({ length: first[40] * 3 }, () => random.range(-1, 1));
  for (const track of [0, 1] as const) {
    const velocity = Float64Array.from(impulses, () => random.range(-1, 1));
    const before = velocity.slice();
    kernels.answer(impulses, velocity, track, H, asleep);
    expect(velocity.subarray(first[1] * 3, first[2] * 3)).toEqual(before.subarray(first[1] * 3, first[2] * 3));
    for (const s of [0, 2, 39]) {
      const { elements, first: early, second: late } = bodies[s];
      const part = (array: Float64Array) => array.slice(first[s] * 3, first[s + 1] * 3);
      const wanted = part(before);
      answerBody((track === 0 ? early : late).table, elements.masses, part(impulses), false, wanted);
      const largest = Math.max(...wanted.map(Math.abs));
      // a table of f32
      part(velocity).forEach((value, i) => {
        expect(Math.abs(value - wanted[i])).toBeLessThan(1e-6 * largest);
      });
      let gained = 0;
      for (let v = first[s]; v < first[s + 1]; v++) {
        gained += elements.masses[v - first[s]] * (velocity[v * 3] - before[v * 3]) - impulses[v * 3];
      }
      expect(Math.abs(gained)).toBeLessThan(1e-12);
    }
  }
});
