/**
 * Shapes with a signed distance: negative inside the solid, gradient pointing out of it. Every shape stands at the origin of
 * its own frame, y up; obstacles place them. A container is the outside of its shape: things are kept in.
 */
import { fieldDistance } from './distance-field.js';
import type { ShapeDef } from './shape-def.js';
import { fieldOf, heightFieldOf } from './shape-prepared.js';

export { checkShape, type ShapeDef } from './shape-def.js';

/**
 * Signed distance of the point p[i..i+3) from the shape [m]; writes the outward unit normal to n[o..o+3). Farther out than
 * `reach` the number may be too low, but not below `reach`, and the normal rough: that saves time with height fields.
 */
export function shapeDistance(
  shape: ShapeDef,
  p: Float64Array,
  i: number,
  n: Float64Array,
  o: number,
  reach = Number.POSITIVE_INFINITY,
): number {
  const distance = solidDistance(shape, p, i, n, o, reach);
  if (!('container' in shape) || !shape.container) return distance;
  for (let k = 0; k < 3; k++) n[o + k] = -n[o + k];
  return -distance;
}

function solidDistance(shape: ShapeDef, p: Float64Array, i: number, n: Float64Array, o: number, reach: number): number {
  switch (shape.kind) {
    case 'plane':
      setNormal(n, o, 0, 1, 0);
      return p[i + 1];
    case 'sphere':
      setNormal(n, o, p[i], p[i + 1], p[i + 2]);
      return makeUnit(n, o) - shape.radius;
    case 'capsule': {
      const along = Math.max(-shape.halfLength, Math.min(shape.halfLength, p[i + 1]));
      setNormal(n, o, p[i], p[i + 1] - along, p[i + 2]);
      return makeUnit(n, o) - shape.radius;
    }
    case 'box':
      return boxDistance(shape.halfExtents, p, i, n, o);
    case 'cylinder':
      return cylinderDistance(shape.radius, shape.halfLength, p, i, n, o);
    case 'heightField':
      return heightFieldOf(shape).distance(p, i, n, o, reach);
    case 'mesh':
      return fieldDistance(fieldOf(shape), p, i, n, o);
  }
}

/** Shorter vectors have no direction: their squares lose digits or vanish. */
const NO_LENGTH = 1e-150;

/** Makes n[o..o+3) a unit vector and returns its length; sideways where it has none, which leads out of balls and upright capsules. */
function makeUnit(n: Float64Array, o: number): number {
  const length = Math.sqrt(n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]);
  if (length > NO_LENGTH) for (let k = o; k < o + 3; k++) n[k] /= length;
  else setNormal(n, o, 1, 0, 0);
  return length;
}

function boxDistance(half: readonly number[], p: Float64Array, i: number, n: Float64Array, o: number): number {
  let nearest = 0;
  let outside = 0;
  for (let k = 0; k < 3; k++) {
    const over = Math.abs(p[i + k]) - half[k];
    if (over > Math.abs(p[i + nearest]) - half[nearest]) nearest = k;
    n[o + k] = over > 0 ? (p[i + k] < 0 ? -over : over) : 0;
    outside += n[o + k] * n[o + k];
  }
  if (outside > NO_LENGTH * NO_LENGTH) return makeUnit(n, o);
  setNormal(n, o, 0, 0, 0);
  n[o + nearest] = p[i + nearest] < 0 ? -1 : 1;
  return Math.abs(p[i + nearest]) - half[nearest];
}

function cylinderDistance(
  radius: number,
  half: number,
  p: Float64Array,
  i: number,
  n: Float64Array,
  o: number,
): number {
  const across = Math.sqrt(p[i] * p[i] + p[i + 2] * p[i + 2]);
  const side = across - radius;
  const end = Math.abs(p[i + 1]) - half;
  const up = p[i + 1] < 0 ? -1 : 1;
  const rx = across > NO_LENGTH ? p[i] / across : 1;
  const rz = across > NO_LENGTH ? p[i + 2] / across : 0;
  if (side > 0 && end > 0) {
    const length = Math.sqrt(side * side + end * end);
    setNormal(n, o, (rx * side) / length, (up * end) / length, (rz * side) / length);
    return length;
  }
  if (side > end) setNormal(n, o, rx, 0, rz);
  else setNormal(n, o, 0, up, 0);
  return Math.max(side, end);
}

function setNormal(n: Float64Array, o: number, x: number, y: number, z: number): void {
  n[o] = x;
  n[o + 1] = y;
  n[o + 2] = z;
}
