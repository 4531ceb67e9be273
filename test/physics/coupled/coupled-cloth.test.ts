/**
 * Sheets in the coupled solver against closed forms: stress in the plane, a plate strip that bends under its weight, a sheet that hangs, a
 * catenary, and a cloth on a ball, whose weight the ball carries.
 */
import { describe, expect, it } from 'vitest';
import { buildClothModel } from '../../../src/body/kinds/cloth-model.js';
import type { Model } from '../../../src/body/model.js';
import { analyse, factor } from '../../../src/linalg/cholesky.js';
import { solveOriginal } from '../../../src/linalg/cholesky-solve.js';
import { sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { sheetStress } from '../../../src/solvers/coupled/soft/forces/sheet-forces.js';
import { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';
import { sheetDef } from '../../support/models/cloth.js';

const g = 9.81;
const LINEN = { youngModulus: 1e6, poissonRatio: 0, density: 500 };

/** The bending form with the first vertices held, solved for the weight of the others: deflections, 0 where held. */
function bendUnderWeight({ sheet, masses }: Model, heldCount: number): Float64Array {
  const { size, rowStart, columns, values } = sheet!.bending;
  const entries = Array.from({ length: size - heldCount }, (_, r) => r + heldCount).flatMap((row) =>
    Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, k) => rowStart[row] + k)
      .filter((n) => columns[n] >= heldCount)
      .map((n) => [row - heldCount, columns[n] - heldCount, values[n]]),
  );
  const free = size - heldCount;
  const [rows, cols, vals] = [0, 1, 2].map((k) => entries.map((entry) => entry[k]));
  const matrix = sparseFromTriplets(free, rows, cols, vals);
  const load = Float64Array.from({ length: free }, (_, v) => masses[v + heldCount] * g);
  solveOriginal(factor(analyse(matrix), matrix), load, load, new Float64Array(free));
  return Float64Array.from({ length: size }, (_, v) => (v < heldCount ? 0 : load[v - heldCount]));
}

/** Work of the stress for each volume while a parameter goes from 0 to `end`: ∫ P : dF, by Simpson's rule in 200 parts, dF by differences of fourth order. */
function workOf(gradient: (a: number) => readonly number[], end: number, mu: number, lambda: number): number {
  const parts = 200;
  const step = 1e-4;
  const stress = new Float64Array(6);
  let sum = 0;
  for (let n = 0; n <= parts; n++) {
    const a = (end * n) / parts;
    sheetStress(stress, Float64Array.from(gradient(a)), Float64Array.of(mu, lambda));
    const weight = n === 0 || n === parts ? 1 : 2 + 2 * (n % 2);
    const at = [-2, -1, 1, 2].map((k) => gradient(a + k * step));
    for (let k = 0; k < 6; k++) {
      sum += (weight * stress[k] * (at[0][k] - 8 * at[1][k] + 8 * at[2][k] - at[3][k])) / (12 * step);
    }
  }
  return (sum * end) / (3 * parts);
}

describe('a sheet as it is built', () => {
  it('is stretched as in plane stress: P₁₁ = E (s − 1) where it may contract', () => {
    const nu = 0.3;
    const stress = new Float64Array(6);
    const [mu, lambda] = [1 / (2 * (1 + nu)), nu / (1 - nu * nu)];
    sheetStress(stress, Float64Array.from([1.1, 0, 0, 1 - 0.1 * nu, 0, 0]), Float64Array.of(mu, lambda));
    expect(Math.abs(stress[0] - 0.1)).toBeLessThan(1e-14);
    expect(Math.abs(stress[3])).toBeLessThan(1e-14);
    // turned in space the stress turns along
    sheetStress(stress, Float64Array.from([0, 0, 1.1, 0, 0, 1 - 0.1 * nu]), Float64Array.of(mu, lambda));
    expect(Math.abs(stress[2] - 0.1)).toBeLessThan(1e-14);
  });

  // the work of the stress on the way to a shear is the energy of the polar form, μ |F − R|² + λ/2 (tr RᵀF − 2)². Threads that keep their lengths and close to an angle of 0.3 less than a right one, F = [1 sin θ; 0 cos θ]:
  // R is the turn by θ/2, c its cosine, W/E = 2 (1 − c)/(1 + ν) + 2ν (1 − c)²/(1 − ν²). Simple shear, F = [1 γ; 0 1]: t = √(4 + γ²) in place of 2c, |F|² = 2 + γ²
  it('sheared takes the work that corotated plane stress says', () => {
    const nu = 0.3;
    const [mu, lambda] = [1 / (2 * (1 + nu)), nu / (1 - nu * nu)];
    const angle = 0.3;
    const closing = workOf((a) => [1, Math.sin(a), 0, Math.cos(a), 0, 0], angle, mu, lambda);
    const left = 1 - Math.cos(angle / 2);
    const closed = (2 * left) / (1 + nu) + (2 * nu * left * left) / (1 - nu * nu);
    expect(Math.abs(closed - 0.0173584)).toBeLessThan(1e-7);
    expect(Math.abs(closing - closed)).toBeLessThan(1e-12);
    const slid = workOf((a) => [1, a, 0, 1, 0, 0], angle, mu, lambda);
    const t = Math.sqrt(4 + angle * angle);
    const simple = mu * (4 + angle * angle - 2 * t) + 0.5 * lambda * (t - 2) ** 2;
    expect(Math.abs(simple - 0.0174865)).toBeLessThan(1e-7);
    expect(Math.abs(slid - simple)).toBeLessThan(1e-12);
  });

  // a strip clamped at one end sinks by q L⁴/(8 D); of the clamp two columns are held, one cell before the strip begins
  it('bends as a plate does, to first order in the size of the cells', () => {
    const [length, width, t] = [1, 0.2, 0.01];
    const errors = [10, 20, 40].map((cells) => {
      const across = cells / 5;
      const size = [length * (1 + 1 / cells), width] as const;
      const model = buildClothModel(sheetDef([cells + 1, across], size, t, LINEN));
      const sunk = bendUnderWeight(model, 2 * (across + 1));
      const load = LINEN.density * t * g;
      const plate = (load * length ** 4) / (8 * ((LINEN.youngModulus * t ** 3) / 12));
      return sunk[sunk.length - 1] / plate - 1;
    });
    // measured on another mesh with another program: 0.2100, 0.1025, 0.0506
    [0.21, 0.1025, 0.0506].forEach((known, i) => {
      expect(Math.abs(errors[i] - known)).toBeLessThan(1e-3);
    });
  });

  // a strip on a cylinder of curvature κ holds D κ²/2 for each of its area: ν = 0, so that it does not bend across
  it('rolled up holds the energy of a plate, to first order in the size of the cells', () => {
    const [length, width, t, curvature] = [1, 0.2, 0.01, 2];
    const ratios = [10, 20, 40].map((cells) => {
      const { sheet, positions } = buildClothModel(sheetDef([cells, cells / 5], [length, width], t, LINEN));
      const { size, rowStart, columns, values } = sheet!.bending;
      const rolled = Float64Array.from({ length: size * 2 }, (_, i) => {
        const angle = curvature * positions[(i >> 1) * 3];
        return (i % 2 === 0 ? Math.sin(angle) : 1 - Math.cos(angle)) / curvature;
      });
      let energy = 0;
      for (let r = 0; r < size; r++) {
        for (let n = rowStart[r]; n < rowStart[r + 1]; n++) {
          for (let k = 0; k < 2; k++) energy += 0.5 * rolled[r * 2 + k] * values[n] * rolled[columns[n] * 2 + k];
          // along the axis nothing is bent: every vertex stays where it was
          energy += 0.5 * positions[r * 3 + 2] * values[n] * positions[columns[n] * 3 + 2];
        }
      }
      return energy / (0.5 * ((LINEN.youngModulus * t ** 3) / 12) * curvature ** 2 * length * width);
    });
    // measured with another program: 0.8940, 0.9484, 0.9746
    [0.894, 0.9484, 0.9746].forEach((known, i) => {
      expect(Math.abs(ratios[i] - known)).toBeLessThan(2e-4);
    });
  });
});

describe('a sheet that hangs', () => {
  it('by its upper hem is longer by ρ g L²/(2 E)', () => {
    const soft = { ...LINEN, youngModulus: 1e5 };
    const def = sheetDef([16, 4], [1, 0.25], 0.002, soft, { pins: [0, 1, 2, 3, 4] });
    const model = new SoftModel(buildClothModel(def));
    const { positions } = model.elements;
    // turned to hang down
    const hanging = Float64Array.from(positions, (_, i) =>
      i % 3 === 1 ? -positions[i - 1] : i % 3 === 0 ? 0 : positions[i],
    );
    const core = new CoupledCore({ soft: [{ model, positions: hanging }] }, { substeps: 1 });
    for (let n = 0; n < 400; n++) core.step(1 / 60);
    const end = core.soft.x[(model.size - 3) * 3 + 1];
    const longer = (soft.density * g) / (2 * soft.youngModulus);
    // the lumped mass of the last row hangs lower than its share by half a cell: 1/(2·16)² of it
    expect(Math.abs((-end - 1) / longer - 1)).toBeLessThan(5e-3);
  });

  // span 1, length 1.2: cosh and sinh give a sag of 0.292344 for a chain that does not stretch or resist bending
  it('from two ends follows the catenary', () => {
    const cells = 24;
    const pins = [0, 1, cells * 2, cells * 2 + 1];
    const material = { ...LINEN, youngModulus: 1e7, bendingStiffness: 0 };
    const def = sheetDef([cells, 1], [1.2, 0.05], 0.001, material, { pins });
    const model = new SoftModel(buildClothModel(def));
    const rest = model.elements.positions;
    const start = Float64Array.from(rest, (value, i) => {
      const along = rest[i - (i % 3)] / 1.2;
      return i % 3 === 0 ? along : i % 3 === 1 ? -4 * 0.29 * along * (1 - along) : value;
    });
    const core = new CoupledCore({ soft: [{ model, positions: start }] }, { substeps: 1 });
    for (let n = 0; n < 6000; n++) {
      core.step(1 / 60);
      // nothing damps it: it is stopped now and then
      if (n % 300 === 299) core.soft.v.fill(0);
    }
    const sag = -core.soft.x[cells * 3 + 1];
    expect(Math.abs(sag / 0.292344 - 1)).toBeLessThan(5e-3);
  });
});

describe('a cloth on a ball', () => {
  it('lies on it, no deeper than a tenth of a millimetre, and the ball carries its weight', () => {
    const material = { ...LINEN, youngModulus: 1e5, bendingStiffness: 1e-6 };
    const def = sheetDef([14, 14], [0.7, 0.7], 0.004, material);
    const model = new SoftModel(buildClothModel(def));
    const positions = Float64Array.from(model.elements.positions, (value, i) => (i % 3 === 1 ? 0.21 : value - 0.35));
    const ball = { mass: 0, inertia: [], inverseInertia: [], position: [0, 0, 0], friction: 0.6 };
    const shape = { kind: 'sphere', radius: 0.2 } as const;
    const core = new CoupledCore({ rigid: [{ ...ball, shape }], soft: [{ model, positions, friction: 0.6 }] });
    for (let n = 0; n < 240; n++) core.step(1 / 60);
    let force = 0;
    let deepest = 0;
    const frames = 30;
    for (let n = 0; n < frames; n++) {
      core.outerImpulse.fill(0);
      core.step(1 / 60);
      force += core.outerImpulse[1] * 60;
      for (let v = 0; v < model.size; v++) {
        const [x, y, z] = core.soft.x.subarray(v * 3, v * 3 + 3);
        deepest = Math.max(deepest, 0.202 - Math.sqrt(x * x + y * y + z * z));
      }
    }
    const weight = g * model.elements.masses.reduce((sum, mass) => sum + mass, 0);
    expect(deepest).toBeLessThan(1e-4);
    expect(Math.abs(force / frames / weight - 1)).toBeLessThan(0.02);
    // it hangs down at its sides
    expect(core.soft.x[1]).toBeLessThan(0.05);
  });
});
