import { describe, expect, it } from 'vitest';
import { buildRigged } from '../../../src/character/build/rigged.js';
import { buildFromSkin } from '../../../src/character/build/surfaces/plain.js';
import { SkinUpdater } from '../../../src/character/skin-updater.js';
import { armModel } from '../../support/models/rigged-model.js';
import { boxSurface } from '../../support/models/surfaces.js';

/** A quarter turn about z: x -> y, y -> -x. */
function turned(positions: ArrayLike<number>): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 3) out.set([-positions[i + 1], positions[i], positions[i + 2]], i);
  return out;
}

describe('SkinUpdater', () => {
  it('turns positions and normals with the body', () => {
    const character = buildRigged(armModel(), { tets: 600 });
    const updater = new SkinUpdater(character);
    updater.update(character.body.positions);
    const rest = { positions: updater.positions.slice(), normals: updater.normals.slice() };
    updater.update(turned(character.body.positions));
    turned(rest.positions).forEach((x, i) => {
      expect(updater.positions[i]).toBeCloseTo(x, 5);
    });
    turned(rest.normals).forEach((x, i) => {
      expect(updater.normals[i]).toBeCloseTo(x, 4);
    });
    // on the side of the tube they point away from its axis
    for (let v = 12; v < 12 * 24; v++) {
      const [, y, z] = rest.positions.subarray(3 * v, 3 * v + 3);
      const [, ny, nz] = rest.normals.subarray(3 * v, 3 * v + 3);
      expect((y * ny + z * nz) / 0.12).toBeGreaterThan(0.95);
    }
  });

  it('keeps sharp edges sharp where the model has its own normals there', () => {
    const box = buildFromSkin(boxSurface([0, 0, 0], [1, 1, 1]), { tets: 300 });
    const flat = box.skin.normals.slice();
    // four vertices per side, in pairs of sides along x, y, z
    for (let v = 0; v < flat.length / 3; v++) {
      flat.fill(0, 3 * v, 3 * v + 3);
      flat[3 * v + Math.floor(v / 8)] = v % 8 < 4 ? -1 : 1;
    }
    const updater = new SkinUpdater({ ...box, skin: { ...box.skin, normals: flat } });
    updater.update(box.body.positions);
    updater.normals.forEach((x, i) => {
      expect(x).toBeCloseTo(flat[i], 6);
    });
  });
});
