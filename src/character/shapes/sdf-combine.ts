/**
 * Shapes from shapes: blended unions and intersections, differences, mirror images, stretched copies, chains of limbs.
 * What the procedural characters are put together with.
 */
import type { Vec3 } from '../../body/body-def.js';
import { roundCone, type Shape } from './sdf.js';

/** Round cones from point to point, one radius per point: a limb with its swellings. */
export function chain(points: readonly Vec3[], radii: readonly number[]): Shape {
  const cones = points.slice(1).map((point, i) => roundCone(points[i], point, radii[i], radii[i + 1]));
  const distance = (x: number, y: number, z: number): number => {
    let result = Infinity;
    for (let i = 0; i < cones.length; i++) {
      // Distances of cones are exact, so the box alone tells which of them cannot be the nearest.
      const away = boxDistance(cones[i], x, y, z);
      if (away === 0 || away < result) result = Math.min(result, cones[i].distance(x, y, z));
    }
    return result;
  };
  return { ...smoothUnion(0, cones), distance };
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
      // Far outside a shape's box the shape cannot matter. Half, because stretched shapes understate their distance.
      const away = boxDistance(shapes[i], x, y, z);
      if (away > 0 && 0.5 * away > result + radius) continue;
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
