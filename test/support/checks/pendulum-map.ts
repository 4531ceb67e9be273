/** Independent solutions of pendulums: the exact map of backward Euler on the circle, and Runge-Kutta. */

/**
 * Backward Euler for a rigid pendulum about a pin, exactly [V06]: θ ← arg[I (2e^{iθ} − e^{iθ'}) − i g h² m d], per unit
 * of mass. Returns a function that takes one step and gives the angle from +x; `inertia` about the pin [m²], `arm` [m].
 */
export function pendulumMap(inertia: number, arm: number, g: number, h: number, start: number): () => number {
  let before = start;
  let now = start;
  return () => {
    const real = inertia * (2 * Math.cos(now) - Math.cos(before));
    const imaginary = inertia * (2 * Math.sin(now) - Math.sin(before)) - g * h * h * arm;
    before = now;
    now = Math.atan2(imaginary, real);
    return now;
  };
}

/** a − b, brought to (−π, π]. */
export function turnBetween(a: number, b: number): number {
  return Math.atan2(Math.sin(a - b), Math.cos(a - b));
}

/** The classical fourth-order method for y' = f(y) over `time`. */
export function rungeKutta(
  start: readonly number[],
  f: (y: readonly number[]) => readonly number[],
  time: number,
  steps: number,
): number[] {
  const h = time / steps;
  let y = [...start];
  const along = (k: readonly number[], s: number) => y.map((value, i) => value + s * k[i]);
  for (let n = 0; n < steps; n++) {
    const k1 = f(y);
    const k2 = f(along(k1, h / 2));
    const k3 = f(along(k2, h / 2));
    const k4 = f(along(k3, h));
    y = y.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return y;
}
