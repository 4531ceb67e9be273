/**
 * Shapes as signed distances, negative inside, from which the procedural characters are put together. Distances are
 * exact for spheres and capsules and good to a few per cent near the surface for the rest, which is all the mesher
 * needs. Every shape knows the box it lies in.
 */
import type { Vec3 } from '../body/body-def.js';

/** A solid: signed distance [m], and the corners of a box around it [m]. */
export interface Shape {
  readonly distance: (x: number, y: number, z: number) => number;
  readonly low: Vec3;
  readonly high: Vec3;
}

/** A ball. */
export function sphere(center: Vec3, radius: number): Shape {
  return ellipsoid(center, [radius, radius, radius]);
}

/** An ellipsoid with half axes along x, y, z; first-order distance, exact for a ball. */
export function ellipsoid(center: Vec3, radii: Vec3): Shape {
  const [cx, cy, cz] = center;
  const [rx, ry, rz] = radii;
  const smallest = Math.min(rx, ry, rz);
  const distance = (x: number, y: number, z: number): number => {
    const ux = (x - cx) / rx;
    const uy = (y - cy) / ry;
    const uz = (z - cz) / rz;
    const scaled = Math.sqrt(ux * ux + uy * uy + uz * uz);
    const gradient = Math.sqrt((ux / rx) ** 2 + (uy / ry) ** 2 + (uz / rz) ** 2);
    return gradient === 0 ? -smallest : (scaled * (scaled - 1)) / gradient;
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

/** Round cones from point to point, one radius per point: a limb with its swellings. */
export function chain(points: readonly Vec3[], radii: readonly number[]): Shape {
  const cones = points.slice(1).map((point, i) => roundCone(points[i], point, radii[i], radii[i + 1]));
  return smoothUnion(0, cones);
}

/** A ring around the z axis through `center`: `major` to the middle of the tube, `minor` its radius. */
export function torus(center: Vec3, major: number, minor: number): Shape {
  const [cx, cy, cz] = center;
  const reach = major + minor;
  const distance = (x: number, y: number, z: number): number => {
    const fromRing = Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - major;
    return Math.sqrt(fromRing * fromRing + (z - cz) ** 2) - minor;
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

/** A shape stretched along the axes by `factors` about `center`; distances are scaled by the smallest factor. */
export function stretch(shape: Shape, center: Vec3, factors: Vec3): Shape {
  const [cx, cy, cz] = center;
  const [fx, fy, fz] = factors;
  const scale = Math.min(fx, fy, fz);
  const place = (corner: Vec3): Vec3 => [
    cx + (corner[0] - cx) * fx,
    cy + (corner[1] - cy) * fy,
    cz + (corner[2] - cz) * fz,
  ];
  return {
    distance: (x, y, z) => scale * shape.distance(cx + (x - cx) / fx, cy + (y - cy) / fy, cz + (z - cz) / fz),
    low: place(shape.low),
    high: place(shape.high),
  };
}

/** Both shapes and all others, with every crease filled to about `radius` [m]; 0 gives a plain union. */
export function smoothUnion(radius: number, shapes: readonly Shape[]): Shape {
  const distance = (x: number, y: number, z: number): number => {
    let result = shapes[0].distance(x, y, z);
    for (let i = 1; i < shapes.length; i++) {
      // Far from a shape's box the shape cannot matter. Half, because stretched shapes understate their distance.
      if (0.5 * boxDistance(shapes[i], x, y, z) > result + radius) continue;
      const other = shapes[i].distance(x, y, z);
      const overlap = radius - Math.abs(result - other);
      result = Math.min(result, other) - (overlap > 0 ? (overlap * overlap) / (4 * radius) : 0);
    }
    return result;
  };
  const corner = (pick: (...values: number[]) => number, key: 'low' | 'high', grow: number): Vec3 => [
    pick(...shapes.map((shape) => shape[key][0])) + grow,
    pick(...shapes.map((shape) => shape[key][1])) + grow,
    pick(...shapes.map((shape) => shape[key][2])) + grow,
  ];
  return { distance, low: corner(Math.min, 'low', -radius / 4), high: corner(Math.max, 'high', radius / 4) };
}

/** A lower bound of the distance to the shape's box along the axes [m]; 0 inside. */
function boxDistance({ low, high }: Shape, x: number, y: number, z: number): number {
  return Math.max(0, low[0] - x, x - high[0], low[1] - y, y - high[1], low[2] - z, z - high[2]);
}

/** What lies in both shapes, the edge between them rounded to about `radius` [m]. */
export function smoothIntersection(radius: number, a: Shape, b: Shape): Shape {
  const distance = (x: number, y: number, z: number): number => {
    const inA = a.distance(x, y, z);
    const inB = b.distance(x, y, z);
    const overlap = radius - Math.abs(inA - inB);
    return Math.max(inA, inB) + (overlap > 0 ? (overlap * overlap) / (4 * radius) : 0);
  };
  const low = [0, 1, 2].map((k) => Math.max(a.low[k], b.low[k]));
  const high = [0, 1, 2].map((k) => Math.min(a.high[k], b.high[k]));
  return { distance, low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]] };
}

/** The shape with its left and right sides swapped (x -> -x). */
export function mirrorX(shape: Shape): Shape {
  return {
    distance: (x, y, z) => shape.distance(-x, y, z),
    low: [-shape.high[0], shape.low[1], shape.low[2]],
    high: [-shape.low[0], shape.high[1], shape.high[2]],
  };
}

/** The point a share of the way from a to b. */
export function pointBetween(a: Vec3, b: Vec3, share: number): Vec3 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
}

/** The shape with front and back swapped (z -> -z). */
export function mirrorZ(shape: Shape): Shape {
  return {
    distance: (x, y, z) => shape.distance(x, y, -z),
    low: [shape.low[0], shape.low[1], -shape.high[2]],
    high: [shape.high[0], shape.high[1], -shape.low[2]],
  };
}

/** What is in `a` and not in `b`; the edge between them is sharp. */
export function subtract(a: Shape, b: Shape): Shape {
  return { ...a, distance: (x, y, z) => Math.max(a.distance(x, y, z), -b.distance(x, y, z)) };
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

/** A coiled shell around an axis along z. */
export interface SpiralShellOptions {
  readonly center: Vec3;
  /** From the axis to the middle of the tube, where it opens [m]. */
  readonly radius: number;
  /** Radius of the tube where it opens [m]. */
  readonly tube: number;
  /** Number of turns. */
  readonly turns: number;
  /** How much smaller it is one turn further in. */
  readonly ratio: number;
  /** How far the tip stands out along +z [m]. */
  readonly rise: number;
  /** Radius to which the seam between turns is filled [m]. */
  readonly seam: number;
  /** Taken off the radius of the tube everywhere, for the hollow of a shell with walls of this thickness [m]. */
  readonly inset?: number;
  /** Steps of a sixteenth turn left out at the opening. */
  readonly skip?: number;
}

/** A tube coiled to a logarithmic spiral that opens downward (-y) and winds up and back (towards -x) from there. */
export function spiralShell(options: SpiralShellOptions): Shape {
  const { center, radius, tube, turns, ratio, rise, seam, inset = 0, skip = 0 } = options;
  // Steps of 22.5 degrees, by repeated rotation; cos and sin of it are roots, the same on every machine.
  const steps = Math.round(16 * turns);
  const cosine = Math.sqrt(2 + Math.sqrt(2)) / 2;
  const sine = Math.sqrt(2 - Math.sqrt(2)) / 2;
  const shrink = Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(ratio))));
  const points: Vec3[] = [];
  const radii: number[] = [];
  let [x, y, scale] = [0, -1, 1];
  for (let step = 0; step <= steps; step++) {
    points.push([center[0] + radius * scale * x, center[1] + radius * scale * y, center[2] + rise * (1 - scale)]);
    radii.push(tube * scale - inset);
    [x, y] = [x * cosine + y * sine, y * cosine - x * sine];
    scale *= shrink;
  }
  // Half turns are blended, so that the seam between one turn and the next has no sharp bottom.
  const parts: Shape[] = [];
  for (let step = skip; step < steps; step += 8)
    parts.push(chain(points.slice(step, step + 9), radii.slice(step, step + 9)));
  return smoothUnion(seam, parts);
}
