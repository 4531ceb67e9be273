/** Signed distance and outward normal of plain shapes, in f64: the same sums in the same order as src/collision/shapes/shape.ts, which explains them. */

/** Kinds of shape that are known here. */
const PLANE: i32 = 0;
const SPHERE: i32 = 1;
const CAPSULE: i32 = 2;

/** Shorter vectors have no direction. */
const NO_LENGTH: f64 = 1e-150;

/** What was found: distance [m] and normal, in the shape's frame. */
export let distance: f64 = 0;
export let normalX: f64 = 0;
export let normalY: f64 = 0;
export let normalZ: f64 = 0;

/** Probes a shape with three numbers `size` at a place of its frame: radius; radius and half length; half extents. */
export function probe(kind: i32, size: usize, x: f64, y: f64, z: f64): void {
  if (kind == PLANE) {
    setNormal(0, 1, 0);
    distance = y;
  } else if (kind == SPHERE) {
    setNormal(x, y, z);
    makeUnit();
    distance -= load<f64>(size);
  } else if (kind == CAPSULE) {
    const half = load<f64>(size, 8);
    setNormal(x, y - max<f64>(-half, min<f64>(half, y)), z);
    makeUnit();
    distance -= load<f64>(size);
  } else probeBox(size, x, y, z);
}

/** The distance alone: most places that are asked for are too far away for a normal to matter. */
export function distanceTo(kind: i32, size: usize, x: f64, y: f64, z: f64): f64 {
  if (kind == PLANE) return y;
  if (kind == SPHERE) return sqrt(x * x + y * y + z * z) - load<f64>(size);
  if (kind == CAPSULE) {
    const half = load<f64>(size, 8);
    const over = y - max<f64>(-half, min<f64>(half, y));
    return sqrt(x * x + over * over + z * z) - load<f64>(size);
  }
  probeBox(size, x, y, z);
  return distance;
}

function probeBox(size: usize, x: f64, y: f64, z: f64): void {
  const overX = abs(x) - load<f64>(size), overY = abs(y) - load<f64>(size, 8), overZ = abs(z) - load<f64>(size, 16);
  setNormal(overX > 0 ? (x < 0 ? -overX : overX) : 0, overY > 0 ? (y < 0 ? -overY : overY) : 0, overZ > 0 ? (z < 0 ? -overZ : overZ) : 0);
  const outside = 0 + normalX * normalX + normalY * normalY + normalZ * normalZ;
  if (outside > NO_LENGTH * NO_LENGTH) {
    makeUnit();
    return;
  }
  if (overY > overX ? overZ > overY : overZ > overX) {
    setNormal(0, 0, z < 0 ? -1 : 1);
    distance = overZ;
  } else if (overY > overX) {
    setNormal(0, y < 0 ? -1 : 1, 0);
    distance = overY;
  } else {
    setNormal(x < 0 ? -1 : 1, 0, 0);
    distance = overX;
  }
}

// @ts-ignore: decorator
@inline function setNormal(x: f64, y: f64, z: f64): void {
  normalX = x;
  normalY = y;
  normalZ = z;
}

/** The normal becomes a unit vector and its length the distance. */
function makeUnit(): void {
  const length = sqrt(normalX * normalX + normalY * normalY + normalZ * normalZ);
  if (length > NO_LENGTH) setNormal(normalX / length, normalY / length, normalZ / length);
  else setNormal(1, 0, 0);
  distance = length;
}
