/** How the unknowns of bones turn regions: B = Cᵀ J, six columns per bone. See turning-regions.ts. */

/** Rows that a turn about axis k moves, and the axis of the bone along or against which it does: e_k × e_p. */
const MOVED = [
  [1, 2, 1, 2, 1, -1],
  [2, 0, 1, 0, 2, -1],
  [0, 1, 1, 1, 0, -1],
] as const;

/** Writes B to `columns`, one column of three numbers per region after the other. `arms`: u of each bone row and region. */
export function easedColumns(
  columns: Float64Array,
  boneCount: number,
  arms: Float64Array,
  regionCount: number,
  rotations: Float64Array,
): void {
  const length = regionCount * 3;
  columns.fill(0);
  for (let bone = 0; bone < boneCount; bone++) {
    for (let k = 0; k < 3; k++) {
      const turn = (bone * 6 + k) * length;
      const [p, pAxis, pSign, q, qAxis, qSign] = MOVED[k];
      addColumn(columns, turn, arms, (bone * 4 + p) * length, length, rotations, bone * 9 + pAxis, pSign);
      addColumn(columns, turn, arms, (bone * 4 + q) * length, length, rotations, bone * 9 + qAxis, qSign);
      const shift = (bone * 6 + 3 + k) * length;
      addColumn(columns, shift, arms, (bone * 4 + 3) * length, length, rotations, bone * 9 + k, 1);
    }
  }
}

/** Adds u × d for every region, d being `sign` times a column of a rotation. */
function addColumn(
  out: Float64Array,
  to: number,
  arms: Float64Array,
  from: number,
  length: number,
  rotations: Float64Array,
  column: number,
  sign: number,
): void {
  const x = sign * rotations[column];
  const y = sign * rotations[column + 3];
  const z = sign * rotations[column + 6];
  for (let a = 0; a < length; a += 3) {
    out[to + a] += arms[from + a + 1] * z - arms[from + a + 2] * y;
    out[to + a + 1] += arms[from + a + 2] * x - arms[from + a] * z;
    out[to + a + 2] += arms[from + a] * y - arms[from + a + 1] * x;
  }
}
