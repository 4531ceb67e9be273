/** Strain as colour, from calm blue over pale to red; activation of muscles from pale flesh to deep red. */

/** Strain that is shown in the last colour: a third longer or shorter. */
export const FULL_STRAIN = 0.35;

/** Colours at equal steps, red, green, blue as light adds up (linear). */
const RAMP: readonly (readonly [number, number, number])[] = [
  [0.1, 0.22, 0.55],
  [0.3, 0.58, 0.75],
  [0.88, 0.84, 0.72],
  [0.9, 0.42, 0.16],
  [0.6, 0.05, 0.06],
];

/** Writes red, green, blue for each strain from `at` on. */
export function colourStrain(strain: ArrayLike<number>, at: number, count: number, out: Float32Array): void {
  for (let i = 0; i < count; i++) {
    // The square root shows small strains too.
    const share = Math.sqrt(Math.min(1, Math.max(0, strain[at + i] / FULL_STRAIN)));
    const place = share * (RAMP.length - 1);
    const low = Math.min(RAMP.length - 2, Math.floor(place));
    const t = place - low;
    for (let k = 0; k < 3; k++) out[i * 3 + k] = RAMP[low][k] + t * (RAMP[low + 1][k] - RAMP[low][k]);
  }
}

const RELAXED = [0.82, 0.62, 0.5] as const;
const ACTIVE = [0.62, 0.02, 0.03] as const;

/** Writes red, green, blue for each activation, 0 to 1, from `at` on. */
export function colourActivation(activation: ArrayLike<number>, at: number, count: number, out: Float32Array): void {
  for (let i = 0; i < count; i++) {
    const share = Math.min(1, Math.max(0, activation[at + i]));
    for (let k = 0; k < 3; k++) out[i * 3 + k] = RELAXED[k] + share * (ACTIVE[k] - RELAXED[k]);
  }
}
