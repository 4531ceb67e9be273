/** Head and arms, which the human and the mermaid share. Metres; the figure is 1.7 m tall, y up, facing +z. */
import type { Vec3 } from '../../src/body/body-def.js';
import { ellipsoid, pointBetween, roundCone, type Shape, sphere } from '../../src/character/shapes/sdf.js';
import { chain, smoothUnion } from '../../src/character/shapes/sdf-combine.js';

/** Joints of the left arm (x > 0) [m]; the right one mirrors them. */
export const SHOULDER: Vec3 = [0.17, 1.375, -0.01];
export const ELBOW: Vec3 = [0.375, 1.165, -0.015];
export const WRIST: Vec3 = [0.545, 0.98, 0.01];
export const FINGERTIP: Vec3 = [0.645, 0.86, 0.025];

/** Builds a limb through the points, with a radius at each [m]. */
export type Limb = (points: readonly Vec3[], radii: readonly number[]) => Shape;

/** Limbs no thinner than a lattice of this cell size can hold: below 0.7 cells they may fall apart. */
export function createLimb(cell: number): Limb {
  return (points, radii) =>
    chain(
      points,
      radii.map((radius) => Math.max(radius, 0.7 * cell)),
    );
}

/** Skull, face, chin, nose and ears. */
export function buildHead(): Shape {
  return smoothUnion(0.03, [
    ellipsoid([0, 1.607, -0.008], [0.073, 0.093, 0.09]),
    ellipsoid([0, 1.545, 0.028], [0.054, 0.068, 0.06]),
    sphere([0, 1.502, 0.062], 0.026),
    roundCone([0, 1.605, 0.078], [0, 1.572, 0.092], 0.012, 0.02),
    ellipsoid([0.077, 1.582, -0.012], [0.012, 0.03, 0.02]),
    ellipsoid([-0.077, 1.582, -0.012], [0.012, 0.03, 0.02]),
  ]);
}

/** The left arm from shoulder to fingertips. */
export function buildArm(limb: Limb): Shape {
  const upper = (share: number): Vec3 => pointBetween(SHOULDER, ELBOW, share);
  const lower = (share: number): Vec3 => pointBetween(ELBOW, WRIST, share);
  const points = [SHOULDER, upper(0.5), upper(0.9), lower(0.25), lower(0.6), WRIST];
  return smoothUnion(0.02, [limb(points, [0.057, 0.047, 0.037, 0.041, 0.034, 0.025]), hand(limb)]);
}

/** Broad from front to back, thumb to the front. */
function hand(limb: Limb): Shape {
  const [x, y, z] = WRIST;
  const [fx, fy, fz] = FINGERTIP;
  const palm = (back: number): Vec3 => [x + 0.02, y - 0.022, z - back];
  return smoothUnion(0.02, [
    limb([palm(0.016), [fx - 0.005, fy + 0.005, fz - 0.024]], [0.021, 0.014]),
    limb([palm(-0.018), [fx, fy, fz + 0.012]], [0.021, 0.014]),
    limb([palm(-0.024), [x + 0.044, y - 0.07, z + 0.072]], [0.018, 0.013]),
  ]);
}
