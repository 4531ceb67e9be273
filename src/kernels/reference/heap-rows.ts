/**
 * Specification of the kernels `sweepRows` and `warmRows` (assembly/heap-rows.ts): projected Gauss-Seidel over rows in memory. The kernels work in f32, this in f64, on the same words of four bytes. A contact, 32 words:
 *
 *     flags (u32), A, B: addresses of rigid bodies, friction | normal 4 | arm or weights of A 8, of B 12 | impulse on A 16
 *     bound 20, 1/(opening + softness) 21, softness 22, 1/sliding 23 | slots of A 24, of B 28: addresses of three slots and of the body's first
 *
 * a joint block, 44 words: flags, A, B, compliance | arms 4, 8 | target 12 | impulse 16 | columns of the inverse 20, 24, 28 and of the projector 32, 36, 40
 *
 * a rigid body, 20 words: velocity, inverse mass | angular velocity 4 | columns of the inverse inertia 8, 12, 16. A slot, 4 words: its velocity; in the four words before the first slot of
 * a body the address of its table (how slots answer each other, by rows filled up to fours) and how many slots there are.
 */

/** A memory as the kernel sees it, word by word. */
export interface RowMemory {
  readonly numbers: Float64Array;
  readonly u32: Uint32Array;
}

const SOFT = [1, 2];
const BINDING = 4;
const TURN = 8;
const HELD = 16;
const ONE = [32, 64];

type Three = readonly number[];

function threeAt({ numbers }: RowMemory, at: number): number[] {
  return [numbers[at], numbers[at + 1], numbers[at + 2]];
}

function cross(a: Three, b: Three): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Three, b: Three): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** A matrix given by its columns, four words each, times a vector. */
function times(memory: RowMemory, at: number, x: Three): number[] {
  const columns = [0, 1, 2].map((m) => threeAt(memory, at + 4 * m));
  return [0, 1, 2].map((k) => columns[0][k] * x[0] + columns[1][k] * x[1] + columns[2][k] * x[2]);
}

/** Velocity of a rigid body at the end of an arm. */
function pointVelocity(memory: RowMemory, body: number, arm: Three): number[] {
  const turn = cross(threeAt(memory, body + 4), arm);
  return threeAt(memory, body).map((value, k) => value + turn[k]);
}

/** Velocity of a body, or of slots, at a row: side 0 (A) or 1 (B). */
function velocityOf(memory: RowMemory, row: number, side: number): number[] {
  const { numbers, u32 } = memory;
  const arm = row + 8 + 4 * side;
  if (!(u32[row] & SOFT[side])) return pointVelocity(memory, u32[row + 1 + side] >> 2, threeAt(memory, arm));
  const out = [0, 0, 0];
  for (let c = 0; c < (u32[row] & ONE[side] ? 1 : 3); c++) {
    const slot = u32[row + 24 + 4 * side + c] >> 2;
    for (let k = 0; k < 3; k++) out[k] += numbers[arm + c] * numbers[slot + k];
  }
  return out;
}

/** An impulse on a body, or on slots, at a row. */
function push(memory: RowMemory, row: number, side: number, p: Three): void {
  const { numbers, u32 } = memory;
  const arm = row + 8 + 4 * side;
  if (!(u32[row] & SOFT[side])) {
    pushBody(memory, u32[row + 1 + side] >> 2, threeAt(memory, arm), p);
    return;
  }
  const refs = row + 24 + 4 * side;
  const start = u32[refs + 3] >> 2;
  const count = u32[start - 3];
  const stride = 4 * Math.ceil(count / 4);
  for (let c = 0; c < (u32[row] & ONE[side] ? 1 : 3); c++) {
    const own = (u32[start - 4] >> 2) + (((u32[refs + c] >> 2) - start) / 4) * stride;
    for (let j = 0; j < count; j++) {
      for (let k = 0; k < 3; k++) numbers[start + j * 4 + k] += numbers[arm + c] * numbers[own + j] * p[k];
    }
  }
}

/** An impulse on a rigid body at the end of an arm. */
function pushBody(memory: RowMemory, b: number, arm: Three, p: Three): void {
  if (memory.numbers[b + 3] === 0) return;
  for (let k = 0; k < 3; k++) memory.numbers[b + k] += memory.numbers[b + 3] * p[k];
  turnBody(memory, b, cross(arm, p));
}

function turnBody(memory: RowMemory, b: number, turn: Three): void {
  const answer = times(memory, b + 8, turn);
  for (let k = 0; k < 3; k++) memory.numbers[b + 4 + k] += answer[k];
}

/** Both sides of a contact, pushed apart. */
function pushApart(memory: RowMemory, row: number, p: Three): void {
  push(memory, row, 0, p);
  push(
    memory,
    row,
    1,
    p.map((value) => -value),
  );
}

/** Pushes with the impulse that a contact, at word `row`, starts from: `warmRows`. */
export function warmContact(memory: RowMemory, row: number): void {
  pushApart(memory, row, threeAt(memory, row + 16));
}

/** And a joint block. */
export function warmBlock(memory: RowMemory, row: number): void {
  pushBlock(memory, row, threeAt(memory, row + 16));
}

/** An impulse on A at a joint block, and its opposite on B. */
function pushBlock(memory: RowMemory, row: number, p: Three): void {
  for (let side = 0; side < 2; side++) {
    const own = side === 0 ? p : p.map((value) => -value);
    const body = memory.u32[row + 1 + side] >> 2;
    if (memory.u32[row] & TURN) turnBody(memory, body, own);
    else pushBody(memory, body, threeAt(memory, row + 4 + 4 * side), own);
  }
}

/** Solves a contact for itself. */
export function relaxContact(memory: RowMemory, row: number): void {
  const { numbers, u32 } = memory;
  const binding = (u32[row] & BINDING) !== 0;
  const ofB = velocityOf(memory, row, 1);
  const u = velocityOf(memory, row, 0).map((value, k) => value - ofB[k]);
  const n = threeAt(memory, row + 4);
  const p = threeAt(memory, row + 16);
  const un = dot(n, u);
  const pushed = dot(n, p);
  const wanted = pushed - (un - numbers[row + 20] + numbers[row + 22] * pushed) * numbers[row + 21];
  const along = binding ? wanted : Math.max(0, wanted);
  const drag = n.map((nk, k) => p[k] - pushed * nk - (u[k] - un * nk) * numbers[row + 23]);
  const length = Math.sqrt(dot(drag, drag));
  const most = numbers[row + 3] * along;
  const scale = !binding && length > most ? most / length : 1;
  const d = n.map((nk, k) => along * nk + scale * drag[k] - p[k]);
  for (let k = 0; k < 3; k++) numbers[row + 16 + k] += d[k];
  pushApart(memory, row, d);
}

/** Solves a joint block for itself: P (target − u) − c p = (P W P + c) Δp. */
export function relaxBlock(memory: RowMemory, row: number): void {
  const { numbers, u32 } = memory;
  const [a, b] = [u32[row + 1] >> 2, u32[row + 2] >> 2];
  const turns = (u32[row] & TURN) !== 0;
  const ofA = turns ? threeAt(memory, a + 4) : pointVelocity(memory, a, threeAt(memory, row + 4));
  const ofB = turns ? threeAt(memory, b + 4) : pointVelocity(memory, b, threeAt(memory, row + 8));
  let left = threeAt(memory, row + 12).map((value, k) => value - (ofA[k] - ofB[k]));
  if (!(u32[row] & HELD)) {
    left = times(memory, row + 32, left).map((value, k) => value - numbers[row + 3] * numbers[row + 16 + k]);
  }
  const d = times(memory, row + 20, left);
  for (let k = 0; k < 3; k++) numbers[row + 16 + k] += d[k];
  pushBlock(memory, row, d);
}
