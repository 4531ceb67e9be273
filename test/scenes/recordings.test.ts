/** Recordings of soft characters: valid, a tenth of one full morph target per state, and near enough to what was simulated. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeTakeGlb } from '../../src/record/glb/write-take-glb.js';
import { hasAssets, readAsset } from '../support/assets.js';
import { playGlb } from '../support/checks/play-glb.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { type RecordedSource, recordScene } from '../support/record-scene.js';

/** Where files go that other programs are to open: see test/manual. */
const KEEP = process.env.TENDON_KEEP;

function fileSource(name: string): RecordedSource {
  return { kind: 'files', id: 1, name, files: [{ name, bytes: readAsset(name) as Uint8Array<ArrayBuffer> }] };
}

/** The file, and beside it where its vertices are in a few of its states. */
function keep(
  folder: string,
  name: string,
  bytes: Uint8Array,
  times: readonly number[],
  states: readonly (readonly number[])[],
): void {
  writeFileSync(`${folder}/${name}`, bytes);
  const few = [0, 30, 60, 119].map((i) => [times[i], states[i]]);
  writeFileSync(`${folder}/${name}.json`, JSON.stringify({ states: few }));
}

// what is skipped is still listed, and a file that is not there must not be read for that
const SOURCES: [string, RecordedSource][] = [['ragdoll', { kind: 'scene', name: 'ragdoll' }]];
if (hasAssets('CesiumMan.glb')) SOURCES.push(['CesiumMan', fileSource('CesiumMan.glb')]);

describe('a recording of four seconds', () => {
  it.each(SOURCES)(
    'of %s',
    async (name, source) => {
      const take = await recordScene(source, 4);
      const bytes = writeTakeGlb(take);
      expect(await validateGltf(bytes)).toEqual([]);
      const [body] = take.bodies;
      const states = playGlb(bytes, `${body.name} skin`);
      if (KEEP) keep(KEEP, `${name}-motion.glb`, bytes, take.times, states);
      // pictures are the same either way
      const pictures = body.look.gltf.images.reduce((total, image) => total + image.bytes.length, 0);
      const full = 8 * body.positions[0].length * take.times.length + pictures;
      let worst = 0;
      let sum = 0;
      states.forEach((played, i) => {
        for (let v = 0; v < played.length; v += 3) {
          const sq = [0, 1, 2].reduce((total, k) => total + (played[v + k] - body.positions[i][v + k]) ** 2, 0);
          worst = Math.max(worst, sq);
          sum += sq / (played.length / 3) / take.times.length;
        }
      });
      console.log(
        `${name}: ${bytes.length} of ${full} bytes, off by ${Math.sqrt(sum)} m, at most ${Math.sqrt(worst)} m`,
      );
      expect(bytes.length - pictures).toBeLessThan((full - pictures) / 10);
      expect(Math.sqrt(sum)).toBeLessThan(1.5e-3);
      expect(Math.sqrt(worst)).toBeLessThan(0.03);
    },
    300_000,
  );
});
