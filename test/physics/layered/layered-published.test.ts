/** The condensation of [Galoppo2007 §5] as printed: exact where its approximate inverse is the full one, and how far off it is where not. */
import { describe, expect, it } from 'vitest';
import { pressByRows, pressTube } from '../../../bench/figures/pressed-tube.js';
import { lameOf, MATERIALS } from '../../../src/body/materials.js';
import {
  boneRow,
  type PublishedRow,
  publishedResponse,
  skinRow,
  solveDense,
} from '../../../src/solvers/layered/compare/published-contact.js';
import {
  blockSolve,
  condensedBones,
  fullSolve,
  type PublishedMatrices,
  publishedMatrices,
} from '../../../src/solvers/layered/compare/published-layer.js';
import { layerModulus, skinMatrix } from '../../../src/solvers/layered/skin/skin-matrix.js';
import { buildLayerModel, placeBody, tubeDef } from '../../support/models/layered.js';

const H = 1 / 60;

/** A tube in a bent pose; half of its mass is in the skin. */
function bentTube(around: number, rings: number, material = MATERIALS.muscle, bend = 0.6): PublishedMatrices {
  const model = buildLayerModel(tubeDef(around, rings, 3, { material }));
  const body = placeBody(model, [0, 0, 0]);
  for (let bone = 0; bone < 3; bone++) {
    body.state.poses.quats.set([0, 0, Math.sin((bone * bend) / 2), Math.cos((bone * bend) / 2)], 4 * bone);
    body.state.poses.updateRotation(bone);
  }
  const { positions, triangles, areas, depths, totalMass } = model;
  const columns = areas.map((area, p) => area * depths[p]);
  const whole = columns.reduce((sum, column) => sum + column, 0);
  const masses = columns.map((column) => (0.5 * totalMass * column) / whole);
  const stiffness = skinMatrix({ positions, triangles }, areas, depths, layerModulus(lameOf(material, 'material')));
  return publishedMatrices(body, stiffness, masses, H);
}

const ROWS: readonly PublishedRow[] = [
  { node: 3, normal: [0, 1, 0], speed: 0.3 },
  { node: 4, normal: [0, 0.8, 0.6], speed: 0.1 },
  { node: 17, normal: [0.6, 0, -0.8], speed: -0.2 },
];

describe('condensed dynamics as published', () => {
  it('are those of the whole system where the approximate inverse is the full one (V37)', () => {
    const matrices = bentTube(6, 5);
    const size = Math.sqrt(matrices.bones.length);
    const n = matrices.skin.size;
    const all = size + n + ROWS.length;
    // [Galoppo2007 eq. 9] as one dense system, solved by elimination: bones, skin and contacts together
    const whole = new Float64Array(all * all);
    const set = (row: number, column: number, value: number): void => {
      whole[row * all + column] = value;
      whole[column * all + row] = value;
    };
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) whole[a * all + b] = matrices.bones[a * size + b];
      for (let i = 0; i < n; i++) set(a, size + i, matrices.coupling[a * n + i]);
    }
    for (let row = 0; row < n; row++) {
      for (let i = matrices.skin.rowStart[row]; i < matrices.skin.rowStart[row + 1]; i++) {
        whole[(size + row) * all + size + matrices.skin.columns[i]] = matrices.skin.values[i];
      }
    }
    ROWS.forEach((row, c) => {
      boneRow(matrices, row).forEach((value, a) => {
        set(a, size + n + c, -value);
      });
      skinRow(matrices, row).forEach((value, i) => {
        set(size + i, size + n + c, -value);
      });
    });
    const right = new Float64Array(all);
    ROWS.forEach(({ speed }, c) => {
      right[size + n + c] = -speed;
    });
    const expected = solveDense(whole, right);
    const { bones, skin, impulses } = publishedResponse(matrices, fullSolve(matrices), ROWS);
    const got = [...bones, ...skin, ...impulses];
    const scale = Math.max(...expected.map(Math.abs));
    const error = Math.max(...got.map((value, i) => Math.abs(value - expected[i]))) / scale;
    expect(error).toBeLessThan(1e-12);
  });

  it('leave an error in the inertia of the bones: the paper found less than 10 % (V38)', () => {
    const error = (material: typeof MATERIALS.muscle): number => {
      const matrices = bentTube(10, 14, material);
      const exact = condensedBones(matrices, fullSolve(matrices));
      const printed = condensedBones(matrices, blockSolve(matrices));
      return spectralNorm(exact.map((value, i) => printed[i] - value)) / spectralNorm(exact);
    };
    const [muscle, fat] = [error(MATERIALS.muscle), error(MATERIALS.fat)];
    expect(muscle).toBeGreaterThan(0);
    expect(muscle).toBeLessThan(0.1);
    expect(fat).toBeGreaterThan(muscle);
  });

  it('press back harder the finer the mesh, where the force with the exact compliance settles', () => {
    const meshes = [
      [10, 29],
      [20, 58],
    ] as const;
    const [coarse, fine] = meshes.map(([around, rings]) => pressTube(around, rings, 'published'));
    const [exactCoarse, exactFine] = meshes.map(([around, rings]) => pressTube(around, rings, 'exact'));
    // 20 % more force where the mesh is refined is the coarse mesh's error; all beyond it is made by the method
    expect(exactFine / exactCoarse).toBeLessThan(1.2);
    expect(coarse).toBeGreaterThan(1.2 * exactCoarse);
    expect(fine / exactFine).toBeGreaterThan(2 * (coarse / exactCoarse));
  });

  it('are what the step takes with contact: published: the force of the rows by themselves', () => {
    const step = pressTube(10, 29, 'published');
    // the rows lead all the way out at once, where the step goes on from dents, and turns nodes with them
    expect(Math.abs(step / pressByRows(10, 29) - 1)).toBeLessThan(0.1);
  });
});

/** Largest singular value of a square matrix, by powers of AᵀA. */
function spectralNorm(a: Float64Array): number {
  const n = Math.sqrt(a.length);
  let x = Float64Array.from({ length: n }, (_, i) => 1 + (i % 7));
  let norm = 0;
  for (let round = 0; round < 300; round++) {
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
    const z = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) z[j] += a[i * n + j] * y[i];
    const length = Math.hypot(...z);
    norm = Math.sqrt(length / Math.hypot(...x));
    x = z.map((value) => value / length);
  }
  return norm;
}
