/**
 * Triangular solves with a supernodal Cholesky factor, three right-hand sides at once, in f32 rows of four (x, y, z, 0).
 * The factor is cut into blocks of columns (see src/linalg/solve-plan.ts). A block is a record of eight u32:
 *      0  byte offset of its first row in y        16  address of the diagonal block, rows packed, inverse diagonal
 *      4  width (columns)                          20  address of the panels below: [panel][column][8 or 4 rows]
 *      8  panels of 8 rows                         24  address of row offsets for the forward solve
 *     12  panels of 4 rows (0 or 1)                28  address of row offsets for the backward solve
 * Rows that do not fill a panel point at a spare row behind y. In the forward solve, rows of the top of the tree are
 * sent to a copy that belongs to the part being solved, so that parts can run side by side and be summed in order.
 */
import { add, firsts, high, low, mul, seconds, splat, sub, subFrom } from './lanes';

/** y ← L⁻¹ y for blocks [first, last) of the records at `blocks`. */
export function solveForward(first: usize, last: usize, blocks: usize, y: usize): void {
  for (let block = first; block < last; block++) {
    const record = blocks + block * 32;
    const own = y + load<u32>(record);
    const width: usize = load<u32>(record, 4);
    let d: usize = load<u32>(record, 16);
    for (let i: usize = 0; i < width; i++) {
      let a = v128.load(own + i * 16), b = splat(0);
      let j: usize = 0;
      for (; j + 1 < i; j += 2) {
        a = sub(a, mul(v128.load_splat<f32>(d), v128.load(own + j * 16)));
        b = sub(b, mul(v128.load_splat<f32>(d, 4), v128.load(own + j * 16, 16)));
        d += 8;
      }
      if (j < i) {
        a = sub(a, mul(v128.load_splat<f32>(d), v128.load(own + j * 16)));
        d += 4;
      }
      v128.store(own + i * 16, mul(add(a, b), v128.load_splat<f32>(d)));
      d += 4;
    }

    let panel: usize = load<u32>(record, 20);
    let rows: usize = load<u32>(record, 24);
    const end = own + width * 16;
    for (let p = load<u32>(record, 8); p > 0; p--) {
      let x0 = splat(0), y0 = splat(0), z0 = splat(0), x1 = splat(0), y1 = splat(0), z1 = splat(0);
      for (let from = own; from < end; from += 16) {
        const upper = v128.load(panel), lower = v128.load(panel, 16);
        const sx = v128.load_splat<f32>(from), sy = v128.load_splat<f32>(from, 4), sz = v128.load_splat<f32>(from, 8);
        x0 = add(x0, mul(upper, sx)); y0 = add(y0, mul(upper, sy)); z0 = add(z0, mul(upper, sz));
        x1 = add(x1, mul(lower, sx)); y1 = add(y1, mul(lower, sy)); z1 = add(z1, mul(lower, sz));
        panel += 32;
      }
      subtractRows(y, rows, x0, y0, z0);
      subtractRows(y, rows + 16, x1, y1, z1);
      rows += 32;
    }
    if (load<u32>(record, 12)) {
      let x0 = splat(0), y0 = splat(0), z0 = splat(0);
      for (let from = own; from < end; from += 16) {
        const upper = v128.load(panel);
        x0 = add(x0, mul(upper, v128.load_splat<f32>(from)));
        y0 = add(y0, mul(upper, v128.load_splat<f32>(from, 4)));
        z0 = add(z0, mul(upper, v128.load_splat<f32>(from, 8)));
        panel += 16;
      }
      subtractRows(y, rows, x0, y0, z0);
    }
  }
}

/** y ← L⁻ᵀ y for blocks [first, last), last block first. `scratch` holds 12 bytes for each row below a block. */
export function solveBackward(first: usize, last: usize, blocks: usize, y: usize, scratch: usize): void {
  for (let block = last; block > first; block--) {
    const record = blocks + (block - 1) * 32;
    const own = y + load<u32>(record);
    const width: usize = load<u32>(record, 4);
    const panels8: usize = load<u32>(record, 8), panels4: usize = load<u32>(record, 12);

    // what is already solved below, one vector per component and four rows
    let rows: usize = load<u32>(record, 28);
    const quads = panels8 * 2 + panels4;
    let to = scratch;
    for (let n: usize = 0; n < quads; n++) {
      const a = v128.load(y + load<u32>(rows)), b = v128.load(y + load<u32>(rows, 4));
      const c = v128.load(y + load<u32>(rows, 8)), d = v128.load(y + load<u32>(rows, 12));
      const ab = low(a, b), cd = low(c, d);
      v128.store(to, firsts(ab, cd));
      v128.store(to, seconds(ab, cd), 16);
      v128.store(to, firsts(high(a, b), high(c, d)), 32);
      rows += 16;
      to += 48;
    }

    const panels: usize = load<u32>(record, 20);
    const stride = width * 32;
    let column: usize = 0;
    for (; column + 1 < width; column += 2) {
      let x0 = splat(0), y0 = splat(0), z0 = splat(0), x1 = splat(0), y1 = splat(0), z1 = splat(0);
      let l = panels + column * 32;
      let from = scratch;
      for (let p: usize = 0; p < panels8; p++) {
        let a = v128.load(l), b = v128.load(l, 32);
        let sx = v128.load(from), sy = v128.load(from, 16), sz = v128.load(from, 32);
        x0 = add(x0, mul(a, sx)); y0 = add(y0, mul(a, sy)); z0 = add(z0, mul(a, sz));
        x1 = add(x1, mul(b, sx)); y1 = add(y1, mul(b, sy)); z1 = add(z1, mul(b, sz));
        a = v128.load(l, 16); b = v128.load(l, 48);
        sx = v128.load(from, 48); sy = v128.load(from, 64); sz = v128.load(from, 80);
        x0 = add(x0, mul(a, sx)); y0 = add(y0, mul(a, sy)); z0 = add(z0, mul(a, sz));
        x1 = add(x1, mul(b, sx)); y1 = add(y1, mul(b, sy)); z1 = add(z1, mul(b, sz));
        l += stride;
        from += 96;
      }
      if (panels4) {
        l = panels + panels8 * stride + column * 16;
        const a = v128.load(l), b = v128.load(l, 16);
        const sx = v128.load(from), sy = v128.load(from, 16), sz = v128.load(from, 32);
        x0 = add(x0, mul(a, sx)); y0 = add(y0, mul(a, sy)); z0 = add(z0, mul(a, sz));
        x1 = add(x1, mul(b, sx)); y1 = add(y1, mul(b, sy)); z1 = add(z1, mul(b, sz));
      }
      subFrom(own + column * 16, sumLanes(x0, y0, z0));
      subFrom(own + column * 16 + 16, sumLanes(x1, y1, z1));
    }
    if (column < width) {
      let x0 = splat(0), y0 = splat(0), z0 = splat(0);
      let l = panels + column * 32;
      let from = scratch;
      for (let p: usize = 0; p < panels8; p++) {
        let a = v128.load(l);
        x0 = add(x0, mul(a, v128.load(from))); y0 = add(y0, mul(a, v128.load(from, 16))); z0 = add(z0, mul(a, v128.load(from, 32)));
        a = v128.load(l, 16);
        x0 = add(x0, mul(a, v128.load(from, 48))); y0 = add(y0, mul(a, v128.load(from, 64))); z0 = add(z0, mul(a, v128.load(from, 80)));
        l += stride;
        from += 96;
      }
      if (panels4) {
        const a = v128.load(panels + panels8 * stride + column * 16);
        x0 = add(x0, mul(a, v128.load(from))); y0 = add(y0, mul(a, v128.load(from, 16))); z0 = add(z0, mul(a, v128.load(from, 32)));
      }
      subFrom(own + column * 16, sumLanes(x0, y0, z0));
    }

    let d: usize = load<u32>(record, 16) + ((width * (width + 1)) << 1);
    for (let i = width; i > 0; i--) {
      d -= i * 4;
      const solved = mul(v128.load(own + i * 16 - 16), v128.load_splat<f32>(d + i * 4 - 4));
      v128.store(own + i * 16 - 16, solved);
      for (let j: usize = 0; j + 1 < i; j++) subFrom(own + j * 16, mul(v128.load_splat<f32>(d + j * 4), solved));
    }
  }
}

/** Four rows, given by component, subtracted from the rows of y at the four offsets stored at `rows`. */
// @ts-ignore: decorator
@inline function subtractRows(y: usize, rows: usize, xs: v128, ys: v128, zs: v128): void {
  const zero = splat(0);
  const xyLow = low(xs, ys), zLow = low(zs, zero), xyHigh = high(xs, ys), zHigh = high(zs, zero);
  subFrom(y + load<u32>(rows), firsts(xyLow, zLow));
  subFrom(y + load<u32>(rows, 4), seconds(xyLow, zLow));
  subFrom(y + load<u32>(rows, 8), firsts(xyHigh, zHigh));
  subFrom(y + load<u32>(rows, 12), seconds(xyHigh, zHigh));
}

/** The sum over lanes of three vectors, as one row (x, y, z, 0). */
// @ts-ignore: decorator
@inline function sumLanes(xs: v128, ys: v128, zs: v128): v128 {
  const zero = splat(0);
  const xy = add(low(xs, ys), high(xs, ys)), z = add(low(zs, zero), high(zs, zero));
  return add(firsts(xy, z), seconds(xy, z));
}
