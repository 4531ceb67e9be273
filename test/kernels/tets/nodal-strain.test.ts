/** Means around vertices: the f64 specification against central differences and invariance, the kernel against the specification. */
import { describe, expect, it } from 'vitest';
import type { MaterialDef } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { LOCAL_SCRATCH_BYTES } from '../../../src/kernels/kernel-table.js';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import {
  NODAL_ENTRY_BYTES,
  NODAL_GROUP_BYTES,
  type NodalMeans,
  packNodalGroups,
} from '../../../src/kernels/nodal-groups.js';
import { nodalStrain } from '../../../src/kernels/reference/nodal-strain.js';
import { resetQuaternions } from '../../../src/kernels/tet-groups.js';
import { createRandom } from '../../../src/math/random.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { layOut } from '../../../src/solvers/projective/layout.js';
import { nodalMeans } from '../../../src/solvers/projective/nodal-strain.js';
import { maxDifference, measured, norm } from '../../support/checks/measure.js';
import { applyToVec3, rotationAbout } from '../../support/checks/spin.js';

const FAMILIES = [
  ['corotated', 0.4],
  ['corotated', 0.499],
  ['stableNeoHookean', 0.4],
  ['stableNeoHookean', 0.499],
] as const;

/** The means of a block of 3 x 2 x 2 cells of 0.5 m, one end of it pinned: 27 of them, so that the last group is not full. */
function block(model: MaterialDef['model'], poissonRatio: number): { means: NodalMeans; rest: Float64Array } {
  const mesh = buildLattice({ cells: [3, 2, 2], cellSize: 0.5 });
  const pins = [...Array(mesh.positions.length / 3).keys()].filter((v) => mesh.positions[v * 3] < 1e-9);
  const materials = [{ model, youngModulus: 10, poissonRatio, density: 1 }];
  const built = buildModel({ name: 'block', ...mesh, pins, materials });
  const rows = Int32Array.from({ length: built.vertexCount }, (_, v) => v);
  const rest = new Float64Array(built.vertexCount * 4);
  for (let v = 0; v < built.vertexCount; v++) rest.set(built.positions.subarray(v * 3, v * 3 + 3), v * 4);
  return { means: nodalMeans(built, layOut(built), rows, model === 'stableNeoHookean'), rest };
}

function moved(rest: Float64Array, amount: number, turn: number, seed = 5): Float64Array {
  const random = createRandom(seed);
  const rotation = rotationAbout([1, -2, 0.5], turn);
  const x = new Float64Array(rest.length);
  for (let v = 0; v < rest.length; v += 4) {
    applyToVec3(rotation, rest, v).forEach((value, k) => {
      x[v + k] = value + random.range(-amount, amount);
    });
  }
  return x;
}

describe.each(FAMILIES)('means of %s flesh, ν = %f: the specification', (model, nu) => {
  const { means, rest } = block(model, nu);
  const isNeoHookean = model === 'stableNeoHookean';
  const forces = (x: Float64Array) => {
    const out = new Float64Array(x.length);
    return { energy: nodalStrain(means, isNeoHookean, x, out), out };
  };

  it('pushes by minus the derivative of its energy (central differences), and with no sum', () => {
    const x = moved(rest, 0.1, 1);
    const { out } = forces(x);
    const step = 1e-5;
    for (let i = 0; i < x.length; i++) {
      if (i % 4 === 3) continue;
      const at = (by: number) => forces(x.map((value, j) => (j === i ? value + by : value))).energy;
      const slope = (at(step) - at(-step)) / (2 * step);
      expect(Math.abs(slope + out[i])).toBeLessThan(1e-6 * norm(out));
    }
    for (let k = 0; k < 3; k++) {
      const sum = out.reduce((s, f, i) => (i % 4 === k ? s + f : s), 0);
      expect(Math.abs(sum)).toBeLessThan(1e-13 * norm(out) * out.length);
    }
  });

  it('is at rest at rest, however it is turned', () => {
    const { energy, out } = forces(moved(rest, 0, 2.5));
    const stiffness = Math.max(...means.bulkStiffness);
    expect(norm(out)).toBeLessThan(1e-11 * stiffness);
    expect(Math.abs(energy)).toBeLessThan(1e-11 * stiffness);
  });

  it('has a mean for each vertex that is free, and none for those that are held', () => {
    expect(means.rows.length).toBe(27);
    for (const row of means.rows) expect(rest[row * 4]).toBeGreaterThan(0);
  });
});

describe.each(FAMILIES)('means of %s flesh, ν = %f: the kernel', (model, nu) => {
  it.each([
    ['near rest', 1e-3, 0.3, 0],
    ['bent', 0.1, 2, 0],
    ['squeezed and partly inside out', 0.4, 1, 0],
    ['far from the origin by a hundred sizes', 0.1, 1, 150],
  ])('agrees with the specification, %s', async (_, amount, turn, away) => {
    const { means, rest } = block(model, nu);
    const isNeoHookean = model === 'stableNeoHookean';
    const groupCount = Math.ceil(means.rows.length / 4);
    const plan = new MemoryPlan();
    const [x, out] = [plan.f32(rest.length), plan.f32(rest.length)];
    const quats = plan.f32(groupCount * 16);
    const groups = plan.i32((groupCount * NODAL_GROUP_BYTES) / 4);
    // entries of another family come first
    const entries = plan.i32(((means.entryRows.length + 7) * NODAL_ENTRY_BYTES) / 4);
    const [total, scratch] = [plan.f64(1), plan.f64(LOCAL_SCRATCH_BYTES / 8)];
    const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
    const both = (i32: Int32Array) => ({ i32, f32: new Float32Array(i32.buffer, i32.byteOffset, i32.length) });
    packNodalGroups(means, 0, means.rows.length, both(groups.view), both(entries.view), 7);
    resetQuaternions(quats.view);
    x.view.set(moved(rest, amount, turn).map((value, i) => (i % 4 < 3 ? value + away : 0)));
    // rotations are carried on: the second time they begin where they are
    for (let n = 0; n < 2; n++) {
      out.view.fill(0);
      total.view[0] = 0.25;
      kernels.nodalStrain(
        0,
        isNeoHookean ? 0 : groupCount,
        groupCount,
        x.address,
        groups.address,
        entries.address,
        quats.address,
        out.address,
        scratch.address,
        total.address,
      );
    }
    const expected = new Float64Array(rest.length);
    const energy = nodalStrain(means, isNeoHookean, Float64Array.from(x.view), expected);
    const stiffness = Math.max(...means.bulkStiffness) + Math.max(...means.shearStiffness);
    const worst = maxDifference(out.view, expected) / (norm(expected) + stiffness);
    measured(`nodal kernel ${model} ${nu} ${amount} ${away}`, [worst, (total.view[0] - 0.25) / energy - 1]);
    // rows of f32, and sums over some twenty neighbours: a few units in the last place of stress
    expect(worst).toBeLessThan(2e-6);
    // an F that is off by u gives an energy that is off by u times the stress; a neo-Hookean one is what is left of terms of the size of mu besides
    const u = 4e-7;
    const terms = 2 * amount * stiffness + (isNeoHookean ? Math.max(...means.shearStiffness) : 0);
    expect(Math.abs(total.view[0] - 0.25 - energy)).toBeLessThan(u * (energy + means.rows.length * terms));
  });
});
