/** Sheets as models: what they weigh, what is refused, and that rest shapes resist nothing. */
import { describe, expect, it } from 'vitest';
import type { ClothDef } from '../../../src/body/kinds/cloth-def.js';
import { buildClothModel } from '../../../src/body/kinds/cloth-model.js';
import { addSheetForces } from '../../../src/solvers/coupled/soft/forces/sheet-forces.js';
import { sheetDef } from '../../support/models/cloth.js';

const MATERIAL = { youngModulus: 1e6, poissonRatio: 0.3, density: 400 };
const SHEET = sheetDef([4, 3], [0.8, 0.6], 0.005, MATERIAL);

describe('the model of a sheet', () => {
  it('weighs density times thickness times area, and has no tets', () => {
    const model = buildClothModel(SHEET);
    expect(model.totalMass).toBeCloseTo(400 * 0.005 * 0.8 * 0.6, 12);
    expect(model.kind).toBe('cloth');
    expect(model.tetCount).toBe(0);
    expect(model.surface.triangles.length).toBe(3 * 24);
  });

  // a sheet moved and turned as a whole is not deformed, and forces within it add up to nothing whatever its shape
  it('resists no motion as a whole, and keeps momentum when it is crumpled', () => {
    const { sheet, positions } = buildClothModel(SHEET);
    const forces = new Float64Array(positions.length);
    const turned = Float64Array.from(positions, (_, i) => {
      const [x, y, z] = positions.subarray(i - (i % 3), i - (i % 3) + 3);
      return [0.6 * x - 0.8 * y + 1, 0.8 * x + 0.6 * y - 2, z + 3][i % 3];
    });
    addSheetForces(sheet!, turned, 0, forces);
    expect(Math.max(...forces.map(Math.abs))).toBeLessThan(1e-9);
    const crumpled = turned.map((value, i) => value + 0.03 * Math.sin(17 * i));
    addSheetForces(sheet!, crumpled, 0, forces);
    const largest = Math.max(...forces.map(Math.abs));
    for (let k = 0; k < 3; k++) {
      const sum = forces.reduce((total, value, i) => total + (i % 3 === k ? value : 0), 0);
      expect(Math.abs(sum)).toBeLessThan(1e-12 * largest * forces.length);
    }
    expect(largest).toBeGreaterThan(1);
  });

  // flat: none; a cylinder of radius r: D A/(2 r²)
  it('holds the energy of a bent plate, less what its border misses', () => {
    const { sheet, positions } = buildClothModel(SHEET);
    const { size, rowStart, columns, values } = sheet!.bending;
    const energy = (x: Float64Array) => {
      let sum = 0;
      for (let row = 0; row < size; row++) {
        for (let n = rowStart[row]; n < rowStart[row + 1]; n++) {
          for (let k = 0; k < 3; k++) sum += 0.5 * values[n] * x[row * 3 + k] * x[columns[n] * 3 + k];
        }
      }
      return sum;
    };

    const r = 2;
    const bent = Float64Array.from(positions, (value, i) => (i % 3 === 1 ? positions[i - 1] ** 2 / (2 * r) : value));
    const stiffness = (1e6 * 0.005 ** 3) / (12 * (1 - 0.09));
    const plate = (stiffness * 0.8 * 0.6) / (2 * r * r);
    // of five columns of cells the hinges of the first and the last are missing at the border
    expect(energy(bent) / plate).toBeGreaterThan(0.6);
    expect(energy(bent) / plate).toBeLessThan(1.0001);
    expect(Math.abs(energy(positions) / plate)).toBeLessThan(1e-12);
  });
});

describe('what is refused', () => {
  const refused: [string, Partial<ClothDef>, string, string][] = [
    ['no thickness', { thickness: 0 }, 'E_RANGE', 'body/thickness'],
    ['a thickness that is no number', { thickness: Number.NaN }, 'E_RANGE', 'body/thickness'],
    ['no triangles', { triangles: [] }, 'E_EMPTY', 'body/triangles'],
    ['a triangle past the end', { triangles: [0, 1, 99] }, 'E_INDEX', 'body/triangles/2'],
    ['vertices in no triangle', { triangles: [0, 1, 4] }, 'E_SURFACE', 'body/positions/6'],
    ['no density', { material: { ...MATERIAL, density: 0 } }, 'E_RANGE', 'body/material/density'],
    ['a pin past the end', { pins: [99] }, 'E_INDEX', 'body/pins/0'],
    ['a pinned bone', { pins: [0], bones: [{ name: 'hem', vertices: [0, 1] }] }, 'E_SHARED_VERTEX', 'body/pins/0'],
  ];
  it.each(refused)('%s', (_, change, code, place) => {
    expect(() => buildClothModel({ ...SHEET, ...change })).toThrow(expect.objectContaining({ code, place }));
  });

  it('an edge of three triangles, a triangle without area', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0];
    const fan = { ...SHEET, positions, triangles: [0, 1, 2, 0, 1, 3, 0, 1, 4] };
    expect(() => buildClothModel(fan)).toThrow(expect.objectContaining({ code: 'E_SURFACE' }));
    const line = { ...SHEET, positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [0, 1, 2] };
    expect(() => buildClothModel(line)).toThrow(expect.objectContaining({ code: 'E_SURFACE' }));
  });
});
