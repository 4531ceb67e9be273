/** Signed distance and outward normal of round shapes in their own frames, as src/collision/shapes/shape.ts and the coupled solver have them. The answer is in the globals below. */

export let probeX: f64 = 0, probeY: f64 = 0, probeZ: f64 = 0, probeDistance: f64 = 0;

// kinds of shapes, as src/solvers/coupled/contacts/search-memory.ts writes them
const SPHERE: i32 = 1;
const CAPSULE: i32 = 2;
const TORUS: i32 = 3;
/** Shorter vectors have no direction. */
const NO_LENGTH: f64 = 1e-150;

/** Asks the shape at `shape` at a place. What is neither of the three is a plane. */
export function probeRound(shape: usize, x: f64, y: f64, z: f64): void {
  const kind = load<i32>(shape);
  const radius = load<f64>(shape, 16);
  if (kind == SPHERE) {
    makeUnit(x, y, z);
    probeDistance -= radius;
    return;
  }
  if (kind == CAPSULE) {
    const half = load<f64>(shape, 24);
    makeUnit(x, y - max<f64>(-half, min<f64>(half, y)), z);
    probeDistance -= radius;
    return;
  }
  if (kind == TORUS) {
    const across = sqrt(x * x + z * z);
    const usable = across > NO_LENGTH;
    const rx = usable ? x / across : 1, rz = usable ? z / across : 0;
    const out = across - radius;
    const length = sqrt(out * out + y * y);
    probeDistance = length - load<f64>(shape, 24);
    const known = length > NO_LENGTH;
    probeX = known ? (rx * out) / length : 0;
    probeY = known ? y / length : 1;
    probeZ = known ? (rz * out) / length : 0;
    return;
  }
  probeX = 0; probeY = 1; probeZ = 0;
  probeDistance = y;
}

/** The distance alone. */
export function distanceRound(shape: usize, x: f64, y: f64, z: f64): f64 {
  const kind = load<i32>(shape);
  const radius = load<f64>(shape, 16);
  if (kind == SPHERE) return sqrt(x * x + y * y + z * z) - radius;
  if (kind == CAPSULE) {
    const half = load<f64>(shape, 24);
    const over = y - max<f64>(-half, min<f64>(half, y));
    return sqrt(x * x + over * over + z * z) - radius;
  }
  if (kind != TORUS) return y;
  const out = sqrt(x * x + z * z) - radius;
  return sqrt(out * out + y * y) - load<f64>(shape, 24);
}

/** Normal and distance from a vector; sideways where it has no length. */
// @ts-ignore: decorator
@inline function makeUnit(x: f64, y: f64, z: f64): void {
  const length = sqrt(x * x + y * y + z * z);
  const known = length > NO_LENGTH;
  probeX = known ? x / length : 1;
  probeY = known ? y / length : 0;
  probeZ = known ? z / length : 0;
  probeDistance = length;
}
