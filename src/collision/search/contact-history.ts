/** How deep bodies were in each other after the last step, told by its contacts. */

/** Contacts of the last step, as kept from step to step. */
export interface ContactRecord {
  readonly count: ArrayLike<number>;
  /** Body, feature, other body and obstacle of each contact. */
  readonly keys: ArrayLike<number>;
  /** Distance between the sides after the step [m]. */
  readonly gaps: ArrayLike<number>;
  /** Whether any of them pushed. */
  readonly pushed: boolean;
}

/** Writes to depths[a * bodyCount + b] how deep a contact of body a with body b was, whichever of the two came first [m]. */
export function readDepths({ count, keys, gaps }: ContactRecord, bodyCount: number, depths: Float64Array): void {
  depths.fill(0);
  for (let n = 0; n < count[0]; n++) {
    const a = keys[n * 4];
    const b = keys[n * 4 + 2];
    if (b < 0) continue;
    const deepest = Math.max(depths[a * bodyCount + b], -gaps[n]);
    depths[a * bodyCount + b] = depths[b * bodyCount + a] = deepest;
  }
}
