/** Packs tetrahedra for the `localTets` kernel: groups of four, 256 bytes each, and their quaternions. */

/** Bytes of one group of four tets. */
export const TET_GROUP_BYTES = 256;
const GROUP_WORDS = TET_GROUP_BYTES / 4;

/** What the kernel needs of each tet. */
export interface TetElements {
  /** Row of each corner in the position rows, 4 per tet. */
  readonly corners: ArrayLike<number>;
  /** Inverse of the rest edge matrix (columns are edges from corner 0), row major, 9 per tet [1/m]. */
  readonly inverseRest: Float64Array;
  /** 2 mu V per tet [J]. */
  readonly shearStiffness: Float64Array;
  /** lambda V per tet [J]. */
  readonly bulkStiffness: Float64Array;
}

/** Groups needed for `tetCount` tets. */
export function tetGroupCount(tetCount: number): number {
  return Math.ceil(tetCount / 4);
}

/**
 * Writes the tets listed in `order` into `words` (i32 and f32 views of the same memory), from group 0 on. A last group
 * that is not full is filled up with copies of its last tet that have no stiffness.
 */
export function packTetGroups(
  tets: TetElements,
  order: ArrayLike<number>,
  words: { readonly i32: Int32Array; readonly f32: Float32Array },
): void {
  const groups = tetGroupCount(order.length);
  for (let slot = 0; slot < groups * 4; slot++) {
    const real = slot < order.length;
    const tet = order[real ? slot : order.length - 1];
    const base = (slot >> 2) * GROUP_WORDS;
    const lane = slot & 3;
    for (let corner = 0; corner < 4; corner++)
      words.i32[base + corner * 4 + lane] = tets.corners[tet * 4 + corner] * 16;
    for (let k = 0; k < 9; k++) words.f32[base + 16 + k * 4 + lane] = tets.inverseRest[tet * 9 + k];
    const [shear, bulk] = stiffnessWords(slot);
    words.f32[shear] = real ? tets.shearStiffness[tet] : 0;
    words.f32[bulk] = real ? tets.bulkStiffness[tet] : 0;
  }
}

/** Words of a tet's two stiffnesses, the tet being the n-th that was packed, padding counted. */
export function stiffnessWords(slot: number): readonly [shear: number, bulk: number] {
  const base = (slot >> 2) * GROUP_WORDS + (slot & 3);
  return [base + 52, base + 56];
}

/** Sets the quaternions (16 f32 per group: w, x, y, z of four tets) to no rotation. */
export function resetQuaternions(quats: Float32Array): void {
  quats.fill(0);
  for (let group = 0; group * 16 < quats.length; group++) quats.fill(1, group * 16, group * 16 + 4);
}
