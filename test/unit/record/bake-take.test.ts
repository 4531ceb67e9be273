/** A take of the page in every format: the same vertices as in the take, read by the formats' own descriptions. */
import { expect, it } from 'vitest';
import { bakeTake, TAKE_ENDINGS } from '../../../src/record/bake-take.js';
import { recordScene } from '../../support/record-scene.js';

it('is written by the code of the terminal, vertex by vertex', async () => {
  const take = await recordScene({ kind: 'scene', name: 'pendulum' }, 0.5);
  const [body] = take.bodies;
  const files = new Map<string, Buffer>();
  for (const ending of TAKE_ENDINGS) files.set(ending, Buffer.from(await bakeTake(take, ending)));
  const pc2 = files.get('pc2')!;
  const vertices = body.positions[0].length / 3;
  expect([pc2.readInt32LE(16), pc2.readInt32LE(28)]).toEqual([vertices, take.times.length]);
  const mdd = files.get('mdd')!;
  expect([mdd.readInt32BE(0), mdd.readInt32BE(4)]).toEqual([take.times.length, vertices]);
  take.times.forEach((time, n) => {
    expect(mdd.readFloatBE(8 + 4 * n)).toBeCloseTo(time, 6);
    const shown = Array.from({ length: 3 * vertices }, (_, i) => pc2.readFloatLE(32 + 4 * (3 * vertices * n + i)));
    expect(shown).toEqual(Array.from(body.positions[n], (x, i) => Math.fround(x + body.offset[i % 3])));
  });
  expect(files.get('usda')!.toString()).toContain('timeCodesPerSecond = 30');
  const rows = files
    .get('csv')!
    .toString()
    .split('\n')
    .filter((line) => line.includes(',bone,'));
  expect(rows.length).toBe(take.times.length * body.bones.length);
  expect(files.get('glb')!.toString('latin1', 0, 4)).toBe('glTF');
});
