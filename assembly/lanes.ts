/** Short names for the four-lane f32 operations the kernels are written in, and the two transposes they share. */

// @ts-ignore: decorator
@inline export function add(a: v128, b: v128): v128 { return f32x4.add(a, b); }
// @ts-ignore: decorator
@inline export function sub(a: v128, b: v128): v128 { return f32x4.sub(a, b); }
// @ts-ignore: decorator
@inline export function mul(a: v128, b: v128): v128 { return f32x4.mul(a, b); }
// @ts-ignore: decorator
@inline export function div(a: v128, b: v128): v128 { return f32x4.div(a, b); }
// @ts-ignore: decorator
@inline export function splat(a: f32): v128 { return f32x4.splat(a); }

/** a·b + c·d + e·f, always in this order. */
// @ts-ignore: decorator
@inline export function dot3(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return add(add(mul(a, b), mul(c, d)), mul(e, f));
}

/** First two lanes of a and b interleaved: a0 b0 a1 b1. */
// @ts-ignore: decorator
@inline export function low(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 0, 4, 1, 5); }
/** Last two lanes of a and b interleaved: a2 b2 a3 b3. */
// @ts-ignore: decorator
@inline export function high(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 2, 6, 3, 7); }
/** First halves: a0 a1 b0 b1. */
// @ts-ignore: decorator
@inline export function firsts(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 0, 1, 4, 5); }
/** Second halves: a2 a3 b2 b3. */
// @ts-ignore: decorator
@inline export function seconds(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 2, 3, 6, 7); }

/** Adds `row` to the four floats at `address`. */
// @ts-ignore: decorator
@inline export function addTo(address: usize, row: v128): void { v128.store(address, add(v128.load(address), row)); }
/** Subtracts `row` from the four floats at `address`. */
// @ts-ignore: decorator
@inline export function subFrom(address: usize, row: v128): void { v128.store(address, sub(v128.load(address), row)); }
