import { it } from 'vitest';
import { buildLattice } from '../../src/mesh/tet-lattice.js';
import { single } from '../support/measure.js';

it('cantilever', async () => {
  const nu = 0.3, E = 1e6, L = 5;
  for (const flip of [0, 1]) for (const split of ['five'] as const)
    for (const n of [1, 2, 4]) {
      const mesh = buildLattice({ cells: [5 * n, n, n], cellSize: 1 / n, split }); if (flip) for (let i = 0; i < mesh.positions.length; i += 3) { mesh.positions[i] = 5 - mesh.positions[i]; }
      const V = mesh.positions.length / 3;
      const pins = [], end: number[] = [];
      for (let v = 0; v < V; v++) {
        if (mesh.positions[v * 3] < 1e-9) pins.push(v);
        if (mesh.positions[v * 3] > L - 1e-9) end.push(v);
      }
      const weight = new Float64Array(V);
      for (let t = 0; t < mesh.tets.length; t += 4) {
        const on = [0, 1, 2, 3].map((k) => mesh.tets[t + k]).filter((v) => mesh.positions[v * 3] > L - 1e-9);
        if (on.length === 3) for (const v of on) weight[v] += 1 / (2 * n * n) / 3;
      }
      const I = 1 / 12, kappa = (10 * (1 + nu)) / (12 + 11 * nu), G = E / 2 / (1 + nu);
      const perP = L ** 3 / (3 * E * I) + L / (kappa * G);
      for (const amp of [3e-3]) for (const load of ['traction', 'equal'] as const) {
      const P = (amp * L) / perP;
      const s = await single({ name: 'c', ...mesh, pins, materials: [{ model: 'corotated', youngModulus: E, poissonRatio: nu, density: 100 }] }, { dt: 1 / 15, iterations: 20 });
      for (const v of end) s.state.forces[v * 3 + 1] = P * (load === 'traction' ? weight[v] : 1 / end.length);
      const hist: number[] = [];
      const t0 = performance.now();
      for (let k = 0; k < 400; k++) {
        s.step();
        let mean = 0, wm = 0;
        for (const v of end) { const d = s.state.positions[v * 3 + 1] - s.model.positions[v * 3 + 1]; mean += d / end.length; wm += d * weight[v]; }
        if (k % 100 === 99) hist.push(mean / (P * perP), wm / (P * perP));
      }
      console.log(split, flip, n, amp, load, JSON.stringify(hist.map((x) => +x.toFixed(5))), performance.now() - t0);
      }
    }
});
