/**
 * Soft bodies of the coupled solver: free fall and momentum, sliding and sticking on an incline, stacks of soft and rigid boxes,
 * stretch under its own weight against the closed form.
 */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';
import { box, ground, incline, onIncline } from '../../support/models/coupled.js';
import { placeSoft, RUBBER, softBox } from '../../support/models/coupled-soft.js';

const g = 9.81;

/** Mass-weighted mean of an array of three numbers per vertex, for soft body s. */
function mean({ soft }: CoupledCore, s: number, values: Float64Array): number[] {
  const sum = [0, 0, 0];
  let mass = 0;
  for (let i = soft.firstVertex[s]; i < soft.firstVertex[s + 1]; i++) {
    mass += soft.mass[i];
    for (let k = 0; k < 3; k++) sum[k] += soft.mass[i] * values[i * 3 + k];
  }
  return sum.map((value) => value / mass);
}

describe('a soft body in free flight', () => {
  it('falls by g t²/2 exactly, wobbling and turning (V01b)', () => {
    const model = softBox([2, 2, 3], 0.1, { ...RUBBER, youngModulus: 1e5 });
    const start = placeSoft(model, [0, 5, 0], {
      velocity: [1, 2, 0],
      spin: [1, 5, 2],
      rotation: [1.1, 0, 0, 0, 0.9, 0, 0, 0, 1],
    });
    const core = new CoupledCore({ soft: [start] });
    const [x0, y0] = mean(core, 0, core.soft.x);
    for (let n = 1; n <= 120; n++) {
      core.step(1 / 60);
      const [x, y] = mean(core, 0, core.soft.x);
      const t = n / 60;
      expect(Math.abs(x - x0 - t)).toBeLessThan(1e-10);
      expect(Math.abs(y - y0 - 2 * t + 0.5 * g * t * t)).toBeLessThan(1e-10);
    }
  });
});

describe('incline (V50)', () => {
  const angle = Math.PI / 6;
  const rotation = [Math.cos(angle), Math.sin(angle), 0, -Math.sin(angle), Math.cos(angle), 0, 0, 0, 1];
  const model = softBox([3, 2, 2], 0.1);

  it('flesh slides by (sin α − μ cos α) g t²/2', () => {
    const core = new CoupledCore({
      rigid: [incline(angle, 0.2)],
      soft: [placeSoft(model, onIncline(angle, 0, 0.1), { rotation })],
    });
    const [x0, y0] = mean(core, 0, core.soft.x);
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const [x, y] = mean(core, 0, core.soft.x);
    const slid = (x - x0) * Math.cos(angle) - (y - y0) * Math.sin(angle);
    // measured elsewhere: within 3e-4
    expect(Math.abs(slid / 6.411716 - 1)).toBeLessThan(3e-4);
  });

  it('flesh sticks where μ > tan α', () => {
    const core = new CoupledCore({
      rigid: [incline(angle, 0.8)],
      soft: [placeSoft(model, onIncline(angle, 0, 0.1), { rotation })],
    });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const before = mean(core, 0, core.soft.x);
    for (let n = 0; n < 600; n++) core.step(1 / 60);
    const after = mean(core, 0, core.soft.x);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-4);
  });
});

describe('stacks of soft and rigid (V52)', () => {
  it('six alternating boxes stand, upright and where they were', () => {
    const half = 0.15;
    const model = softBox([2, 2, 2], 0.15, { ...RUBBER, youngModulus: 5e6 });
    const rigid = [0, 2, 4].map((i) => box([half, half, half], 27, { position: [0, half + 2 * half * i, 0] }));
    const soft = [1, 3, 5].map((i) => placeSoft(model, [0, half + 2 * half * i, 0]));
    const core = new CoupledCore({ rigid: [ground(), ...rigid], soft }, { substeps: 4 });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    for (let b = 1; b <= 3; b++) {
      expect(Math.abs(core.rigid.x[b * 3])).toBeLessThan(2e-4);
      // a tenth of a degree
      expect(core.rigid.rotation[b * 9 + 4]).toBeGreaterThan(1 - 1.5e-6);
    }
    // force under the lowest box: the weight of all
    let force = 0;
    for (let c = 0; c < core.contacts.count; c++) {
      if (Math.min(core.contacts.a[c], core.contacts.b[c]) === 0)
        force += Math.abs(core.contacts.push[1][c * 3 + 1]) * 240;
    }
    const weight = 9.81 * 6 * 27;
    expect(Math.abs(force / weight - 1)).toBeLessThan(0.01);
  });
});

describe('large ratios within one body (V56)', () => {
  // densities 1e4 to one and stiffnesses 1e8 to one, side by side: nothing has to be exact, but all of it finite, and no deeper than 5 % of the body
  it('a box half of feathers, half of steel lands on a floor', () => {
    const mesh = buildLattice({ cells: [2, 2, 4], cellSize: 0.1, origin: [-0.1, -0.1, -0.2] });
    const soft = { ...RUBBER, youngModulus: 1e3, density: 10 };
    const hard = { ...RUBBER, youngModulus: 1e11, density: 1e5 };
    const regions = Array.from({ length: mesh.tets.length / 4 }, (_, t) =>
      mesh.positions[mesh.tets[t * 4] * 3 + 2] < -1e-6 ? 1 : 0,
    );
    const model = new SoftModel(buildModel({ name: 'box', ...mesh, materials: [soft, hard], regions }));
    const core = new CoupledCore({ rigid: [ground()], soft: [placeSoft(model, [0, 0.3, 0])] });
    let deepest = 0;
    for (let n = 0; n < 120; n++) {
      core.step(1 / 60);
      expect(core.isFinite()).toBe(true);
      for (let c = 0; c < core.contacts.count; c++) deepest = Math.max(deepest, -core.contacts.gap[c]);
    }
    expect(deepest).toBeLessThan(0.05 * 0.4);
  });
});
