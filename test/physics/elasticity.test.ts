/** Flesh against closed forms: energies and forces (V20, V21), stresses (V23, V23b), patch test (V22), pull (V24). */
import { describe, expect, it } from 'vitest';
import type { MaterialDef } from '../../src/body/body-def.js';
import { lameOf } from '../../src/body/materials.js';
import { elasticEnergy, localTets } from '../../src/kernels/reference/local-tets.js';
import type { TetElements } from '../../src/kernels/tet-groups.js';
import { createRandom } from '../../src/math/random.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { endTraction } from '../support/checks/end-load.js';
import { maxDifference, measured, norm, single } from '../support/checks/measure.js';
import { applyMat3, applyToVec3, rotationAbout } from '../support/checks/spin.js';
import { makeLocalRig } from '../support/models/tet-soup.js';

/** The tet with corners at the origin and at one metre along each axis: its B is the identity, its volume 1/6 m³. */
function unitTet(mu: number, lambda: number): TetElements {
  return {
    corners: [0, 1, 2, 3],
    inverseRest: Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]),
    shearStiffness: Float64Array.of((2 * mu) / 6),
    bulkStiffness: Float64Array.of(lambda / 6),
  };
}

/** Rows of the unit tet deformed by F, moved to `at`. */
function rowsOf(f: ArrayLike<number>, at = [0, 0, 0]): Float64Array {
  const rows = new Float64Array(16);
  for (let k = 0; k < 4; k++) {
    for (let i = 0; i < 3; i++) rows[k * 4 + i] = at[i] + (k > 0 ? f[i * 3 + k - 1] : 0);
  }
  return rows;
}

/** First Piola-Kirchhoff stress, from the forces on the corners: column k is minus the force on corner k+1 over V. */
function stressOf(forces: ArrayLike<number>): Float64Array {
  const p = new Float64Array(9);
  for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) p[i * 3 + k] = -6 * forces[(k + 1) * 4 + i];
  return p;
}

function stress(f: ArrayLike<number>, mu: number, lambda: number): Float64Array {
  const out = new Float64Array(16);
  localTets(unitTet(mu, lambda), rowsOf(f), out);
  return stressOf(out);
}

const lame = (nu: number, model: MaterialDef['model'] = 'corotated') =>
  lameOf({ model, youngModulus: 1, poissonRatio: nu, density: 1 }, 'm');

describe('V20 forces are minus the gradient of the energy (central differences)', () => {
  it.each([
    ['arap', 0.5, 0],
    ['corotated', 0.4, 0.6],
  ])('%s, 200 random states, some nearly flat: within 1e-6; the Hessian is symmetric', (_, mu, lambda) => {
    const random = createRandom(20);
    const tet = unitTet(mu, lambda);
    for (let trial = 0; trial < 200; trial++) {
      const f = Array.from({ length: 9 }, (_, i) => (i % 4 === 0 ? 1 : 0) + random.range(-0.4, 0.4));
      // every fifth state has one direction squeezed to 2 % or so: near flat, still with a gap between singular values
      if (trial % 5 === 0) for (let i = 0; i < 3; i++) f[i * 3 + 2] *= 0.02;
      const x = rowsOf(f);
      const forces = new Float64Array(16);
      localTets(tet, x, forces);
      const step = 1e-6;
      const hessian = new Float64Array(256);
      for (let c = 0; c < 16; c++) {
        if (c % 4 === 3) continue;
        const sides = [step, -step].map((d) => {
          const moved = x.slice();
          moved[c] += d;
          const out = new Float64Array(16);
          localTets(tet, moved, out);
          return { energy: elasticEnergy(tet, moved), out };
        });
        const slope = (sides[0].energy - sides[1].energy) / (2 * step);
        expect(Math.abs(slope + forces[c])).toBeLessThan(1e-6 * (norm(forces) + 1e-3));
        for (let r = 0; r < 16; r++) hessian[r * 16 + c] = (sides[1].out[r] - sides[0].out[r]) / (2 * step);
      }
      const size = norm(hessian);
      for (let r = 0; r < 16; r++) {
        for (let c = 0; c < r; c++) {
          expect(Math.abs(hessian[r * 16 + c] - hessian[c * 16 + r])).toBeLessThan(1e-5 * size);
        }
      }
    }
  });
});

describe('V21 invariance', () => {
  it('energy does not feel rigid motions, forces turn with them, the rest state has none: 1e-12', () => {
    const random = createRandom(21);
    const tet = unitTet(0.4, 0.6);
    const rest = new Float64Array(16);
    localTets(tet, rowsOf([1, 0, 0, 0, 1, 0, 0, 0, 1]), rest);
    expect(norm(rest)).toBeLessThan(1e-15);
    for (let trial = 0; trial < 100; trial++) {
      const f = Float64Array.from({ length: 9 }, (_, i) => (i % 4 === 0 ? 1 : 0) + random.range(-0.4, 0.4));
      const turn = rotationAbout([random.normal(), random.normal(), random.normal()], random.range(-3, 3));
      const x = rowsOf(f);
      const moved = rowsOf(applyMat3(turn, f), [3, -2, 1]);
      expect(Math.abs(elasticEnergy(tet, moved) / elasticEnergy(tet, x) - 1)).toBeLessThan(1e-12);
      const [before, after] = [x, moved].map((rows) => {
        const out = new Float64Array(16);
        localTets(tet, rows, out);
        return out;
      });
      for (let k = 0; k < 4; k++) {
        const turned = applyToVec3(turn, before, k * 4);
        expect(maxDifference(turned, after.subarray(k * 4, k * 4 + 3))).toBeLessThan(1e-12 * norm(before) + 1e-15);
      }
    }
  });
});

describe('V23 stress of the corotated model, closed forms', () => {
  const { mu, lambda } = lame(0.3);
  // E = 1, ν = 0.3: P11 = s − 1 and no stress across when the sides shrink to t = 1 − ν (s − 1); J = s t².
  it.each([
    [0.6, 0.7526],
    [1.5, 1.08375],
    [2.4, 0.8074],
  ])('uniaxial, s = %f: P11 = E (s − 1), free sides, J = %f, within 1e-10', async (s, volume) => {
    const t = 1 - 0.3 * (s - 1);
    const f = [s, 0, 0, 0, t, 0, 0, 0, t];
    expect(maxDifference(stress(f, mu, lambda), [s - 1, 0, 0, 0, 0, 0, 0, 0, 0])).toBeLessThan(1e-10);
    expect(s * t * t).toBeCloseTo(volume, 4);
    // the kernel of the solver, in f32, turned by an arbitrary rotation
    const turn = rotationAbout([1, 2, 3], 0.7);
    const rig = await makeLocalRig(unitTet(mu, lambda), 4);
    rig.x.set(rowsOf(applyMat3(turn, f)));
    for (let n = 0; n < 3; n++) {
      rig.out.fill(0);
      rig.run();
    }
    const expected = applyMat3(turn, [s - 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(maxDifference(stressOf(rig.out), expected)).toBeLessThan(2e-6);
  });

  it.each([0.5, 1.2, 3])('hydrostatic, s = %f: P = (2μ + 3λ)(s − 1) within 1e-12', (s) => {
    const p = (2 * mu + 3 * lambda) * (s - 1);
    expect(maxDifference(stress([s, 0, 0, 0, s, 0, 0, 0, s], mu, lambda), [p, 0, 0, 0, p, 0, 0, 0, p])).toBeLessThan(
      1e-12,
    );
  });

  it.each([
    [0.1, 0.0385815],
    [1, 0.4861277],
    [2, 1.332487],
  ])('simple shear, γ = %f: P12 = μ(2γ − 2γ/r) + λ(r − 2)γ/r = %f, r = √(4 + γ²), within 1e-12', (gamma, golden) => {
    const r = Math.sqrt(4 + gamma * gamma);
    const expected = mu * (2 * gamma - (2 * gamma) / r) + (lambda * (r - 2) * gamma) / r;
    expect(Math.abs(stress([1, gamma, 0, 0, 1, 0, 0, 0, 1], mu, lambda)[1] - expected)).toBeLessThan(1e-12);
    expect(expected).toBeCloseTo(golden, 6);
  });
});

describe('V22 patch test: a boundary moved by x = A X + b takes the inside with it', () => {
  it.each(['arap', 'corotated'] as const)('%s', async (model) => {
    const random = createRandom(22);
    const mesh = buildLattice({ cells: [4, 4, 4], cellSize: 0.25 });
    const pins: number[] = [];
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const inside = [0, 1, 2].every((k) => mesh.positions[v * 3 + k] > 1e-9 && mesh.positions[v * 3 + k] < 1 - 1e-9);
      if (!inside) pins.push(v);
      else for (let k = 0; k < 3; k++) mesh.positions[v * 3 + k] += random.range(-0.04, 0.04);
    }
    const a = applyMat3(rotationAbout([1, 1, 0], 0.5), [1.1, 0, 0, 0, 0.95, 0, 0, 0, 1.02]);
    const moved = new Float64Array(mesh.positions.length);
    for (let v = 0; v < moved.length / 3; v++) {
      moved.set(
        applyToVec3(a, mesh.positions, v * 3).map((x, k) => x + [0.3, -0.2, 0.1][k]),
        v * 3,
      );
    }
    const start = moved.map((x, i) => (pins.includes(Math.floor(i / 3)) ? x : x + random.range(-0.05, 0.05)));
    const body = {
      name: 'patch',
      ...mesh,
      pins,
      materials: [{ model, youngModulus: 1e5, poissonRatio: 0.3, density: 100 }],
    };
    const s = await single(body, { dt: 1 / 15, iterations: 40, placement: { startPositions: start } });
    s.step(60);
    const worst = maxDifference(s.state.positions, moved);
    measured(`V22 ${model}`, worst);
    // Target 1e-9 for f64; f32 positions are known to 6e-8 m here (measured 1.9e-8).
    expect(worst).toBeLessThan(1e-7);
  });
});

describe('V24 pull: the bar stretches by σ/E and gets thinner by ν σ/E', () => {
  it.each([
    ['arap, whatever ν is said to be, behaves as ν = 0 and E = 2 μ', 'arap', 0.3, 0],
    ['corotated, ν = 0', 'corotated', 0, 0],
    ['corotated, ν = 0.3', 'corotated', 0.3, 0.3],
  ] as const)('%s', async (_, model, given, nu) => {
    const mesh = buildLattice({ cells: [4, 2, 2], cellSize: 0.25, split: 'six' });
    // held so that the sides are free to move: bones would clamp the end, so pull both ends and let the bar float
    const [youngModulus, tension] = [1e5, 5e3];
    const body = { name: 'bar', ...mesh, materials: [{ model, youngModulus, poissonRatio: given, density: 100 }] };
    const s = await single(body, { dt: 1 / 15, iterations: 40 });
    endTraction(s.model, 0, 1).forEach((area, v) => {
      s.state.forces[v * 3] += area * tension;
    });
    endTraction(s.model, 0, 0).forEach((area, v) => {
      s.state.forces[v * 3] -= area * tension;
    });
    s.step(200);
    const stretch = 1 + tension / youngModulus;
    const squeeze = 1 - nu * (tension / youngModulus);
    const expected = s.model.positions.map((x, i) =>
      i % 3 === 0 ? 0.5 + (x - 0.5) * stretch : 0.25 + (x - 0.25) * squeeze,
    );
    const worst = maxDifference(s.state.positions, expected);
    measured(`V24 ${model} ${given}`, worst);
    // Target 1e-8 for f64. In f32 forces carry 1e-7 of E A: over a bar of four cells that adds up (measured 2.8e-7).
    expect(worst).toBeLessThan(1e-6);
  });
});

describe('V02 oscillator: one corner of a tet, backward Euler in closed form', () => {
  // With its base pinned and the apex moving along the normal, an arap tet is a spring of k V per (1 m)²: exactly linear.
  it.each([1 / 15, 0.02, 0.001])('ω = 10, h = %f s: x_n = rⁿ (A cos nφ + B sin nφ)', async (h) => {
    const density = 1000;
    const omega = 10;
    // ω² = k V / (ρ V / 4)
    const material = { model: 'arap', youngModulus: (omega * omega * density) / 4, poissonRatio: 0, density } as const;
    const positions = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const body = { name: 'tet', positions, tets: Int32Array.of(0, 1, 2, 3), pins: [0, 1, 2], materials: [material] };
    const amplitude = 0.25;
    const startPositions = positions.slice();
    startPositions[11] += amplitude;
    const s = await single(body, { dt: h, iterations: 3, placement: { startPositions } });
    const r = 1 / Math.sqrt(1 + (h * omega) ** 2);
    const phi = Math.atan(h * omega);
    // at rest at the start: x_{-1} = x_0
    const b = (amplitude * (Math.cos(phi) - r)) / Math.sin(phi);
    let worst = 0;
    for (let n = 1; n <= 300; n++) {
      s.step();
      const expected = r ** n * (amplitude * Math.cos(n * phi) + b * Math.sin(n * phi));
      worst = Math.max(worst, Math.abs(s.state.positions[11] - 1 - expected));
    }
    measured(`V02 h=${h}`, worst);
    // Target 1e-12 in f64; the rule for f32 is 2e-6 · size · √steps = 3.5e-5 (measured 8e-8).
    expect(worst).toBeLessThan(3e-7);
  });
});
