/**
 * Models with every trouble of strangers' files, small: each hangs, falls, is pulled by a hand that jumps, and plays its clip. No step fails, no edge of a
 * tet gets ten times as long, joints stay closed, and what is written is valid under Khronos' validator and reads back. `tendon bench matrix` does the same with files.
 */
import { describe, expect, it } from 'vitest';
import { readsBack, runTrial, TRIALS } from '../../bench/matrix.js';
import { buildRigged } from '../../src/character/build/rigged.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { FIGURE_PIECES, type FigureOptions, figureGlb } from '../support/models/odd-rigs.js';
import { machineModel } from '../support/models/part-rigs.js';
import { armModel } from '../support/models/rigged-model.js';

/** Enough for most bones, quick. */
const TETS = 350;
const STEPS = 36;

/** Little loose boxes around the figure, each owned by one of its bones. */
const LOOSE = Array.from({ length: 40 }, (_, i) => {
  const { joint, from, to } = FIGURE_PIECES[i % FIGURE_PIECES.length];
  const middle = from.map((x, k) => (x + to[k]) / 2);
  const at = [middle[0] + 0.12 * Math.sin(i), middle[1] + 0.1 * Math.cos(2 * i), middle[2] + 0.15 * Math.cos(i)];
  return { joint, from: at, to: [at[0], at[1] + 0.03, at[2]], radius: 0.015 };
});

const FIGURES: Readonly<Record<string, FigureOptions>> = {
  plain: {},
  'loose parts': { pieces: [...FIGURE_PIECES, ...LOOSE] },
  'open tubes': { caps: false },
  'a skin per piece': { separate: true },
  centimetres: { space: (p) => p.map((x) => 100 * x) },
  'z up': { space: ([x, y, z]) => [x, -z, y] },
  mirrored: { armature: { scale: [-1, 1, 1] } },
  'weights that do not add up': { weights: 'unnormalised' },
  'eight weights': { weights: 'eight' },
  'hands at the hips': {
    pieces: FIGURE_PIECES.map((piece) =>
      piece.joint === 4 ? { ...piece, from: [0.43, 1.4, 0], to: [0.19, 0.9, 0] } : piece,
    ),
  },
  'no bind matrices': { bindMatrices: false },
};

async function build(name: string) {
  if (name === 'machine') return buildRigged(machineModel(), { name, tets: TETS });
  if (name === 'arm with a clip') return buildRigged(armModel({ swing: 1.2 }), { name, tets: TETS });
  return loadCharacter(figureGlb(FIGURES[name]), { name, tets: TETS });
}

describe.each([...Object.keys(FIGURES), 'machine', 'arm with a clip'])('%s', (name) => {
  it('bears what is done to it', async () => {
    const character = await build(name);
    expect(await readsBack(character)).toBe(true);
    expect(await validateGltf(await writeCharacter(character))).toEqual([]);
    for (const trial of TRIALS) {
      // every other one starts in the floor
      const cell = await runTrial(character, trial, { steps: STEPS, drop: name.length % 2 === 0 ? -0.1 : 0.05 });
      expect(cell === undefined).toBe(trial === 'clip' && character.clips.length === 0);
      if (!cell) continue;
      expect({ trial, faults: cell.faults }).toEqual({ trial, faults: 0 });
      expect(cell.longestEdge, trial).toBeLessThan(10);
      expect(cell.jointGap, trial).toBeLessThan(1e-6);
    }
  });
});
