/** Steps for one picture, one after the other, with a sign of life between them: a step may suddenly cost twenty of those before. */

/** Takes steps until one fails. `step` hears how many are left, itself included; `alive` is called after each. */
export function takeSteps(
  steps: number,
  step: (left: number) => boolean,
  alive?: () => void,
): { readonly steps: number; readonly stepMs: number } {
  const began = performance.now();
  let taken = 0;
  while (taken < steps && step(steps - taken)) {
    taken++;
    alive?.();
  }
  return { steps: taken, stepMs: taken > 0 ? (performance.now() - began) / taken : 0 };
}
