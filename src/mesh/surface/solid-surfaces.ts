/** Surfaces of simple solids as triangles, closed and outward, in their own frame. For building rigid bodies. */
import { cos, sin } from '../../math/trig.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Points around a ball, a rod or a ring: fine enough that one lies on a plane as the smooth shape would, to half a percent. */
const AROUND = 24;
/** Points around the tube of a ring. */
const TUBE = 12;

/** A box of sides 2·halfExtents: its eight corners and twelve triangles. */
export function boxSurface(halfExtents: ArrayLike<number>): TriangleMesh {
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let k = 0; k < 3; k++) positions[corner * 3 + k] = (corner >> k) & 1 ? halfExtents[k] : -halfExtents[k];
  }
  const quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const triangles: number[] = [];
  for (let q = 0; q < quads.length; q += 4) {
    const [a, b, c, d] = quads.slice(q, q + 4);
    triangles.push(a, b, c, a, c, d);
  }
  return { positions, triangles: Int32Array.from(triangles) };
}

/** A profile turned about y: points (radius, y) from the lower pole to the upper one; the poles have radius 0. */
export function turnedSurface(profile: readonly (readonly [number, number])[]): TriangleMesh {
  const positions: number[] = [0, profile[0][1], 0];
  for (const [radius, y] of profile.slice(1, -1)) {
    for (let n = 0; n < AROUND; n++) {
      const angle = (2 * Math.PI * n) / AROUND;
      positions.push(radius * cos(angle), y, radius * sin(angle));
    }
  }
  positions.push(0, profile[profile.length - 1][1], 0);
  const rings = profile.length - 2;
  const top = 1 + rings * AROUND;
  const at = (ring: number, n: number) => 1 + ring * AROUND + (n % AROUND);
  const triangles: number[] = [];
  for (let n = 0; n < AROUND; n++) {
    triangles.push(0, at(0, n), at(0, n + 1));
    for (let ring = 0; ring + 1 < rings; ring++) {
      triangles.push(at(ring, n), at(ring + 1, n), at(ring + 1, n + 1));
      triangles.push(at(ring, n), at(ring + 1, n + 1), at(ring, n + 1));
    }
    triangles.push(at(rings - 1, n), top, at(rings - 1, n + 1));
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}

/** A ball. */
export function sphereSurface(radius: number): TriangleMesh {
  return capsuleSurface(radius, 0);
}

/** A segment along y from -halfLength to halfLength, with a radius. */
export function capsuleSurface(radius: number, halfLength: number): TriangleMesh {
  const bands = AROUND / 2;
  const profile: [number, number][] = [];
  for (let n = 0; n <= bands; n++) {
    const angle = (Math.PI * n) / bands;
    const isPole = n === 0 || n === bands;
    const y = -radius * cos(angle);
    if (halfLength > 0 && n === bands / 2) profile.push([radius, -halfLength], [radius, halfLength]);
    else profile.push([isPole ? 0 : radius * sin(angle), y + (n < bands / 2 ? -halfLength : halfLength)]);
  }
  return turnedSurface(profile);
}

/** Axis along y, flat ends. */
export function cylinderSurface(radius: number, halfLength: number): TriangleMesh {
  return turnedSurface([
    [0, -halfLength],
    [radius, -halfLength],
    [radius, halfLength],
    [0, halfLength],
  ]);
}

/** A ring about the y axis: `radius` to the middle of a tube of `tubeRadius`. */
export function torusSurface(radius: number, tubeRadius: number): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (n: number, m: number) => (n % AROUND) * TUBE + (m % TUBE);
  for (let n = 0; n < AROUND; n++) {
    const angle = (2 * Math.PI * n) / AROUND;
    for (let m = 0; m < TUBE; m++) {
      const turn = (2 * Math.PI * m) / TUBE;
      const reach = radius + tubeRadius * cos(turn);
      positions.push(reach * cos(angle), tubeRadius * sin(turn), reach * sin(angle));
      triangles.push(at(n, m), at(n, m + 1), at(n + 1, m + 1), at(n, m), at(n + 1, m + 1), at(n + 1, m));
    }
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}
