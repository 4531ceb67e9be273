/**
 * Where the sides of contacts are, and how they move when one is pushed, in f64: the same sums in the same order as `addPosition` and `push` of
 * src/solvers/projective/outside/flesh-response.ts and bone-response.ts, which explain them; the bits are the same.
 *
 * A body is a row of 32-bit words, written by `describe` of flesh-and-bones.ts: addresses, and how many there are of what.
 */

/** Where the last contact asked for is, its first side seen from the second. */
export let hereX: f64 = 0, hereY: f64 = 0, hereZ: f64 = 0;

/** Adds where a side is to `here`, or takes it away. */
function addSide(body: usize, side: usize, sign: f64): void {
  const position: usize = load<u32>(body) + side * 24;
  let x = load<f64>(position), y = load<f64>(position, 8), z = load<f64>(position, 16);
  if (load<u32>(body, 4)) {
    const region: usize = load<u32>(body, 24) + side * 16, shares: usize = load<u32>(body, 28) + side * 32;
    const moved: usize = load<u32>(body, 44);
    for (let k: usize = 0; k < 4; k++) {
      const share = load<f64>(shares + k * 8);
      if (share == 0) continue;
      const at: usize = moved + (<usize>load<u32>(region + k * 4)) * 24;
      x += share * load<f64>(at);
      y += share * load<f64>(at, 8);
      z += share * load<f64>(at, 16);
    }
  }
  const last: usize = load<u32>(load<u32>(body, 60) + side * 4);
  const bones: usize = load<u32>(body, 64), entries: usize = load<u32>(body, 68), motion: usize = load<u32>(body, 80);
  for (let e: usize = load<u32>(load<u32>(body, 56) + side * 4); e < last; e++) {
    const b: usize = motion + (<usize>load<u32>(bones + e * 4)) * 48, entry = entries + e * 32;
    const ax = load<f64>(entry), ay = load<f64>(entry, 8), az = load<f64>(entry, 16), share = load<f64>(entry, 24);
    const tx = load<f64>(b), ty = load<f64>(b, 8), tz = load<f64>(b, 16);
    x += ty * az - tz * ay + share * load<f64>(b, 24);
    y += tz * ax - tx * az + share * load<f64>(b, 32);
    z += tx * ay - ty * ax + share * load<f64>(b, 40);
  }
  if (sign > 0) {
    hereX = x; hereY = y; hereZ = z;
  } else {
    hereX -= x; hereY -= y; hereZ -= z;
  }
}

/** Where a contact is; `sides`: body and side, twice, the second body 0 for an obstacle. */
export function place(sides: usize): void {
  addSide(load<u32>(sides), load<u32>(sides, 4), 1);
  const other: usize = load<u32>(sides, 8);
  if (other) addSide(other, load<u32>(sides, 12), -1);
}

/** Moves all sides of a body as a force on one of them wants. */
function push(body: usize, side: usize, x: f64, y: f64, z: f64): void {
  const xy = f64x2.replace_lane(f64x2.splat(x), 1, y);
  if (load<u32>(body, 4)) {
    const position: usize = load<u32>(body);
    const others: usize = load<u32>(body, 16), values: usize = load<u32>(body, 20);
    const last: usize = load<u32>(load<u32>(body, 12) + side * 4);
    for (let e: usize = load<u32>(load<u32>(body, 8) + side * 4); e < last; e++) {
      addPush(position + (<usize>load<u32>(others + e * 4)) * 24, load<f32>(values + e * 4), xy, z);
    }
    const regions: usize = load<u32>(body, 48), moved: usize = load<u32>(body, 44);
    const rows: usize = load<u32>(body, 32) + side * regions * 4, list: usize = load<u32>(body, 36) + side * regions * 4;
    const listed: usize = load<u32>(load<u32>(body, 40) + side * 4);
    for (let n: usize = 0; n < listed; n++) {
      const region: usize = load<u32>(list + n * 4);
      addPush(moved + region * 24, load<f32>(rows + region * 4), xy, z);
    }
  }
  const end: usize = load<u32>(body, 80) + <usize>load<u32>(body, 52) * 48;
  let answer: usize = load<u32>(body, 72) + side * <usize>load<u32>(body, 76) * 12;
  const xx = f64x2.splat(x), yy = f64x2.splat(y), zz = f64x2.splat(z);
  // two rows of three at a time
  for (let motion: usize = load<u32>(body, 80); motion < end; motion += 16, answer += 24) {
    const p = v128.load(answer), q = v128.load(answer, 8);
    const a = f64x2.promote_low_f32x4(v128.shuffle<f32>(p, p, 0, 3, 0, 3));
    const b = f64x2.promote_low_f32x4(v128.shuffle<f32>(p, q, 1, 6, 1, 6));
    const c = f64x2.promote_low_f32x4(v128.shuffle<f32>(q, q, 0, 3, 0, 3));
    const turn = f64x2.add(f64x2.add(f64x2.mul(xx, a), f64x2.mul(yy, b)), f64x2.mul(zz, c));
    v128.store(motion, f64x2.add(v128.load(motion), turn));
  }
}

/** Adds w (x, y, z) to the three f64 at an address. */
// @ts-ignore: decorator
@inline function addPush(to: usize, value: f32, xy: v128, z: f64): void {
  const w = <f64>value;
  v128.store(to, f64x2.add(v128.load(to), f64x2.mul(f64x2.splat(w), xy)));
  store<f64>(to, load<f64>(to, 16) + w * z, 16);
}

/** Moves all sides as a force at a contact wants. */
export function move(sides: usize, x: f64, y: f64, z: f64): void {
  push(load<u32>(sides), load<u32>(sides, 4), x, y, z);
  const other: usize = load<u32>(sides, 8);
  if (other) push(other, load<u32>(sides, 12), -x, -y, -z);
}
