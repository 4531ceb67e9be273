/** The condensation of [Galoppo2007 §5] as printed: exact where its approximate inverse is the full one, and how far off it is where not. */
import { describe, expect, it } from 'vitest';
import { pressByRows, pressTube } from '../../../bench/figures/pressed-tube.js';
import type { MaterialDef } from '../../../src/body/body-def.js';
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
import {
  type Condensation,
  type PublishedSkin,
  PublishedStep,
} from '../../../src/solvers/layered/compare/published-step.js';
import type { LayerBody } from '../../../src/solvers/layered/layer-body.js';
import { layerModulus, skinMatrix } from '../../../src/solvers/layered/skin/skin-matrix.js';
import { buildLayerModel, placeBody, tubeDef } from '../../support/models/layered.js';

const H = 1 / 60;

/** A tube in a bent pose, with a skin of half its mass more. */
function bentBody(around: number, rings: number, material: MaterialDef, bend: number): [LayerBody, PublishedSkin] {
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
  return [body, { stiffness, masses, h: H }];
}

function bentTube(around: number, rings: number, material = MATERIALS.muscle, bend = 0.6): PublishedMatrices {
  const [body, { stiffness, masses }] = bentBody(around, rings, material, bend);
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
    const [coarse, fine] = meshes.map(([around, rings]) => pressTube(around, rings, 'printed'));
    const [exactCoarse, exactFine] = meshes.map(([around, rings]) => pressTube(around, rings, 'exact'));
    // 20 % more force where the mesh is refined is the coarse mesh's error; all beyond it is made by the method
    expect(exactFine / exactCoarse).toBeLessThan(1.2);
    expect(coarse).toBeGreaterThan(1.2 * exactCoarse);
    expect(fine / exactFine).toBeGreaterThan(2 * (coarse / exactCoarse));
  });

  it('are what the step takes with contact: printed: the force of the rows by themselves', () => {
    const step = pressTube(10, 29, 'printed');
    // the rows lead all the way out at once, where the step goes on from dents, and turns nodes with them
    expect(Math.abs(step / pressByRows(10, 29) - 1)).toBeLessThan(0.1);
  });
});

describe('the step as published, skin with inertia', () => {
  const up = [0, 9.81, 0];
  const down = [0, -9.81, 0];
  const start = (condensation: Condensation): { step: PublishedStep; mass: number } => {
    const [body, skin] = bentBody(6, 5, MATERIALS.fat, 0.6);
    const mass = skin.masses.reduce((sum, m) => sum + m, body.model.totalMass);
    return { step: new PublishedStep(body, skin, condensation), mass };
  };

  it('keeps the law of momentum where all of the skin is taken out of the bones, and loses some where its blocks are', () => {
    const errorOf = (condensation: Condensation): number => {
      const { step, mass } = start(condensation);
      // dents all over: forces within, which change no momentum
      step.dents.forEach((_, i) => {
        step.dents[i] = 0.01 * Math.sin(i);
      });
      step.step(down);
      // Newton's second law: M g h
      const expected = mass * 9.81 * H;
      return Math.hypot(step.momentum[0], step.momentum[1] + expected, step.momentum[2]) / expected;
    };
    expect(errorOf('full')).toBeLessThan(1e-13);
    // the printed eq. 10 has the blocks on its left and all of M̃_s on its right
    expect(errorOf('block')).toBeGreaterThan(5e-3);
  });

  it('passes on to a floor what it takes from it, and holds on to it when pulled away: equalities pull', () => {
    const { step, mass } = start('full');
    step.step(down, -0.05);
    const push = step.impulses.reduce((sum, impulse) => sum + impulse, 0);
    expect(step.impulses.length).toBeGreaterThan(3);
    // the law of momentum again: weight and what the floor gave
    expect(Math.abs(step.momentum[1] - (push - mass * 9.81 * H))).toBeLessThan(1e-13 * mass);
    expect(push).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) step.step(up, -0.05);
    expect(step.impulses.reduce((sum, impulse) => sum + impulse, 0)).toBeLessThan(-0.1 * push);
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
