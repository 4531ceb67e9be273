/** Detail: small tetrahedra where they are asked for, and the same body otherwise. */
import { describe, expect, it } from 'vitest';
import type { Character } from '../../../src/character/character.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import { updateEmbedding } from '../../../src/mesh/embedding.js';
import { summarizeMesh } from '../../../src/mesh/tets/quality.js';
import { tetVolume } from '../../../src/mesh/tets/tet-mesh.js';
import { hasAssets, readAsset } from '../../support/assets.js';
import { figureGlb } from '../../support/models/odd-rigs.js';

/** Mean volume of the tetrahedra whose first corner is in a box [m³]. */
function meanVolume({ body }: Character, low: readonly number[], high: readonly number[]): number {
  let [sum, count] = [0, 0];
  for (let t = 0; t < body.tets.length / 4; t++) {
    const at = body.positions.subarray(3 * body.tets[4 * t], 3 * body.tets[4 * t] + 3);
    if (!at.every((x, k) => x >= low[k] && x <= high[k])) continue;
    sum += tetVolume(body, t);
    count++;
  }
  return sum / count;
}

describe('detail', () => {
  const file = figureGlb();

  it('makes the flesh of a head finer, eight to a tetrahedron, and leaves the rest as it was', async () => {
    const plain = await loadCharacter(file, { cell: 0.05 });
    const fine = await loadCharacter(file, { cell: 0.05, detail: true });
    const ratio = (low: number[], high: number[]) => meanVolume(plain, low, high) / meanVolume(fine, low, high);
    // twice as fine in the middle of the bubble, half of that at its edge
    expect(ratio([-0.06, 1.5, -0.06], [0.06, 1.6, 0.06])).toBeGreaterThan(5);
    expect(ratio([-0.06, 1.5, -0.06], [0.06, 1.6, 0.06])).toBeLessThan(8.5);
    expect(ratio([-0.3, 0, -0.3], [0.3, 0.6, 0.3])).toBeGreaterThan(0.9);
    expect(ratio([-0.3, 0, -0.3], [0.3, 0.6, 0.3])).toBeLessThan(1.15);
    // the same joints in the same places, and the same mass
    expect(fine.skeleton.map(({ name }) => name)).toEqual(plain.skeleton.map(({ name }) => name));
    fine.skeleton.forEach(({ place }, bone) => {
      place.forEach((x, k) => {
        expect(x).toBeCloseTo(plain.skeleton[bone].place[k], 12);
      });
    });
    // where pieces of the skin overlap, space is blown up twice
    expect(Math.abs(fine.report.mass / plain.report.mass - 1)).toBeLessThan(0.02);
    const rest = new Float64Array(fine.skin.positions.length);
    updateEmbedding(fine.embedding, fine.body.positions, rest);
    rest.forEach((x, i) => {
      expect(Math.abs(x - fine.skin.positions[i])).toBeLessThan(1e-12);
    });
    const { dihedral, invertedCount } = summarizeMesh(fine.body);
    expect(invertedCount).toBe(0);
    expect(dihedral.min).toBeGreaterThan((20 * Math.PI) / 180);
    expect(dihedral.max).toBeLessThan((140 * Math.PI) / 180);
  });

  it('weighs what it did where the skin has holes', async () => {
    const open = figureGlb({ caps: false });
    const plain = await loadCharacter(open, { cell: 0.05 });
    const fine = await loadCharacter(open, { cell: 0.05, detail: true });
    // what is inside is found by winding numbers at the samples of either lattice: two cells across a limb
    expect(Math.abs(fine.report.mass / plain.report.mass - 1)).toBeLessThan(0.05);
  });

  it('is where the names say; names that do not exist are an error, hands and heads that do not exist a note', async () => {
    const arms = await loadCharacter(file, { cell: 0.05, detail: ['forearm.*'] });
    const plain = await loadCharacter(file, { cell: 0.05 });
    const box = (sign: number): [number[], number[]] => [
      [Math.min(0.55 * sign, 0.68 * sign), 1.3, -0.1],
      [Math.max(0.55 * sign, 0.68 * sign), 1.5, 0.1],
    ];
    for (const side of [-1, 1]) {
      expect(meanVolume(plain, ...box(side)) / meanVolume(arms, ...box(side))).toBeGreaterThan(5);
    }
    await expect(loadCharacter(file, { detail: ['tentacle'] })).rejects.toMatchObject({ code: 'E_UNKNOWN' });
    const joints = [['trunk', -1, [0, 0.9, 0]]] as const;
    const trunk = figureGlb({ joints, pieces: [{ joint: 0, from: [0, 0.5, 0], to: [0, 1.2, 0], radius: 0.2 }] });
    const { report } = await loadCharacter(trunk, { tets: 500, detail: true });
    expect(report.notes.join()).toMatch(/no joint is called/);
  });

  it.skipIf(!hasAssets('RobotExpressive.glb'))(
    'turns fingers into bones where there was no room for them',
    async () => {
      const bytes = readAsset('RobotExpressive.glb');
      const fingers = ({ skeleton }: Character) =>
        skeleton.filter(({ name }) => /index|thumb|middle/i.test(name)).length;
      expect(fingers(await loadCharacter(bytes, { detail: true }))).toBeGreaterThan(
        fingers(await loadCharacter(bytes)) + 5,
      );
    },
  );
});
