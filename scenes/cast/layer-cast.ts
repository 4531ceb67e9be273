/** The characters of [Galoppo2007, Table 1] with as many nodes and bones, as tubes: a tube, a snake, and a deer in three sizes. */
import type { Vec3 } from '../../src/body/body-def.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { type Limb, skinLimbs } from './limbs.js';

/** A tube of 292 nodes, 1 m long. */
export function buildLayerTube(boneCount: number): LayerDef {
  return skinLimbs('tube', [straight('part', [-0.5, 0, 0], [0.5, 0, 0], boneCount, 0.08, 0.08, 29)], 10);
}

/** A snake of 3,102 nodes and 16 bones, 1.6 m long. */
export function buildLayerSnake(): LayerDef {
  return skinLimbs('snake', [straight('vertebra', [-0.8, 0, 0], [0.8, 0, 0], 16, 0.05, 0.03, 124)], 25);
}

/** The deer of the paper's table, of 748, 2,755 and 8,408 nodes, by name: here 746, 2,755 and 8,415. */
export const DEER_SIZES: ReadonlyMap<string, () => LayerDef> = new Map([
  ['coarse deer', () => buildLayerDeer(8, 15)],
  ['middle deer', () => buildLayerDeer(17, 27)],
  ['fine deer', () => buildLayerDeer(27, 52.5)],
]);

/** A deer of 34 bones; `around` and `density` decide how many nodes it has. */
export function buildLayerDeer(around: number, density: number): LayerDef {
  const rings = (length: number): number => Math.max(5, Math.round(length * density));
  const limb = (
    name: string,
    on: string | undefined,
    from: Vec3,
    to: Vec3,
    bones: number,
    r0: number,
    r1: number,
  ): Limb => {
    const length = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2 + (to[2] - from[2]) ** 2);
    return { ...straight(name, from, to, bones, r0, r1, rings(length)), on };
  };
  return skinLimbs(
    'deer',
    [
      limb('trunk', undefined, [0, 0.95, -0.5], [0, 1, 0.45], 6, 0.16, 0.17),
      limb('neck', 'trunk 5', [0, 1.05, 0.42], [0, 1.5, 0.68], 3, 0.09, 0.06),
      limb('head', 'neck 2', [0, 1.5, 0.66], [0, 1.42, 0.98], 1, 0.07, 0.04),
      limb('antler', 'head 0', [0, 1.54, 0.68], [0, 1.8, 0.6], 1, 0.02, 0.01),
      limb('tail', 'trunk 0', [0, 0.98, -0.5], [0, 0.8, -0.68], 3, 0.03, 0.015),
      ...[-1, 1].flatMap((side) => {
        const who = side < 0 ? 'right' : 'left';
        return [
          limb(`${who} foreleg`, 'trunk 5', [0.12 * side, 0.95, 0.36], [0.12 * side, 0.03, 0.36], 5, 0.075, 0.03),
          limb(`${who} hindleg`, 'trunk 0', [0.12 * side, 0.92, -0.42], [0.12 * side, 0.03, -0.42], 5, 0.085, 0.03),
        ];
      }),
    ],
    around,
  );
}

/** A limb along a straight line, of bones of equal length. */
function straight(name: string, from: Vec3, to: Vec3, bones: number, r0: number, r1: number, rings: number): Limb {
  const at = (share: number): Vec3 => [
    from[0] + share * (to[0] - from[0]),
    from[1] + share * (to[1] - from[1]),
    from[2] + share * (to[2] - from[2]),
  ];
  const shares = Array.from({ length: bones + 1 }, (_, i) => i / bones);
  return { name, points: shares.map(at), radii: shares.map((share) => r0 + share * (r1 - r0)), rings };
}
