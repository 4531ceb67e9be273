/**
 * Shapes as signed distances, negative inside, from which the procedural characters are put together. Distances are
 * exact for spheres and capsules and good to a few per cent near the surface for the rest, which is all the mesher
 * needs. Every shape knows the box it lies in.
 */
import type { Vec3 } from '../../body/body-def.js';
import { square } from '../../math/powers.js';

/** A solid: signed distance [m], and the corners of a box around it [m]. */
export interface Shape {
  readonly distance: (x: number, y: number, z: number) => number;
  readonly low: Vec3;
  readonly high: Vec3;
}

/** A ball. */
export function sphere(center: Vec3, radius: number): Shape {
  const [cx, cy, cz] = center;
  return {
    distance: (x, y, z) => Math.sqrt(square(x - cx) + square(y - cy) + square(z - cz)) - radius,
    low: [cx - radius, cy - radius, cz - radius],
    high: [cx + radius, cy + radius, cz + radius],
  };
}

/** An ellipsoid with half axes along x, y, z; the distance is right to first order near the surface. */
export function ellipsoid(center: Vec3, radii: Vec3): Shape {
  const [cx, cy, cz] = center;
  const [rx, ry, rz] = radii;
  const smallest = Math.min(rx, ry, rz);
  const distance = (x: number, y: number, z: number): number => {
    const ux = (x - cx) / rx;
    const uy = (y - cy) / ry;
    const uz = (z - cz) / rz;
    const scaled = Math.sqrt(ux * ux + uy * uy + uz * uz);
    const gradient = Math.sqrt(square(ux / rx) + square(uy / ry) + square(uz / rz));
    // At the very centre the quotient is 0 / 0.
    return gradient < 1e-100 ? -smallest : (scaled * (scaled - 1)) / gradient;
  };
  return { distance, low: [cx - rx, cy - ry, cz - rz], high: [cx + rx, cy + ry, cz + rz] };
}

/** The hull of two balls: a limb that tapers from radius `ra` at `a` to `rb` at `b`. Equal radii give a capsule. */
export function roundCone(a: Vec3, b: Vec3, ra: number, rb: number = ra): Shape {
  const [ax, ay, az] = a;
  const ux = b[0] - ax;
  const uy = b[1] - ay;
  const uz = b[2] - az;
  const lengthSq = ux * ux + uy * uy + uz * uz;
  const taper = ra - rb;
  const slant = Math.sqrt(Math.max(0, lengthSq - taper * taper));
  const distance = (x: number, y: number, z: number): number => {
    const px = x - ax;
    const py = y - ay;
    const pz = z - az;
    const along = px * ux + py * uy + pz * uz;
    const acrossSq = Math.max(0, (px * px + py * py + pz * pz) * lengthSq - along * along);
    // On the flank the nearest point of the axis lies off the foot of the perpendicular by the taper.
    const share = (along - (taper * Math.sqrt(acrossSq)) / Math.max(slant, 1e-9)) / lengthSq;
    const t = Math.min(1, Math.max(0, share));
    const dx = px - t * ux;
    const dy = py - t * uy;
    const dz = pz - t * uz;
    return Math.sqrt(dx * dx + dy * dy + dz * dz) - (ra - t * taper);
  };
  const low = [0, 1, 2].map((k) => Math.min(a[k] - ra, b[k] - rb));
  const high = [0, 1, 2].map((k) => Math.max(a[k] + ra, b[k] + rb));
  return { distance, low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]] };
}

/** A ring around the z axis through `center`: `major` to the middle of the tube, `minor` its radius. */
export function torus(center: Vec3, major: number, minor: number): Shape {
  const [cx, cy, cz] = center;
  const reach = major + minor;
  const distance = (x: number, y: number, z: number): number => {
    const fromRing = Math.sqrt(square(x - cx) + square(y - cy)) - major;
    return Math.sqrt(fromRing * fromRing + square(z - cz)) - minor;
  };
  return {
    distance,
    low: [cx - reach, cy - reach, cz - minor],
    high: [cx + reach, cy + reach, cz + minor],
  };
}

/** Everything on the far side of the plane through `point` from where `normal` (unit length) points. Unbounded. */
export function halfSpace(point: Vec3, normal: Vec3): Shape {
  const [nx, ny, nz] = normal;
  const offset = point[0] * nx + point[1] * ny + point[2] * nz;
  const distance = (x: number, y: number, z: number): number => x * nx + y * ny + z * nz - offset;
  return { distance, low: [-Infinity, -Infinity, -Infinity], high: [Infinity, Infinity, Infinity] };
}

/** The triangle a, b, c with everything nearer than `radius`: a fin with a round edge. */
export function roundTriangle(a: Vec3, b: Vec3, c: Vec3, radius: number): Shape {
  const sides = [
    [a, b],
    [b, c],
    [c, a],
  ].map(([p, q]) => roundCone(p, q, 0));
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const area = uu * vv - uv * uv;
  const distance = (x: number, y: number, z: number): number => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
    const pu = px * ux + py * uy + pz * uz;
    const pv = px * vx + py * vy + pz * vz;
    const s = (vv * pu - uv * pv) / area;
    const t = (uu * pv - uv * pu) / area;
    if (s < 0 || t < 0 || s + t > 1) return Math.min(...sides.map((side) => side.distance(x, y, z))) - radius;
    const [nx, ny, nz] = [px - s * ux - t * vx, py - s * uy - t * vy, pz - s * uz - t * vz];
    return Math.sqrt(nx * nx + ny * ny + nz * nz) - radius;
  };
  const low = [0, 1, 2].map((k) => Math.min(a[k], b[k], c[k]) - radius);
  const high = [0, 1, 2].map((k) => Math.max(a[k], b[k], c[k]) + radius);
  return { distance, low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]] };
}

/** The point a share of the way from a to b. */
export function pointBetween(a: Vec3, b: Vec3, share: number): Vec3 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
}
