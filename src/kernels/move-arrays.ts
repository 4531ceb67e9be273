/** Arrays of objects that were made before the world's memory was: from its start on they lie in it, so that kernels and plain code share them. */
import type { MemoryPlan, Slot } from './memory.js';

type Movable = Float64Array | Int32Array;

/** Plans room for these arrays of `owner`; what is returned moves them there, as they are then, once the memory exists. Whoever keeps an array beside its owner keeps the old one. */
export function moveArrays<Owner extends object>(
  plan: MemoryPlan,
  owner: Owner,
  names: readonly (keyof Owner)[],
): () => void {
  const arrays = owner as Record<keyof Owner, Movable>;
  const planned = names.map((name): Slot<Movable> => {
    const array = arrays[name];
    return array instanceof Float64Array ? plan.f64(array.length) : plan.i32(array.length);
  });
  return () => {
    names.forEach((name, n) => {
      planned[n].view.set(arrays[name]);
      arrays[name] = planned[n].view;
    });
  };
}
