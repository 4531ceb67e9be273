import { it } from 'vitest';
import { buildFleshBar, STIFF } from '../support/bodies.js';
import { single, momentOf, norm, inertialTarget } from '../support/measure.js';

it('v10 its', async () => {
  for (const k of [1e5, 1e6, 1e7]) for (const iterations of [1, 2, 5, 10, 20, 100]) {
      const body = buildFleshBar({ cells: [2, 2, 9], cell: 0.1, layers: 4, axis: 2, split: 'six', material: { ...STIFF, youngModulus: k }, joints: [{ name: 'pin', type: 'ball', bones: ['a'], anchor: [0.1, 0.1, 0.15] }] });
      const s = await single(body, { dt: 1 / 30, iterations, gravity: [0, 0, 9.81] });
      s.step(400);
      let sum = 0, c = 0;
      for (let v = 0; v < s.model.vertexCount; v++) {
        if (s.model.bones.ofVertex[v] >= 0) continue;
        sum += s.state.positions[v * 3 + 2] - s.model.positions[v * 3 + 2]; c++;
      }
      console.log('hang', k, iterations, (sum / c) * k / 98.1, s.world.certificate.residual);
    }
  // horizontal cantilever flesh bar, pinned, self weight
  for (const E of [1e5, 1e6]) for (const iterations of [1, 2, 5, 10, 20, 100, 400]) {
    const { buildLattice } = await import('../../src/mesh/tet-lattice.js');
    const mesh = buildLattice({ cells: [10, 2, 2], cellSize: 0.1 });
    const pins = []; const end = [];
    for (let v = 0; v < mesh.positions.length / 3; v++) { if (mesh.positions[v * 3] < 1e-9) pins.push(v); if (mesh.positions[v * 3] > 0.999) end.push(v); }
    const s = await single({ name: 'c', ...mesh, pins, materials: [{ model: 'corotated', youngModulus: E, poissonRatio: 0.3, density: 1000 }] }, { dt: 1 / 60, iterations, gravity: [0, -9.81, 0] });
    s.step(600);
    let m = 0; for (const v of end) m += (s.state.positions[v * 3 + 1] - s.model.positions[v * 3 + 1]) / end.length;
    console.log('sag', E, iterations, m, s.world.certificate.residual);
  }
  // residual torque after n its from spinning start
  const body = buildFleshBar({ cells: [9, 2, 2], cell: 0.1, layers: 4, material: STIFF });
  for (const iterations of [1, 3, 5, 10, 20]) {
    const s = await single(body, { iterations, dt: 1 / 60, gravity: [0, -9.81, 0], placement: { angularVelocity: [1, 2, 3] } });
    s.step(30);
    console.log('spin', iterations, s.world.certificate.residual);
  }
});
