/**
 * Stable neo-Hookean tets: the f64 specification against finite differences and closed forms, the kernel against the
 * specification, and the energy kernel of corotated tets against theirs.
 */
import { describe, expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { elasticEnergy } from '../../../src/kernels/reference/local-tets.js';
import { localNeoHookean, neoHookeanStress } from '../../../src/kernels/reference/neo-hookean.js';
import { packTetGroups, resetQuaternions, tetGroupCount } from '../../../src/kernels/tet-groups.js';
import { createRandom } from '../../../src/math/random.js';
import { makeSoup, type TetSoup } from '../../support/models/tet-soup.js';

const random = createRandom(77);

/** A memory with the tets packed, positions moved by up to `noise` of the tets' size, and the kernels. */
async function rigOf(soup: TetSoup, noise: number) {
  const tetCount = soup.tets.shearStiffness.length;
  const plan = new MemoryPlan();
  const x = plan.f32(soup.rest.length);
  const out = plan.f32(soup.rest.length);
  const quats = plan.f32(tetGroupCount(tetCount) * 16);
  const groups = plan.i32(tetGroupCount(tetCount) * 64);
  const total = plan.f64(1);
  const scratch = plan.f64(64);
  const memory = plan.allocate();
  const kernels = instantiateKernels(await compileKernels(false), memory);
  const f32 = new Float32Array(memory.buffer, groups.address, groups.length);
  const order = Int32Array.from({ length: tetCount }, (_, t) => t);
  packTetGroups(soup.tets, order, { i32: groups.view, f32 });
  resetQuaternions(quats.view);
  for (let i = 0; i < soup.rest.length; i++) x.view[i] = i % 4 === 3 ? 0 : soup.rest[i] + random.range(-noise, noise);
  return { kernels, x, out, quats, groups, total, scratch, last: tetGroupCount(tetCount) };
}

describe('the specification', () => {
  it('has the gradient of its energy, flat and inverted tets included (central differences)', () => {
    const stress = new Float64Array(9);
    const scratch = new Float64Array(9);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      const f = Float64Array.from({ length: 9 }, () => random.range(-1.5, 1.5));
      if (n % 3 === 0) for (let k = 0; k < 3; k++) f[6 + k] = f[k] + 1e-9 * f[3 + k];
      const [mu, lambda] = [random.range(0.5, 2), random.range(0, 10)];
      neoHookeanStress(stress, f, mu, lambda);
      const scale = Math.hypot(...stress) + mu + lambda;
      for (let k = 0; k < 9; k++) {
        const at = (offset: number) => {
          const g = f.slice();
          g[k] += offset;
          return neoHookeanStress(scratch, g, mu, lambda);
        };
        worst = Math.max(worst, Math.abs((at(1e-5) - at(-1e-5)) / 2e-5 - stress[k]) / scale);
      }
    }
    // V20 asks for 1e-6: truncation of the cubic energy at step 1e-5 is 1e-10, rounding 1e-11
    expect(worst).toBeLessThan(1e-8);
  });

  it('is linear elasticity with Lamé parameters mu and lambda - mu at small strain', () => {
    const stress = new Float64Array(9);
    const [mu, lambda, e] = [1.3, 4.1, 1e-6];
    const g = Float64Array.from({ length: 9 }, () => random.range(-e, e));
    const f = g.map((value, k) => value + (k % 4 === 0 ? 1 : 0));
    neoHookeanStress(stress, f, mu, lambda);
    const trace = g[0] + g[4] + g[8];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const strain = (g[3 * i + j] + g[3 * j + i]) / 2;
        const expected = 2 * mu * strain + (i === j ? (lambda - mu) * trace : 0);
        // what is left out is quadratic in the strain: 1e-12 times the stiffness and a few terms
        expect(Math.abs(stress[3 * i + j] - expected)).toBeLessThan(1e-10);
      }
    }
  });

  it('has the closed form of uniform stretch, and no stress at rest', () => {
    const stress = new Float64Array(9);
    for (const s of [0.3, 1, 2.4]) {
      const f = Float64Array.of(s, 0, 0, 0, s, 0, 0, 0, s);
      const energy = neoHookeanStress(stress, f, 1.7, 6);
      // P = mu s + (lambda (s³ − 1) − mu) s² on the diagonal
      expect(stress[0]).toBeCloseTo(1.7 * s + (6 * (s ** 3 - 1) - 1.7) * s * s, 12);
      expect(energy).toBeCloseTo(1.7 * (1.5 * (s * s - 1) - (s ** 3 - 1)) + 3 * (s ** 3 - 1) ** 2, 12);
      if (s === 1) expect(Math.max(...stress.map(Math.abs))).toBe(0);
    }
  });
});

describe('the kernels', () => {
  it.each([
    ['a little', 0.05],
    ['much, with inverted tets', 0.8],
  ])('follow the specification, tets deformed %s', async (_name, noise) => {
    const soup = makeSoup(random, 203, 1, () => 3);
    const { kernels, x, out, groups, total, last } = await rigOf(soup, noise);
    kernels.localNeoHookean(0, last, x.address, groups.address, out.address, total.address);
    const expected = new Float64Array(soup.rest.length);
    const energy = localNeoHookean(soup.tets, x.view, expected);
    // F, cofactors and stress are some thirty f32 operations on numbers up to the largest force; u = 2^-24
    const largest = Math.max(...expected.map(Math.abs));
    let worst = 0;
    for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(out.view[i] - expected[i]));
    expect(worst).toBeLessThan(64 * 2 ** -24 * largest);
    expect(Math.abs(total.view[0] - energy)).toBeLessThan(
      64 * 2 ** -24 * (energy + soup.tets.shearStiffness.length * 10),
    );
    // forces of each tet, which share no vertex here, sum to zero
    const { corners } = soup.tets;
    for (let tet = 0; tet < 203; tet++) {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let c = 0; c < 4; c++) sum += out.view[4 * corners[4 * tet + c] + k];
        expect(Math.abs(sum)).toBeLessThan(16 * 2 ** -24 * largest);
      }
    }
  });

  it('give the energy of corotated tets at the rotations of the local step', async () => {
    const soup = makeSoup(random, 101, 1, () => 2);
    const { kernels, x, out, quats, groups, total, scratch, last } = await rigOf(soup, 0.1);
    kernels.localTets(0, last, x.address, groups.address, quats.address, out.address, scratch.address);
    total.view[0] = 5;
    kernels.energyTets(0, last, x.address, groups.address, quats.address, total.address);
    const energy = elasticEnergy(soup.tets, x.view);
    // added to what was there; |F − R|² of f32 matrices of size one, 101 tets of stiffness up to 2
    expect(Math.abs(total.view[0] - 5 - energy)).toBeLessThan(1e-5 * energy + 101 * 64 * 2 ** -24);
  });
});
