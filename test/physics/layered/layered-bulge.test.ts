/** Skin that bulges beside a dent: confined compression and sliding against closed forms, symmetry, and what rises beside a dent. */
import { describe, expect, it } from 'vitest';
import { lameOf } from '../../../src/body/materials.js';
import { dotVec3 } from '../../../src/math/vec3.js';
import { bulgingMatrix } from '../../../src/solvers/layered/skin/bulging-matrix.js';
import { shownDents } from '../../../src/solvers/layered/skin/skin-step.js';
import {
  boxDef,
  buildLayerModel,
  FLOOR,
  makeCore,
  placeBody,
  run,
  tubeDef,
  upForce,
} from '../../support/models/layered.js';

const H = 1 / 60;
const MATERIAL = { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.4, density: 1000 } as const;
const { lambda, mu } = lameOf(MATERIAL, 'material');
const DEPTH = 0.02;

/** K times a vector. */
function times({ size, rowStart, columns, values }: ReturnType<typeof bulgingMatrix>, x: Float64Array): Float64Array {
  return Float64Array.from({ length: size }, (_, row) => {
    let sum = 0;
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) sum += values[i] * x[columns[i]];
    return sum;
  });
}

describe('the stiffness of a skin that bulges', () => {
  const model = buildLayerModel(boxDef([0.1, 0.1, 0.1], 14, { depth: DEPTH, bulges: true }));
  const stiffness = bulgingMatrix(model, model.areas, model.depths, { lambda, mu, weight: 0 });

  it('resists a flat face being pressed in evenly by (λ + 2 μ)/t, and slid by μ/t', () => {
    // all nodes go down together: on the upper face, away from its edges, that is a pressing in; on the sides a sliding
    const down = Float64Array.from({ length: 3 * model.nodeCount }, (_, i) => (i % 3 === 1 ? -1 : 0));
    const force = times(stiffness, down);
    let [pressed, slid] = [0, 0];
    for (let p = 0; p < model.nodeCount; p++) {
      const [x, y, z] = model.positions.subarray(3 * p, 3 * p + 3);
      const isInner = [x, y, z].filter((value) => Math.abs(value) < 0.05).length === 2;
      if (!isInner) continue;
      const stiff = -force[3 * p + 1] / model.areas[p];
      if (y > 0.099) pressed = stiff;
      if (x > 0.099) slid = stiff;
    }
    expect(pressed / ((lambda + 2 * mu) / DEPTH)).toBeCloseTo(1, 4);
    expect(slid / (mu / DEPTH)).toBeCloseTo(1, 4);
  });

  it('is symmetric, and no way of moving nodes costs less than nothing', () => {
    for (let n = 0; n < 5; n++) {
      const x = Float64Array.from({ length: stiffness.size }, (_, i) => Math.sin(i * i + n));
      const y = Float64Array.from({ length: stiffness.size }, (_, i) => Math.cos(3 * i * i + n));
      const [Kx, Ky] = [times(stiffness, x), times(stiffness, y)];
      const [a, b, own] = [Kx, Ky, Kx].map((k, i) => k.reduce((sum, value, j) => sum + value * [y, x, x][i][j], 0));
      expect(Math.abs(a - b) / own).toBeLessThan(1e-12);
      expect(own).toBeGreaterThan(0);
    }
  });
});

describe('a ball pressed into a held tube', () => {
  /** Farthest in and out of the skin [m]. */
  const press = (bulges: boolean) => {
    const bones = [{ name: 'held', parent: -1, place: [0, 0, 0], kinematic: true }] as const;
    const model = buildLayerModel(tubeDef(20, 40, 1, { bones, bulges, material: MATERIAL }));
    const ball = {
      name: 'ball',
      shape: { kind: 'sphere', radius: 0.06 },
      position: [0, 0.125, 0],
      friction: 0,
    } as const;
    const core = makeCore([placeBody(model, [0, 0, 0])], [ball], { sweeps: 60, selfContact: false });
    run(core, H, 30, undefined, [0, 0, 0]);
    const dents = new Float64Array(3 * model.nodeCount);
    shownDents(core.bodies[0], dents);
    const along = model.areas.map((_, p) => dotVec3(dents, 3 * p, model.normals, 3 * p));
    return { deepest: -Math.min(...along), highest: Math.max(...along) };
  };

  it('raises the skin beside it by some hundredths of the dent, which a plain skin does not', () => {
    const [plain, bulging] = [press(false), press(true)];
    expect(bulging.highest / bulging.deepest).toBeGreaterThan(0.03);
    expect(bulging.highest / bulging.deepest).toBeLessThan(0.15);
    expect(plain.highest / plain.deepest).toBeLessThan(0.005);
  });
});

describe('a tube that bulges, on a floor', () => {
  it('is carried with its weight, and never deeper in the floor than it is pressed', () => {
    const model = buildLayerModel(tubeDef(12, 17, 2, { bulges: true }));
    const body = placeBody(model, [0, 0.09, 0], [Math.sin(Math.PI / 72), 0, 0, Math.cos(Math.PI / 72)]);
    const core = makeCore([body], [FLOOR], { selfContact: false });
    run(core, H, 240);
    expect(upForce(core, H) / (9.81 * model.totalMass)).toBeCloseTo(1, 3);
  });
});
