/** Gathers the edge vectors of four tets, transposed to one vector per component: what every tet kernel starts with. */
import { firsts, high, low, seconds, sub } from './lanes';

/** Edges of corner `corner` (1, 2 or 3) of the group at `t`, relative to corner 0, component x. See the notes in local-tets.ts. */
// @ts-ignore: decorator
@inline export function edgeRow(x: usize, t: usize, corner: usize, lane: usize): v128 {
  return sub(v128.load(x + load<u32>(t + corner * 16 + lane * 4)), v128.load(x + load<u32>(t + lane * 4)));
}

/** x of four rows. */
// @ts-ignore: decorator
@inline export function columnX(a: v128, b: v128, c: v128, d: v128): v128 { return firsts(low(a, b), low(c, d)); }
/** y of four rows. */
// @ts-ignore: decorator
@inline export function columnY(a: v128, b: v128, c: v128, d: v128): v128 { return seconds(low(a, b), low(c, d)); }
/** z of four rows. */
// @ts-ignore: decorator
@inline export function columnZ(a: v128, b: v128, c: v128, d: v128): v128 { return firsts(high(a, b), high(c, d)); }
