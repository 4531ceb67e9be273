/**
 * Flesh whose steps are watched for going uphill (stable neo-Hookean) comes to rest like any other, and where it should: at the
 * equilibrium that Newton's method finds on the same tets in f64 (test/support/checks/newton-equilibrium.ts).
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef, MaterialDef } from '../../src/body/body-def.js';
import { MATERIALS } from '../../src/body/materials.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { elasticEnergyOf } from '../support/checks/elastic-energy.js';
import { kineticEnergy, measured, type Single, single } from '../support/checks/measure.js';
import { newtonEquilibrium } from '../support/checks/newton-equilibrium.js';
import { buildFleshBar } from '../support/models/bodies.js';

const GRAVITY = [0, -9.81, 0] as const;
const SOFT: MaterialDef = { model: 'stableNeoHookean', youngModulus: 4e4, poissonRatio: 0.45, density: 1000 };

/** Upper arm fixed to the world, forearm on a hinge in the middle of the flesh between them, 0.6 m long times `scale`. */
function arm(material: MaterialDef, scale = 1): BodyDef {
  const cell = 0.05 * scale;
  return buildFleshBar({
    cells: [12, 2, 2],
    cell,
    layers: 4,
    material,
    joint: 'none',
    joints: [
      { name: 'shoulder', type: 'fixed', bones: ['a'], anchor: [0, cell, cell] },
      { name: 'elbow', type: 'hinge', bones: ['a', 'b'], anchor: [6 * cell, cell, cell], axis: [0, 0, 1] },
    ],
  });
}

/** A bar held at one end. */
function clampedBar(material: MaterialDef, cells: readonly [number, number, number], cell: number): BodyDef {
  const mesh = buildLattice({ cells, cellSize: cell, split: 'five' });
  const pins: number[] = [];
  for (let v = 0; v < mesh.positions.length / 3; v++) if (mesh.positions[v * 3] < 1e-9) pins.push(v);
  return { name: 'bar', ...mesh, pins, materials: [material] };
}

/** Largest distance of a vertex from the equilibrium, as a share of the largest way any vertex has to go there. */
function missed({ model, state }: Single, equilibrium: Float64Array): number {
  let way = 0;
  let miss = 0;
  for (let v = 0; v < model.vertexCount; v++) {
    const d = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Math.hypot(a[v * 3] - b[v * 3], a[v * 3 + 1] - b[v * 3 + 1], a[v * 3 + 2] - b[v * 3 + 2]);
    way = Math.max(way, d(model.positions, equilibrium));
    miss = Math.max(miss, d(state.positions, equilibrium));
  }
  return miss / way;
}

describe('a forearm on a hinge comes to rest at the equilibrium', () => {
  it.each([
    ['stableNeoHookean', 'backwardEuler', 1, 10],
    ['stableNeoHookean', 'backwardEuler', 1, 5],
    ['stableNeoHookean', 'bdf2', 1, 10],
    ['stableNeoHookean', 'backwardEuler', 0.1, 10],
    ['stableNeoHookean', 'backwardEuler', 10, 10],
    ['corotated', 'backwardEuler', 1, 10],
  ] as const)('%s, %s, size x%f, %i iterations', async (model, integrator, scale, iterations) => {
    // the same shape at every size: stiffness grows with the size, so that weight bends it as much
    const material = { ...SOFT, model, youngModulus: SOFT.youngModulus * scale };
    // a long arm swings slowly, and BDF2 damps little: neither changes where it comes to rest
    const damping = integrator === 'bdf2' || scale > 1 ? 3 : 0;
    const s = await single(arm(material, scale), { gravity: GRAVITY, iterations, integrator, damping });
    s.step(1200);
    const point = [0.3 * scale, 0.05 * scale, 0.05 * scale] as const;
    const equilibrium = newtonEquilibrium(s.model, GRAVITY, [{ bone: 1, point, axis: [0, 0, 1] }]);
    const miss = missed(s, equilibrium);
    const energy = kineticEnergy(s.model, s.state) / (s.model.totalMass * 9.81 * s.model.size);
    measured(`arm ${model} ${integrator} x${scale} ${iterations}`, { miss, energy });
    expect(energy).toBeLessThan(1e-8);
    expect(miss).toBeLessThan(0.002);
  });
});

describe('a clamped bar of rubber hangs as far as it should', () => {
  it.each([
    ['backwardEuler', 0.1, 10],
    ['backwardEuler', 0.1, 40],
    ['backwardEuler', 0.5, 10],
    ['bdf2', 0.1, 20],
  ] as const)('%s, cells of %f m, %i iterations', async (integrator, cell, iterations) => {
    const damping = 3;
    const body = clampedBar(MATERIALS.rubber, [8, 2, 2], cell);
    const s = await single(body, { gravity: GRAVITY, iterations, integrator, damping });
    s.step(2400);
    const miss = missed(s, newtonEquilibrium(s.model, GRAVITY));
    measured(`rubber ${integrator} ${cell} ${iterations}`, miss);
    expect(miss).toBeLessThan(0.01);
  });
});

describe('a body let go far from its shape gains no energy', () => {
  const starts = {
    stretched: (x: Float64Array, i: number) => {
      x[i] *= 2.5;
    },
    squashed: (x: Float64Array, i: number) => {
      x[i] *= 0.2;
    },
  };
  // Without gravity the sum of kinetic and elastic energy can only fall in a converged step. With 10 iterations it is not
  // quite converged: no step may add more than a tenth (0.065 is the most that was seen), and in the end much must be gone.
  it.each([
    ['backwardEuler', 0.3],
    ['backwardEuler', 0.48],
    ['bdf2', 0.3],
    ['bdf2', 0.45],
    ['bdf2', 0.48],
  ] as const)('%s, Poisson ratio %f', async (integrator, poissonRatio) => {
    for (const [name, place] of Object.entries(starts)) {
      const body = clampedBar({ ...SOFT, youngModulus: 1e5, poissonRatio }, [8, 3, 3], 0.1);
      const s = await single(body, { integrator });
      for (let v = 0; v < s.model.vertexCount; v++) place(s.state.positions, v * 3);
      const start = elasticEnergyOf(s);
      let before = start;
      let gain = 0;
      for (let n = 0; n < 120; n++) {
        s.step();
        const after = elasticEnergyOf(s) + kineticEnergy(s.model, s.state);
        gain = Math.max(gain, after / before - 1);
        before = after;
      }
      measured(`let go ${name} ${integrator} ${poissonRatio}`, { gain, left: before / start });
      expect(gain).toBeLessThan(0.1);
      expect(before).toBeLessThan(0.2 * start);
    }
  });
});
