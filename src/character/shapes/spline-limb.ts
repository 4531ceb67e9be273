/** Limbs along smooth curves: round cones are short enough that neither bends nor swellings show where one ends. */
import type { Vec3 } from '../../body/body-def.js';
import type { Shape } from './sdf.js';
import { chain } from './sdf-combine.js';

/** How a limb is drawn through its points. */
export interface SplineOptions {
  /** Round cones from one point to the next; default 4. */
  readonly steps?: number;
  /** No radius is less than this [m]; default 0. Below 0.7 cells of the lattice a limb may fall apart. */
  readonly least?: number;
}

/** A limb through the points with a radius at each [m], both on Catmull-Rom splines. */
export function splineLimb(points: readonly Vec3[], radii: readonly number[], options: SplineOptions = {}): Shape {
  const { steps = 4, least = 0 } = options;
  const finePoints: Vec3[] = [points[0]];
  const fineRadii = [Math.max(least, radii[0])];
  for (let i = 0; i + 1 < points.length; i++) {
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const along = (axis: number): number => interpolate(i, share, points.length, (k) => points[k][axis]);
      finePoints.push([along(0), along(1), along(2)]);
      fineRadii.push(
        Math.max(
          least,
          interpolate(i, share, points.length, (k) => radii[k]),
        ),
      );
    }
  }
  return chain(finePoints, fineRadii);
}

/** The spline between values i and i + 1; straight on beyond the ends. */
function interpolate(i: number, share: number, count: number, value: (k: number) => number): number {
  const b = value(i);
  const c = value(i + 1);
  const a = i > 0 ? value(i - 1) : 2 * b - c;
  const d = i + 2 < count ? value(i + 2) : 2 * c - b;
  const t = share;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
