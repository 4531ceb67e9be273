/** The characters of [Galoppo2007, Table 1] with as many nodes and bones, as tubes: a tube, a snake, and a deer in three sizes. */
import type { Vec3 } from '../../src/body/body-def.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { type Limb, skinLimbs } from './limbs.js';

/** A tube of 292 nodes, 1 m long. */
export function buildLayerTube(boneCount: number): LayerDef {
  return skinLimbs('tube', [straight('part', [-0.5, 0, 0], [0.5, 0, 0], new Array(boneCount + 1).fill(0.08), 29)], 10);
}

/** How thick a snake is at its joints, from the tip of its nose to that of its tail [m]. */
const SNAKE = [
  0.022, 0.047, 0.036, 0.038, 0.041, 0.043, 0.044, 0.044, 0.043, 0.042, 0.041, 0.039, 0.036, 0.032, 0.026, 0.018, 0.006,
];

/** A snake of 3,102 nodes and 16 bones, 1.6 m long. */
export function buildLayerSnake(): LayerDef {
  return skinLimbs('snake', [straight('vertebra', [-0.8, 0, 0], [0.8, 0, 0], SNAKE, 124)], 25);
}

/** The deer of the paper's table, of 748, 2,755 and 8,408 nodes, by name: here 746, 2,755 and 8,402. */
export const DEER_SIZES: ReadonlyMap<string, () => LayerDef> = new Map([
  ['coarse deer', () => buildLayerDeer(8, 14.25)],
  ['middle deer', () => buildLayerDeer(17, 25.7)],
  ['fine deer', () => buildLayerDeer(32, 42)],
]);

/** A deer of 34 bones; `around` and `density` decide how many nodes it has. */
export function buildLayerDeer(around: number, density: number): LayerDef {
  const limb = (name: string, on: string | undefined, points: readonly Vec3[], radii: readonly number[]): Limb => {
    const rings = Math.max(5, Math.round(lengthOf(points) * density));
    return { name, on, points, radii, rings };
  };
  return skinLimbs(
    'deer',
    [
      limb(
        'trunk',
        undefined,
        pointsAlong([0, 0.95, -0.52], [0, 1, 0.47], 6),
        [0.085, 0.155, 0.155, 0.165, 0.175, 0.165, 0.09],
      ),
      limb('neck', 'trunk 5', pointsAlong([0, 1.02, 0.38], [0, 1.5, 0.68], 3), [0.13, 0.095, 0.07, 0.055]),
      limb('head', 'neck 2', pointsAlong([0, 1.52, 0.62], [0, 1.42, 0.98], 1), [0.075, 0.032]),
      limb('antler', 'head 0', pointsAlong([0, 1.54, 0.68], [0, 1.8, 0.6], 1), [0.02, 0.008]),
      limb('tail', 'trunk 0', pointsAlong([0, 0.98, -0.5], [0, 0.8, -0.62], 3), [0.03, 0.035, 0.03, 0.008]),
      ...[-1, 1].flatMap((side) => {
        const who = side < 0 ? 'right' : 'left';
        const leg = (...yz: [number, number][]): Vec3[] => yz.map(([y, z]) => [0.1 * side, y, z]);
        const fore = leg([0.98, 0.34], [0.76, 0.31], [0.55, 0.34], [0.34, 0.35], [0.12, 0.345], [0.03, 0.38]);
        const hind = leg([0.94, -0.4], [0.74, -0.34], [0.52, -0.43], [0.34, -0.46], [0.12, -0.43], [0.03, -0.4]);
        return [
          limb(`${who} foreleg`, 'trunk 5', fore, [0.09, 0.075, 0.048, 0.034, 0.03, 0.036]),
          limb(`${who} hindleg`, 'trunk 0', hind, [0.115, 0.1, 0.06, 0.04, 0.032, 0.036]),
        ];
      }),
    ],
    around,
  );
}

/** A limb along a straight line, of bones of equal length, as thick as is said at its joints. */
function straight(name: string, from: Vec3, to: Vec3, radii: readonly number[], rings: number): Limb {
  return { name, points: pointsAlong(from, to, radii.length - 1), radii, rings };
}

/** Ends of bones of equal length along a straight line. */
function pointsAlong(from: Vec3, to: Vec3, bones: number): Vec3[] {
  return Array.from({ length: bones + 1 }, (_, i): Vec3 => {
    const share = i / bones;
    return [
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
      from[2] + share * (to[2] - from[2]),
    ];
  });
}

function lengthOf(points: readonly Vec3[]): number {
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    const d = [0, 1, 2].map((k) => points[i][k] - points[i - 1][k]);
    length += Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  return length;
}
