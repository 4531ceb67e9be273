/** Models with every trouble of strangers' files, small: the rows of the matrix, in Node and in the page. */
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { FIGURE_PIECES, type FigureOptions, figureGlb } from './odd-rigs.js';
import { machineModel } from './part-rigs.js';
import { armModel } from './rigged-model.js';

/** Little loose boxes around the figure, each owned by one of its bones. */
const LOOSE = Array.from({ length: 400 }, (_, i) => {
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

/** The bytes of each model. */
export const MATRIX_MODELS: ReadonlyMap<string, () => Promise<Uint8Array>> = new Map([
  ...Object.entries(FIGURES).map(([name, options]) => [name, async () => figureGlb(options)] as const),
  ['machine', () => writeGltf(machineModel())],
  ['arm with a clip', () => writeGltf(armModel({ swing: 1.2 }))],
]);
