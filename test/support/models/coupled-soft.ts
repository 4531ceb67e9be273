/** Soft boxes for tests of the coupled solver. */
import type { MaterialDef } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import type { CoreSoft } from '../../../src/solvers/coupled/core-scene.js';
import { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';

export const RUBBER: MaterialDef = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.3, density: 1000 };

/** A box of flesh around the origin: `cells` of size `cell` along x, y, z. */
export function softBox(cells: readonly [number, number, number], cell: number, material = RUBBER): SoftModel {
  const mesh = buildLattice({
    cells,
    cellSize: cell,
    origin: [-0.5 * cells[0] * cell, -0.5 * cells[1] * cell, -0.5 * cells[2] * cell],
  });
  return new SoftModel(buildModel({ name: 'box', ...mesh, materials: [material] }));
}

/** A body of the model: turned by the rotation matrix, then moved; velocities from a translation and a spin about its centre. */
export function placeSoft(
  model: SoftModel,
  at: readonly number[],
  extra: {
    rotation?: readonly number[];
    velocity?: readonly number[];
    spin?: readonly number[];
    friction?: number;
  } = {},
): CoreSoft {
  const r = extra.rotation ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [w0, w1, w2] = extra.spin ?? [0, 0, 0];
  const rest = model.elements.positions;
  const positions = new Float64Array(rest.length);
  const velocities = new Float64Array(rest.length);
  for (let i = 0; i < rest.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map(
      (k) => r[k * 3] * rest[i] + r[k * 3 + 1] * rest[i + 1] + r[k * 3 + 2] * rest[i + 2],
    );
    const v = [w1 * z - w2 * y, w2 * x - w0 * z, w0 * y - w1 * x];
    [x, y, z].forEach((value, k) => {
      positions[i + k] = value + at[k];
      velocities[i + k] = v[k] + (extra.velocity?.[k] ?? 0);
    });
  }
  return { model, positions, velocities, friction: extra.friction };
}
