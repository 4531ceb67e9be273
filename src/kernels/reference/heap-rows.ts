/**
 * Specification of the kernels `sweepRows` and `warmRows` (assembly/heap-rows.ts): projected Gauss-Seidel over rows in memory, all numbers f64. A contact, 208 bytes:
 *
 *     flags (u32) | A, B: addresses of rigid bodies at 8, 12 | normal 16 | arm or weights of A 40, of B 64 | bound 88 | 1/(opening + softness) 96
 *     softness 104 | 1/sliding 112 | friction 120 | impulse on A 136 | slots of A 160, of B 184 (three slots, the body's first, -, 1: one is all)
 *
 * a joint block, 264 bytes: flags, A, B | arms 16, 40 | target 64 | compliance 88 | impulse 96 | inverse 120 | projector 192
 *
 * a rigid body, 128 bytes: velocity, angular velocity, inverse mass, inverse inertia; a slot, 32 bytes: its velocity; before the first slot of a
 * body, 16 bytes: the address of its table (how slots answer each other, by rows) and how many slots there are.
 */

/** A memory as the kernel sees it. */
export interface RowMemory {
  readonly f64: Float64Array;
  readonly u32: Uint32Array;
}

const SOFT = [1, 2];
const BINDING = 4;
const TURN = 8;

/** out = velocity of a body, or of slots, at a row: side 0 (A) or 1 (B). */
function velocityOf({ f64, u32 }: RowMemory, row: number, side: number, out: number[]): void {
  const arm = (row >> 3) + 5 + 3 * side;
  out.fill(0);
  if (u32[row >> 2] & SOFT[side]) {
    const refs = (row >> 2) + 40 + 6 * side;
    const corners = u32[refs + 5] === 1 ? 1 : 3;
    for (let c = 0; c < corners; c++) {
      for (let k = 0; k < 3; k++) out[k] += f64[arm + c] * f64[(u32[refs + c] >> 3) + k];
    }
    return;
  }
  const b = u32[(row >> 2) + 2 + side] >> 3;
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    out[k] = f64[b + k] + f64[b + 3 + i] * f64[arm + j] - f64[b + 3 + j] * f64[arm + i];
  }
}

/** An impulse on a body, or on slots, at a row. */
function push({ f64, u32 }: RowMemory, row: number, side: number, p: readonly number[]): void {
  const arm = (row >> 3) + 5 + 3 * side;
  if (u32[row >> 2] & SOFT[side]) {
    const refs = (row >> 2) + 40 + 6 * side;
    const start = u32[refs + 3];
    const table = u32[(start - 16) >> 2] >> 3;
    const count = u32[(start - 12) >> 2];
    for (let c = 0; c < (u32[refs + 5] === 1 ? 1 : 3); c++) {
      const own = table + ((u32[refs + c] - start) >> 5) * count;
      for (let j = 0; j < count; j++) {
        for (let k = 0; k < 3; k++) f64[(start >> 3) + j * 4 + k] += f64[arm + c] * f64[own + j] * p[k];
      }
    }
    return;
  }
  pushBody(f64, u32[(row >> 2) + 2 + side] >> 3, [f64[arm], f64[arm + 1], f64[arm + 2]], p);
}

/** An impulse on a rigid body at the end of an arm. */
function pushBody(f64: Float64Array, b: number, r: readonly number[], p: readonly number[]): void {
  for (let k = 0; k < 3; k++) f64[b + k] += f64[b + 6] * p[k];
  turnBody(f64, b, [r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]]);
}

function turnBody(f64: Float64Array, b: number, t: readonly number[]): void {
  if (f64[b + 6] === 0) return;
  for (let k = 0; k < 3; k++) {
    const row = b + 7 + 3 * k;
    f64[b + 3 + k] += f64[row] * t[0] + f64[row + 1] * t[1] + f64[row + 2] * t[2];
  }
}

/** Pushes with the impulse that a contact starts from: `warmRows`. */
export function warmContact(memory: RowMemory, row: number): void {
  const o = (row >> 3) + 17;
  const p = [memory.f64[o], memory.f64[o + 1], memory.f64[o + 2]];
  push(memory, row, 0, p);
  push(
    memory,
    row,
    1,
    p.map((value) => -value),
  );
}

/** And a joint block. */
export function warmBlock({ f64, u32 }: RowMemory, row: number): void {
  const o = row >> 3;
  pushBlock(f64, u32, row, [f64[o + 12], f64[o + 13], f64[o + 14]]);
}

/** An impulse on A at a joint block, and its opposite on B. */
function pushBlock(f64: Float64Array, u32: Uint32Array, row: number, p: readonly number[]): void {
  for (let side = 0; side < 2; side++) {
    const own = side === 0 ? p : p.map((value) => -value);
    const b = u32[(row >> 2) + 2 + side] >> 3;
    const arm = (row >> 3) + 2 + 3 * side;
    if (u32[row >> 2] & TURN) turnBody(f64, b, own);
    else pushBody(f64, b, [f64[arm], f64[arm + 1], f64[arm + 2]], own);
  }
}

/** Solves a contact for itself. */
export function relaxContact(memory: RowMemory, row: number): void {
  const { f64, u32 } = memory;
  const o = row >> 3;
  const binding = (u32[row >> 2] & BINDING) !== 0;
  const a = [0, 0, 0];
  const b = [0, 0, 0];
  velocityOf(memory, row, 0, a);
  velocityOf(memory, row, 1, b);
  const u = a.map((value, k) => value - b[k]);
  const n = [f64[o + 2], f64[o + 3], f64[o + 4]];
  const p = [f64[o + 17], f64[o + 18], f64[o + 19]];
  const un = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
  const pushed = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
  const wanted = pushed - (un - f64[o + 11] + f64[o + 13] * pushed) * f64[o + 12];
  const along = binding ? wanted : Math.max(0, wanted);
  const drag = n.map((nk, k) => p[k] - pushed * nk - (u[k] - un * nk) * f64[o + 14]);
  const length = Math.sqrt(drag[0] * drag[0] + drag[1] * drag[1] + drag[2] * drag[2]);
  const most = f64[o + 15] * along;
  const scale = !binding && length > most ? most / length : 1;
  const d = n.map((nk, k) => along * nk + scale * drag[k] - p[k]);
  for (let k = 0; k < 3; k++) f64[o + 17 + k] += d[k];
  push(memory, row, 0, d);
  push(
    memory,
    row,
    1,
    d.map((value) => -value),
  );
}

/** Solves a joint block for itself: P (target − u) − c p = (P W P + c) Δp. */
export function relaxBlock({ f64, u32 }: RowMemory, row: number): void {
  const o = row >> 3;
  const bodies = [u32[(row >> 2) + 2] >> 3, u32[(row >> 2) + 3] >> 3];
  const turns = (u32[row >> 2] & TURN) !== 0;
  const left = [f64[o + 8], f64[o + 9], f64[o + 10]];
  bodies.forEach((b, side) => {
    const arm = o + 2 + 3 * side;
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      const point = f64[b + k] + f64[b + 3 + i] * f64[arm + j] - f64[b + 3 + j] * f64[arm + i];
      left[k] -= (side === 0 ? 1 : -1) * (turns ? f64[b + 3 + k] : point);
    }
  });
  const times = (at: number, x: readonly number[]) =>
    [0, 3, 6].map((r) => f64[at + r] * x[0] + f64[at + r + 1] * x[1] + f64[at + r + 2] * x[2]);
  const lacking = times(o + 24, left).map((value, k) => value - f64[o + 11] * f64[o + 12 + k]);
  const d = times(o + 15, lacking);
  for (let k = 0; k < 3; k++) f64[o + 12 + k] += d[k];
  pushBlock(f64, u32, row, d);
}
