/**
 * Friction as part of an energy: a spring across the normal that gives way at a force, so that what sticks stays and what slides is held
 * back by that force. With u the way across from the anchor and F the force,
 *
 *     k u²/2 up to u = F/k, then F u − F²/2k
 *
 * F is the friction coefficient times the push of the step before: within a step it does not change, or there would be no energy.
 */

/** Adds the gradient at the point p[i..] to `gradient`; returns the energy. */
export function addRub(
  p: ArrayLike<number>,
  i: number,
  anchors: ArrayLike<number>,
  a: number,
  normals: ArrayLike<number>,
  n: number,
  stiffness: number,
  force: number,
  gradient: Float64Array,
): number {
  if (!(force > 0)) return 0;
  let [ux, uy, uz] = [p[i] - anchors[a], p[i + 1] - anchors[a + 1], p[i + 2] - anchors[a + 2]];
  const out = ux * normals[n] + uy * normals[n + 1] + uz * normals[n + 2];
  ux -= out * normals[n];
  uy -= out * normals[n + 1];
  uz -= out * normals[n + 2];
  const way = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const slides = stiffness * way > force;
  const pull = slides ? force / way : stiffness;
  gradient[0] += pull * ux;
  gradient[1] += pull * uy;
  gradient[2] += pull * uz;
  return slides ? force * (way - force / (2 * stiffness)) : (stiffness / 2) * way * way;
}
