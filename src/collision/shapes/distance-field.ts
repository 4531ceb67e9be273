/**
 * A signed distance as numbers on a regular grid, negative inside. Between grid points it is interpolated linearly along each
 * axis; the normal is the direction of that interpolation's own gradient, so that stepping along it changes the distance as
 * expected. Flat faces are exact, curved ones off by a cell squared over eight radii, edges are rounded by a fraction of a cell.
 */

/** Plain data, made once by `buildDistanceField`, read by any number of users. */
export interface DistanceField {
  /** The grid point with the lowest coordinates [m]. */
  readonly origin: readonly [number, number, number];
  /** From one grid point to the next [m]. */
  readonly cell: number;
  /** Grid points along x, y, z. */
  readonly counts: readonly [number, number, number];
  /** Distance at every grid point [m], x fastest, z slowest. */
  readonly values: Float64Array;
  /** The box of the surface itself [m]. */
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
  /** Holes of the surface that were closed. */
  readonly holes: number;
  /** Share of the surface behind which the solid is thinner than a cell: things may slip through there. */
  readonly thinShare: number;
}

/**
 * Signed distance of the point p[i..i+3) [m]; writes the outward unit normal to n[o..o+3). Beyond the grid it is the distance
 * from the place on the surface that is nearest to the nearest point of the grid's box: never less than the truth, and at most
 * the root of two times that, because the way to the box and any way on to the surface make a right angle or a wider one.
 */
export function fieldDistance(field: DistanceField, p: Float64Array, i: number, n: Float64Array, o: number): number {
  const { origin, cell, counts, values } = field;
  const x = (p[i] - origin[0]) / cell;
  const y = (p[i + 1] - origin[1]) / cell;
  const z = (p[i + 2] - origin[2]) / cell;
  const cx = Math.max(0, Math.min(counts[0] - 1, x));
  const cy = Math.max(0, Math.min(counts[1] - 1, y));
  const cz = Math.max(0, Math.min(counts[2] - 1, z));
  const ix = Math.min(counts[0] - 2, Math.floor(cx));
  const iy = Math.min(counts[1] - 2, Math.floor(cy));
  const iz = Math.min(counts[2] - 2, Math.floor(cz));
  const u = cx - ix;
  const v = cy - iy;
  const w = cz - iz;
  const at = ix + counts[0] * (iy + counts[1] * iz);
  const up = at + counts[0];
  const far = at + counts[0] * counts[1];
  const farUp = far + counts[0];
  // differences along x on the four edges of the cell, and what they give at the point's x
  const d00 = values[at + 1] - values[at];
  const d10 = values[up + 1] - values[up];
  const d01 = values[far + 1] - values[far];
  const d11 = values[farUp + 1] - values[farUp];
  const v00 = values[at] + u * d00;
  const v10 = values[up] + u * d10;
  const v01 = values[far] + u * d01;
  const v11 = values[farUp] + u * d11;
  const near = v00 + v * (v10 - v00);
  const distant = v01 + v * (v11 - v01);
  const distance = near + w * (distant - near);
  const gx = ((1 - w) * (d00 + v * (d10 - d00)) + w * (d01 + v * (d11 - d01))) / cell;
  const gy = ((1 - w) * (v10 - v00) + w * (v11 - v01)) / cell;
  const gz = (distant - near) / cell;
  direct(gx, gy, gz, n, o);
  if (x === cx && y === cy && z === cz) return distance;
  const ox = (x - cx) * cell + distance * n[o];
  const oy = (y - cy) * cell + distance * n[o + 1];
  const oz = (z - cz) * cell + distance * n[o + 2];
  direct(ox, oy, oz, n, o);
  return Math.sqrt(ox * ox + oy * oy + oz * oz);
}

/** n = the direction of (x, y, z); up where it has none. */
function direct(x: number, y: number, z: number, n: Float64Array, o: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  // the squares of anything smaller lose digits or vanish
  const usable = length > 1e-150;
  n[o] = usable ? x / length : 0;
  n[o + 1] = usable ? y / length : 1;
  n[o + 2] = usable ? z / length : 0;
}
