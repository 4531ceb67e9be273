/**
 * Shapes with a signed distance: negative inside the solid, gradient pointing out of it. Every shape stands at the origin of
 * its own frame, y up; obstacles place them. A container is the outside of its shape: things are kept in.
 */
import { fieldDistance } from './distance-field.js';
import type { ShapeDef } from './shape-def.js';
import { fieldOf, heightFieldOf } from './shape-prepared.js';

export { checkShape, type ShapeDef } from './shape-def.js';

/** A place asked for, and what there is to say of it: by reference, because numbers handed over one by one are boxed. */
export class ShapeProbe {
  /** The place in the shape's frame [m]. */
  readonly at = new Float64Array(3);
  /** Outward unit normal. */
  readonly normal = new Float64Array(3);
  /** Signed distance [m]. */
  readonly distance = new Float64Array(1);
  /** Farther out than this the distance may be too low, but not below this, and the normal rough: saves time with height fields [m]. */
  readonly reach = new Float64Array(1).fill(Number.POSITIVE_INFINITY);
}

const PROBE = new ShapeProbe();

/** Fills distance and normal for the probe's place. */
export function probeShape(shape: ShapeDef, probe: ShapeProbe): void {
  probeSolid(shape, probe);
  if (!('container' in shape) || !shape.container) return;
  probe.distance[0] = -probe.distance[0];
  for (let k = 0; k < 3; k++) probe.normal[k] = -probe.normal[k];
}

/**
 * Signed distance of the point p[i..i+3) from the shape [m]; writes the outward unit normal to n[o..o+3). `reach`: as in
 * `ShapeProbe`.
 */
export function shapeDistance(
  shape: ShapeDef,
  p: Float64Array,
  i: number,
  n: Float64Array,
  o: number,
  reach = Number.POSITIVE_INFINITY,
): number {
  for (let k = 0; k < 3; k++) PROBE.at[k] = p[i + k];
  PROBE.reach[0] = reach;
  probeShape(shape, PROBE);
  n.set(PROBE.normal, o);
  return PROBE.distance[0];
}

function probeSolid(shape: ShapeDef, probe: ShapeProbe): void {
  const { at, normal, distance } = probe;
  switch (shape.kind) {
    case 'plane':
      setNormal(normal, 0, 1, 0);
      distance[0] = at[1];
      return;
    case 'sphere':
      probeBall(shape, probe);
      return;
    case 'capsule': {
      const along = Math.max(-shape.halfLength, Math.min(shape.halfLength, at[1]));
      for (let k = 0; k < 3; k++) normal[k] = at[k];
      normal[1] -= along;
      makeUnit(probe);
      distance[0] -= shape.radius;
      return;
    }
    case 'box':
      probeBox(shape.halfExtents, probe);
      return;
    case 'cylinder':
      probeCylinder(shape, probe);
      return;
    case 'heightField':
      distance[0] = heightFieldOf(shape).distance(at, 0, normal, 0, probe.reach[0]);
      return;
    case 'mesh':
      distance[0] = fieldDistance(fieldOf(shape), at, 0, normal, 0);
  }
}

/** Shorter vectors have no direction: their squares lose digits or vanish. */
const NO_LENGTH = 1e-150;

/**
 * Makes the normal a unit vector and its length the distance; sideways where it has none, which leads out of balls and upright
 * capsules.
 */
function makeUnit({ normal, distance }: ShapeProbe): void {
  const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (length > NO_LENGTH) for (let k = 0; k < 3; k++) normal[k] /= length;
  else setNormal(normal, 1, 0, 0);
  distance[0] = length;
}

/** The same as `makeUnit` for a place seen from a middle, in one go: through it, every ball asked left a boxed number. */
function probeBall(shape: Extract<ShapeDef, { kind: 'sphere' }>, probe: ShapeProbe): void {
  // taken apart where it is handed over, the radius would be boxed too
  const { at, normal, distance } = probe;
  const x = at[0];
  const y = at[1];
  const z = at[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const known = length > NO_LENGTH;
  normal[0] = known ? x / length : 1;
  normal[1] = known ? y / length : 0;
  normal[2] = known ? z / length : 0;
  distance[0] = length - shape.radius;
}

function probeBox(half: readonly number[], probe: ShapeProbe): void {
  const { at, normal } = probe;
  let nearest = 0;
  let outside = 0;
  for (let k = 0; k < 3; k++) {
    const over = Math.abs(at[k]) - half[k];
    if (over > Math.abs(at[nearest]) - half[nearest]) nearest = k;
    normal[k] = over > 0 ? (at[k] < 0 ? -over : over) : 0;
    outside += normal[k] * normal[k];
  }
  if (outside > NO_LENGTH * NO_LENGTH) {
    makeUnit(probe);
    return;
  }
  setNormal(normal, 0, 0, 0);
  normal[nearest] = at[nearest] < 0 ? -1 : 1;
  probe.distance[0] = Math.abs(at[nearest]) - half[nearest];
}

function probeCylinder(shape: Extract<ShapeDef, { kind: 'cylinder' }>, { at, normal, distance }: ShapeProbe): void {
  const across = Math.sqrt(at[0] * at[0] + at[2] * at[2]);
  const side = across - shape.radius;
  const end = Math.abs(at[1]) - shape.halfLength;
  const up = at[1] < 0 ? -1 : 1;
  const rx = across > NO_LENGTH ? at[0] / across : 1;
  const rz = across > NO_LENGTH ? at[2] / across : 0;
  if (side > 0 && end > 0) {
    const length = Math.sqrt(side * side + end * end);
    setNormal(normal, (rx * side) / length, (up * end) / length, (rz * side) / length);
    distance[0] = length;
    return;
  }
  if (side > end) setNormal(normal, rx, 0, rz);
  else setNormal(normal, 0, up, 0);
  distance[0] = Math.max(side, end);
}

function setNormal(n: Float64Array, x: number, y: number, z: number): void {
  n[0] = x;
  n[1] = y;
  n[2] = z;
}
