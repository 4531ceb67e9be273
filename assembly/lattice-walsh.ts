/**
 * Four lattice cells at a time, one component: corners to modes and back. The modes of a cell (its Walsh transform) are
 * explained in src/kernels/reference/lattice-cells.ts, the quads that nodes lie in in src/solvers/lattice/numbers/quad-layout.ts.
 * Seven modes of three components lie at `modes`: mode s of component k at 48 (s − 1) + 16 k bytes.
 */
import { add, splat, sub } from './lanes';

/** Bytes of a node quad: x of four nodes, y of four, z of four. */
export const QUAD_BYTES: usize = 48;

/** Eight corners, x first, then y, then z, to modes 1 to 7. */
// @ts-ignore: decorator
@inline function toModes(modes: usize, c0: v128, c1: v128, c2: v128, c3: v128, c4: v128, c5: v128, c6: v128, c7: v128): void {
  const a0 = add(c0, c1), a1 = add(c2, c3), a2 = add(c4, c5), a3 = add(c6, c7);
  const d0 = sub(c1, c0), d1 = sub(c3, c2), d2 = sub(c5, c4), d3 = sub(c7, c6);
  const s01 = add(a0, a1), s23 = add(a2, a3), t01 = sub(a1, a0), t23 = sub(a3, a2);
  const u01 = add(d0, d1), u23 = add(d2, d3), v01 = sub(d1, d0), v23 = sub(d3, d2);
  v128.store(modes, add(u01, u23));
  v128.store(modes, add(t01, t23), 48);
  v128.store(modes, add(v01, v23), 96);
  v128.store(modes, sub(s23, s01), 144);
  v128.store(modes, sub(u23, u01), 192);
  v128.store(modes, sub(t23, t01), 240);
  v128.store(modes, sub(v23, v01), 288);
}

/** Modes of four cells in quads; `x` is the component's address in the first quad of a vector, `rows` four offsets. */
// @ts-ignore: decorator
@inline export function gatherQuad(x: usize, rows: usize, modes: usize): void {
  const r0 = x + load<u32>(rows), r1 = x + load<u32>(rows, 4), r2 = x + load<u32>(rows, 8), r3 = x + load<u32>(rows, 12);
  const c0 = v128.load(r0), c2 = v128.load(r1), c4 = v128.load(r2), c6 = v128.load(r3);
  const c1 = v128.shuffle<f32>(c0, v128.load(r0, 48), 1, 2, 3, 4), c3 = v128.shuffle<f32>(c2, v128.load(r1, 48), 1, 2, 3, 4);
  const c5 = v128.shuffle<f32>(c4, v128.load(r2, 48), 1, 2, 3, 4), c7 = v128.shuffle<f32>(c6, v128.load(r3, 48), 1, 2, 3, 4);
  toModes(modes, c0, c1, c2, c3, c4, c5, c6, c7);
}

// @ts-ignore: decorator
@inline function fourOf(x: usize, offsets: usize): v128 {
  let four = f32x4.splat(load<f32>(x + load<u32>(offsets)));
  four = f32x4.replace_lane(four, 1, load<f32>(x + load<u32>(offsets, 4)));
  four = f32x4.replace_lane(four, 2, load<f32>(x + load<u32>(offsets, 8)));
  return f32x4.replace_lane(four, 3, load<f32>(x + load<u32>(offsets, 12)));
}

/** The same for cells whose 32 corners are listed. */
export function gatherLoose(x: usize, corners: usize, modes: usize): void {
  toModes(
    modes,
    fourOf(x, corners), fourOf(x, corners + 16), fourOf(x, corners + 32), fourOf(x, corners + 48),
    fourOf(x, corners + 64), fourOf(x, corners + 80), fourOf(x, corners + 96), fourOf(x, corners + 112),
  );
}

/**
 * Whether the group of cells after the one with these rows lies right of it, its first nodes being this one's right ones. Sums for nodes that two groups
 * share are then handed on (`carry`) and not written twice: a number that was just written cannot be read as part of four without waiting for it.
 */
// @ts-ignore: decorator
@inline export function goesOn(rows: usize): bool {
  return v128.all_true<i32>(i32x4.eq(v128.load(rows, 16), i32x4.add(v128.load(rows), i32x4.splat(<i32>QUAD_BYTES))));
}

/** Bytes of what is handed on: four rows of right corners for each of three components, row n of component k at 64 k + 16 n. */
export const CARRY_BYTES: usize = 192;

/** Nothing is handed on. */
// @ts-ignore: decorator
@inline export function clearCarry(carry: usize): void {
  for (let at = carry; at < carry + CARRY_BYTES; at += 16) v128.store(at, splat(0));
}

/** Adds what is handed on to the nodes right of a group with these rows, the last of its run. */
export function endRun(out: usize, rows: usize, carry: usize): void {
  for (let n: usize = 0; n < 4; n++) {
    const at = out + QUAD_BYTES + load<u32>(rows + 4 * n), from = carry + 16 * n + 12;
    addNumber(at, load<f32>(from));
    addNumber(at + 16, load<f32>(from, 64));
    addNumber(at + 32, load<f32>(from, 128));
  }
  clearCarry(carry);
}

/** Adds a number, but writes nothing where it is zero: right of a run without a last cell lie nodes of another one, which another thread may be at. */
// @ts-ignore: decorator
@inline export function addNumber(at: usize, number: f32): void {
  if (number != 0) store<f32>(at, load<f32>(at) + number);
}

/** Adds left and right corners of a row of four cells, the right ones to the nodes one further; the last of these is handed on. */
// @ts-ignore: decorator
@inline function addRow(out: usize, carry: usize, left: v128, right: v128): void {
  const shifted = v128.shuffle<f32>(v128.load(carry), right, 3, 4, 5, 6);
  v128.store(out, add(v128.load(out), add(left, shifted)));
  v128.store(carry, right);
}

/** Adds what four cells in quads give to their corners; `rows`: four offsets; `carry`: where a component hands on. */
// @ts-ignore: decorator
@inline export function scatterQuad(
  out: usize, rows: usize, carry: usize, o1: v128, o2: v128, o3: v128, o4: v128, o5: v128, o6: v128, o7: v128,
): void {
  // low and high along z, then along y, then along x
  let v0 = sub(splat(0), o4), v1 = sub(o1, o5), v2 = sub(o2, o6), v3 = sub(o3, o7);
  let p0 = sub(v0, v2), p1 = sub(v1, v3), q0 = add(v0, v2), q1 = add(v1, v3);
  addRow(out + load<u32>(rows), carry, sub(p0, p1), add(p0, p1));
  addRow(out + load<u32>(rows, 4), carry + 16, sub(q0, q1), add(q0, q1));
  v0 = o4; v1 = add(o1, o5); v2 = add(o2, o6); v3 = add(o3, o7);
  p0 = sub(v0, v2); p1 = sub(v1, v3); q0 = add(v0, v2); q1 = add(v1, v3);
  addRow(out + load<u32>(rows, 8), carry + 32, sub(p0, p1), add(p0, p1));
  addRow(out + load<u32>(rows, 12), carry + 48, sub(q0, q1), add(q0, q1));
}

// @ts-ignore: decorator
@inline function addFour(out: usize, offsets: usize, four: v128): void {
  let at = out + load<u32>(offsets); store<f32>(at, load<f32>(at) + f32x4.extract_lane(four, 0));
  at = out + load<u32>(offsets, 4); store<f32>(at, load<f32>(at) + f32x4.extract_lane(four, 1));
  at = out + load<u32>(offsets, 8); store<f32>(at, load<f32>(at) + f32x4.extract_lane(four, 2));
  at = out + load<u32>(offsets, 12); store<f32>(at, load<f32>(at) + f32x4.extract_lane(four, 3));
}

/** The same for cells whose corners are listed. */
export function scatterLoose(out: usize, corners: usize, o1: v128, o2: v128, o3: v128, o4: v128, o5: v128, o6: v128, o7: v128): void {
  let v0 = sub(splat(0), o4), v1 = sub(o1, o5), v2 = sub(o2, o6), v3 = sub(o3, o7);
  let p0 = sub(v0, v2), p1 = sub(v1, v3), q0 = add(v0, v2), q1 = add(v1, v3);
  addFour(out, corners, sub(p0, p1)); addFour(out, corners + 16, add(p0, p1));
  addFour(out, corners + 32, sub(q0, q1)); addFour(out, corners + 48, add(q0, q1));
  v0 = o4; v1 = add(o1, o5); v2 = add(o2, o6); v3 = add(o3, o7);
  p0 = sub(v0, v2); p1 = sub(v1, v3); q0 = add(v0, v2); q1 = add(v1, v3);
  addFour(out, corners + 64, sub(p0, p1)); addFour(out, corners + 80, add(p0, p1));
  addFour(out, corners + 96, sub(q0, q1)); addFour(out, corners + 112, add(q0, q1));
}
