/** Strains shared through vertices (`smoothed`): forces, statics against an independent program, and softness against the closed form. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/body/model.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import type { FleshRows } from '../../src/solvers/projective/flesh-rows.js';
import { layOut } from '../../src/solvers/projective/layout.js';
import { NodalStrain } from '../../src/solvers/projective/nodal-strain.js';
import { linearMomentum, measured, norm, single } from '../support/checks/measure.js';
import { smoothedDisplacement, smoothedForces } from '../support/checks/smoothed-elasticity.js';

const E = 1e6;
const LENGTH = 5;

function bar(n: number, poissonRatio: number, length = LENGTH) {
  const mesh = buildLattice({ cells: [length * n, n, n], cellSize: 1 / n });
  const at = (x: number) =>
    [...Array(mesh.positions.length / 3).keys()].filter((v) => Math.abs(mesh.positions[v * 3] - x) < 1e-9);
  const materials = [{ model: 'corotated', youngModulus: E, poissonRatio, density: 100 } as const];
  return { body: { name: 'bar', ...mesh, pins: at(0), materials }, tip: at(length) };
}

/** Tip of a cantilever under one newton: P L³/3EI + P L/κGA, square section of side 1. */
function timoshenko(nu: number): number {
  const kappa = (10 * (1 + nu)) / (12 + 11 * nu);
  return LENGTH ** 3 / ((3 * E) / 12) + LENGTH / ((kappa * E) / (2 * (1 + nu)));
}

describe('forces of shared strains', () => {
  it('are minus the derivative of their energy, and none at rest, however it is turned', () => {
    const model = buildModel({ ...bar(1, 0.4, 2).body, pins: [] });
    const rowOfVertex = Int32Array.from({ length: model.vertexCount }, (_, v) => v);
    const nodal = new NodalStrain(model, layOut(model), rowOfVertex);
    const rows = (x: ArrayLike<number>) =>
      ({
        x32: {
          view: Float64Array.from({ length: model.vertexCount * 4 }, (_, i) =>
            i % 4 < 3 ? x[(i >> 2) * 3 + (i % 4)] : 0,
          ),
        },
        carriedRow: model.vertexCount,
        carriedForce: { view: new Float64Array(0) },
      }) as unknown as FleshRows;
    const forces = (x: ArrayLike<number>) => {
      const y = new Float64Array(model.vertexCount * 4);
      nodal.addForces(rows(x), y as unknown as Float32Array);
      return y;
    };
    const turned = model.positions.map((_, i) => {
      const v = i - (i % 3);
      const [x, y, z] = model.positions.subarray(v, v + 3);
      return [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z][i % 3];
    });
    expect(norm(forces(turned))).toBeLessThan(1e-9 * E);
    const bent = turned.map((x, i) => x + 0.1 * Math.sin(5 * i));
    const found = forces(bent);
    for (let i = 0; i < bent.length; i += 5) {
      const moved = (by: number) => nodal.energy(rows(bent.map((x, j) => (j === i ? x + by : x))));
      const slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      expect(Math.abs(found[Math.floor(i / 3) * 4 + (i % 3)] + slope)).toBeLessThan(1e-6 * norm(found));
    }
  });

  it('keep momentum', async () => {
    const { body } = bar(1, 0.45, 3);
    const s = await single({ ...body, pins: [] }, { smoothed: true, placement: { angularVelocity: [1, 2, 3] } });
    s.state.velocities[0] = 5;
    const before = linearMomentum(s.model, s.state);
    s.step(30);
    expect(norm(linearMomentum(s.model, s.state).map((p, k) => p - before[k]))).toBeLessThan(1e-9 * norm(before));
  });
});

describe('a cantilever with shared strains, small deflection', () => {
  it.each([
    [2, 0, 0.85],
    [2, 0.3, 0.9],
    [3, 0.45, 0.9],
  ])(
    '%i cells through the thickness, ν = %f: as an independent program says, and at least %f of the closed form',
    async (n, nu, least) => {
      const { body, tip } = bar(n, nu);
      const load = 3e-3 / timoshenko(nu);
      const s = await single(body, { dt: 1 / 15, iterations: 20, smoothed: true, damping: 2 });
      for (const v of tip) s.state.forces[v * 3 + 1] = load / tip.length;
      const drop = (u: ArrayLike<number>) =>
        tip.reduce((sum, v) => sum + u[v * 3 + 1] / tip.length, 0) / (load * timoshenko(nu));
      const expected = drop(smoothedDisplacement(buildModel(body), s.state.forces, 0.5, 1));
      s.step(160);
      const found = drop(s.state.positions.map((x, i) => x - s.model.positions[i]));
      measured(`smoothed cantilever ${n}, ${nu}`, [found, expected]);
      expect(Math.abs(found - expected)).toBeLessThan(0.005);
      expect(found).toBeGreaterThan(least);
      expect(found).toBeLessThan(1.05);
    },
  );
});

describe('a cube squeezed between plates that hold it', () => {
  const SQUEEZE = 0.01;

  function cube(n: number, poissonRatio: number) {
    const mesh = buildLattice({ cells: [n, n, n], cellSize: 1 / n });
    const at = (y: number) =>
      [...Array(mesh.positions.length / 3).keys()].filter((v) => Math.abs(mesh.positions[v * 3 + 1] - y) < 1e-9);
    const materials = [{ model: 'corotated', youngModulus: E, poissonRatio, density: 100 } as const];
    return { body: { name: 'cube', ...mesh, pins: [...at(0), ...at(1)], materials }, top: at(1) };
  }

  /** Displacements and the force of the upper plate by the independent program; `shape` and `volume` as there. */
  function expected(n: number, nu: number, shape: number, volume: number) {
    const { body, top } = cube(n, nu);
    const model = buildModel(body);
    const multiply = smoothedForces(model, shape, volume);
    const plate = new Float64Array(model.vertexCount * 3);
    for (const v of top) plate[v * 3 + 1] = -SQUEEZE;
    const rest = smoothedDisplacement(
      model,
      multiply(plate).map((f) => -f),
      shape,
      volume,
    );
    const u = plate.map((x, i) => x + rest[i]);
    const forces = multiply(u);
    return { u, force: top.reduce((sum, v) => sum - forces[v * 3 + 1], 0) };
  }

  it('bulges as the independent program says, 3 cells, ν = 0.45', async () => {
    const { body, top } = cube(3, 0.45);
    const s = await single(body, { dt: 1 / 15, iterations: 20, smoothed: true, damping: 2 });
    for (const v of top) s.state.positions[v * 3 + 1] -= SQUEEZE;
    s.step(160);
    const { u } = expected(3, 0.45, 0.5, 1);
    const found = s.state.positions.map((x, i) => x - s.model.positions[i]);
    // rotations make it 0.01 of a strain of 0.01 different
    const off = norm(found.map((x, i) => x - u[i])) / norm(u);
    measured('squeezed cube', { off });
    expect(off).toBeLessThan(0.01);
  });

  it('pushes back with 4 cells as with 12 plain ones within a tenth, ν = 0.45 (plain: 16 % more)', () => {
    const fine = expected(12, 0.45, 0, 0).force;
    const [shared, plain] = [expected(4, 0.45, 0.5, 1).force / fine, expected(4, 0.45, 0, 0).force / fine];
    measured('force of a squeezed cube, 4 cells over 12', { shared, plain });
    expect(Math.abs(shared - 1)).toBeLessThan(0.1);
    expect(plain).toBeGreaterThan(1.12);
  });
});
