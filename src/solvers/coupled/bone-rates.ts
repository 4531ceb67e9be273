/** Rates of bones as all bodies have them, from the spins of rigid bodies and back, and the vertices that bones carry. */

/** A vertex of a bone: where its pose and rate take it. */
export function carryVertex(
  v: number,
  rest: Float64Array,
  centre: Float64Array,
  bone: number,
  translations: Float64Array,
  rotations: Float64Array,
  rates: Float64Array,
  positions: Float64Array,
  velocities: Float64Array,
): void {
  const x = rest[v] - centre[bone * 3];
  const y = rest[v + 1] - centre[bone * 3 + 1];
  const z = rest[v + 2] - centre[bone * 3 + 2];
  const o = bone * 12;
  for (let k = 0; k < 3; k++) {
    const r = bone * 9 + k * 3;
    positions[v + k] = translations[bone * 3 + k] + rotations[r] * x + rotations[r + 1] * y + rotations[r + 2] * z;
    velocities[v + k] = rates[o + 9 + k] + rates[o + k] * x + rates[o + 3 + k] * y + rates[o + 6 + k] * z;
  }
}

/** Rates of the columns of R, ω × column, and of the translation. */
export function writeRates(
  rates: Float64Array,
  o: number,
  rotations: Float64Array,
  r: number,
  omega: Float64Array,
  v: Float64Array,
  at: number,
): void {
  for (let p = 0; p < 3; p++) {
    const x = rotations[r + p];
    const y = rotations[r + 3 + p];
    const z = rotations[r + 6 + p];
    rates[o + p * 3] = omega[1] * z - omega[2] * y;
    rates[o + p * 3 + 1] = omega[2] * x - omega[0] * z;
    rates[o + p * 3 + 2] = omega[0] * y - omega[1] * x;
    rates[o + 9 + p] = v[at + p];
  }
}

/** ω of such rates: half the sum of column × rate. */
export function spinOfRates(
  rates: Float64Array,
  o: number,
  rotations: Float64Array,
  r: number,
  out: Float64Array,
): void {
  out.fill(0);
  for (let p = 0; p < 3; p++) {
    const x = rotations[r + p];
    const y = rotations[r + 3 + p];
    const z = rotations[r + 6 + p];
    const i = o + p * 3;
    out[0] += 0.5 * (y * rates[i + 2] - z * rates[i + 1]);
    out[1] += 0.5 * (z * rates[i] - x * rates[i + 2]);
    out[2] += 0.5 * (x * rates[i + 1] - y * rates[i]);
  }
}
