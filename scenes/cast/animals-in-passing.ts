/** Closed surfaces of a bird and a fish, for obstacles that have somewhere to go. They look along -x. */
import type { MeshShape } from '../../src/collision/shapes/shape-def.js';
import { cos, sin } from '../../src/math/trig.js';

/** A cut across an animal: where along it, half as wide and half as high as it is there, and how much higher its middle is [m]. */
type Cut = readonly [along: number, wide: number, high: number, up: number];

const AROUND = 16;
const TWO_PI = 6.283185307179586;

/** A bird of 26 cm with its wings spread. */
export const BIRD: MeshShape = loft([
  [-0.15, 0.006, 0.006, 0.03],
  [-0.12, 0.016, 0.016, 0.035],
  [-0.095, 0.03, 0.032, 0.035],
  [-0.065, 0.03, 0.032, 0.025],
  [-0.045, 0.06, 0.04, 0.01],
  [-0.02, 0.19, 0.045, 0.005],
  [0.015, 0.21, 0.05, 0],
  [0.04, 0.09, 0.045, 0],
  [0.075, 0.028, 0.03, 0.005],
  [0.1, 0.035, 0.014, 0.01],
  [0.13, 0.055, 0.012, 0.015],
]);

/** A fish of 28 cm. */
export const FISH: MeshShape = loft([
  [-0.14, 0.014, 0.012, 0],
  [-0.11, 0.034, 0.034, 0],
  [-0.06, 0.046, 0.05, 0],
  [0, 0.044, 0.052, 0],
  [0.05, 0.03, 0.036, 0],
  [0.09, 0.014, 0.018, 0],
  [0.115, 0.012, 0.036, 0],
  [0.14, 0.01, 0.055, 0],
]);

/** Joins ellipses along x, and closes both ends. */
function loft(cuts: readonly Cut[]): MeshShape {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const [along, wide, high, up] of cuts) {
    for (let j = 0; j < AROUND; j++) {
      const angle = (TWO_PI * j) / AROUND;
      positions.push(along, up + high * cos(angle), wide * sin(angle));
    }
  }
  const ends = AROUND * cuts.length;
  for (const [along, , , up] of [cuts[0], cuts[cuts.length - 1]]) positions.push(along, up, 0);
  const last = AROUND * (cuts.length - 1);
  for (let j = 0; j < AROUND; j++) {
    const k = (j + 1) % AROUND;
    for (let o = 0; o < last; o += AROUND) {
      triangles.push(o + j, o + k, o + AROUND + k, o + j, o + AROUND + k, o + AROUND + j);
    }
    triangles.push(ends, k, j, ends + 1, last + j, last + k);
  }
  return { kind: 'mesh', positions, triangles };
}
