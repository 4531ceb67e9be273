/** Packs mean deformations around vertices for the kernel `nodalStrain`: groups of four, 80 bytes each, and entries of 16. */

/** Bytes of one group of four means, and of one of their entries. */
export const NODAL_GROUP_BYTES = 80;
export const NODAL_ENTRY_BYTES = 16;
const GROUP_WORDS = NODAL_GROUP_BYTES / 4;

/** Means F = Σ (x_b − x_a) g_bᵀ over the neighbours b of vertices a, and what they resist with. */
export interface NodalMeans {
  /** Row of each a. */
  readonly rows: Int32Array;
  /** One more offset than there are means, into `entryRows` and (times three) `gradients`. */
  readonly start: Int32Array;
  readonly entryRows: Int32Array;
  /** g_b [1/m]. */
  readonly gradients: Float64Array;
  /** 2 mu V, or mu V of neo-Hookean means, and lambda V [J]. */
  readonly shearStiffness: Float64Array;
  readonly bulkStiffness: Float64Array;
}

/** The same memory as whole numbers and as f32. */
export interface Words {
  readonly i32: Int32Array;
  readonly f32: Float32Array;
}

/**
 * Writes means [from, to) into `groups`, from group 0 on; the entries of all means lie in `entries` from number `first` on. A last group that is not full is filled up with
 * copies of its last mean that have no stiffness.
 */
export function packNodalGroups(
  means: NodalMeans,
  from: number,
  to: number,
  groups: Words,
  entries: Words,
  first: number,
): void {
  const { rows, start, entryRows, gradients, shearStiffness, bulkStiffness } = means;
  for (let slot = 0; slot < 4 * Math.ceil((to - from) / 4); slot++) {
    const real = from + slot < to;
    const mean = real ? from + slot : to - 1;
    const at = (slot >> 2) * GROUP_WORDS + (slot & 3);
    groups.i32[at] = rows[mean] * 16;
    groups.i32[at + 4] = (first + start[mean]) * NODAL_ENTRY_BYTES;
    groups.i32[at + 8] = (first + start[mean + 1]) * NODAL_ENTRY_BYTES;
    groups.f32[at + 12] = real ? shearStiffness[mean] : 0;
    groups.f32[at + 16] = real ? bulkStiffness[mean] : 0;
  }
  for (let n = start[from]; n < start[to]; n++) {
    for (let k = 0; k < 3; k++) entries.f32[(first + n) * 4 + k] = gradients[n * 3 + k];
    entries.i32[(first + n) * 4 + 3] = entryRows[n] * 16;
  }
}
