/** How far a point of a bone goes when it is pushed. Called before contacts are solved for. */

const J = new Float64Array(6);

/** Jᵀ C J for the direction d[i..i + 3) at an arm: way per force along it. */
export function yieldAlong(
  c: Float64Array,
  o: number,
  arms: Float64Array,
  a: number,
  d: Float64Array,
  i: number,
): number {
  J[0] = arms[a + 1] * d[i + 2] - arms[a + 2] * d[i + 1];
  J[1] = arms[a + 2] * d[i] - arms[a] * d[i + 2];
  J[2] = arms[a] * d[i + 1] - arms[a + 1] * d[i];
  J[3] = d[i];
  J[4] = d[i + 1];
  J[5] = d[i + 2];
  let sum = 0;
  for (let row = 0; row < 6; row++) {
    const m = o + 6 * row;
    sum +=
      J[row] * (c[m] * J[0] + c[m + 1] * J[1] + c[m + 2] * J[2] + c[m + 3] * J[3] + c[m + 4] * J[4] + c[m + 5] * J[5]);
  }
  return sum;
}

/** dᵀ B d for a block of the skin. */
export function yieldOf(b: Float64Array, i: number, d: Float64Array, o: number): number {
  const x = d[o];
  const y = d[o + 1];
  const z = d[o + 2];
  return (
    x * (b[i] * x + b[i + 1] * y + b[i + 2] * z) +
    y * (b[i + 3] * x + b[i + 4] * y + b[i + 5] * z) +
    z * (b[i + 6] * x + b[i + 7] * y + b[i + 8] * z)
  );
}
