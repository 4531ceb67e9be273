/** The kernel `writeBodies` against the plain code for poses and rates: the same bits. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { multiplyMat3Vec3 } from '../../../src/math/mat3.js';
import { conjugateQuat, multiplyQuat, normaliseQuat, quatToMat3 } from '../../../src/math/quat.js';
import { createRandom } from '../../../src/math/random.js';
import { writeRates } from '../../../src/solvers/coupled/bone-rates.js';

const COUNT = 7;
/** One that others move, and one that has no place. */
const DRIVEN = 2;
const LEFT_OUT = 4;

it('writes poses and rates as plain code does, to the last bit', async () => {
  const plan = new MemoryPlan();
  const sizes = [4, 3, 3, 3, 1, 9, 4];
  const [q, x, v, l, inverseMass, inverseInertia, turns] = sizes.map((size) => plan.f64(COUNT * size));
  const out = [4, 9, 3, 12, 2].map((size) => plan.f64(COUNT * size));
  const [quats, rotations, translations, rates, clock] = out;
  const parts = plan.i32(COUNT * 5);
  const table = plan.i32(8);
  const time = plan.f64(1);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const random = createRandom(11);
  for (const { view } of [q, x, v, l, inverseInertia, turns, clock]) {
    for (let i = 0; i < view.length; i++) view[i] = random.range(-1, 1);
  }
  inverseMass.view.fill(2);
  inverseMass.view[DRIVEN] = 0;
  for (let b = 0; b < COUNT; b++) {
    for (const { view } of [q, turns]) normaliseQuat(view, b * 4, view, b * 4);
    if (b === LEFT_OUT) continue;
    const places = [quats, rotations, translations, rates].map(
      ({ address, length }) => address + (length / COUNT) * b * 8,
    );
    // only the first has a clock of its own
    parts.view.set([...places, b === 0 ? clock.address : 0], b * 5);
  }
  table.view.set([q, x, v, l, inverseMass, inverseInertia, turns, parts].map(({ address }) => address));
  time.view[0] = 0.02;
  const was = Float64Array.from(clock.view);
  kernels.writeBodies(0, COUNT, 0, table.address, time.address);

  const wanted = out.map(({ view }) => new Float64Array(view.length));
  const turn = new Float64Array(4);
  const omega = new Float64Array(3);
  for (let b = 0; b < COUNT; b++) {
    if (b === LEFT_OUT) continue;
    conjugateQuat(turn, 0, turns.view, b * 4);
    multiplyQuat(wanted[0], b * 4, q.view, b * 4, turn, 0);
    quatToMat3(wanted[1], b * 9, wanted[0], b * 4);
    for (let k = 0; k < 3; k++) wanted[2][b * 3 + k] = x.view[b * 3 + k];
    if (b === DRIVEN) for (let k = 0; k < 3; k++) omega[k] = l.view[b * 3 + k];
    else multiplyMat3Vec3(omega, 0, inverseInertia.view, b * 9, l.view, b * 3);
    writeRates(wanted[3], b * 12, wanted[1], b * 9, omega, v.view, b * 3);
  }
  for (let n = 0; n < 4; n++) expect(Array.from(out[n].view)).toEqual(Array.from(wanted[n]));
  expect(Array.from(clock.view)).toEqual([was[0] + 1, 0.02, ...was.slice(2)]);
});
