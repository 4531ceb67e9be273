/**
 * The way on where L-BFGS finds no step that leads down: Newton's direction, by conjugate gradients over the Laplacian cycle, ended where the
 * energy curves the other way [Steihaug1983]. The curvature is that of all terms of the energy, as differences of gradients:
 *
 *     K p = (g(x + e p) − g(x)) / e,     e p at most a hundredth of a cell (f32)
 *
 * Called by the descent when it stalls; it lends the vectors that its memory of steps has no use for then.
 */
import type { DescentArithmetic, FirstMatrix, Vector } from './numbers/arithmetic.js';

/** Vectors to work with. */
export interface NewtonRoom {
  readonly r: Vector;
  readonly z: Vector;
  readonly p: Vector;
  readonly q: Vector;
  readonly moved: Vector;
}

/** Products with the curvature, at most; and the residual, relative to the first, at which a direction is good enough. */
const PRODUCTS = 16;
const ENOUGH = 0.1;
/** Longest move of a difference, in cells, times the fourth root of the arithmetic's rounding: 0.018 in f32, 0.0003 in f64. */
const REACH = 1;

/** d = about K⁻¹ g at x, a way down; false where nothing was found. `evaluate`: energy and gradient. */
export function findNewtonDirection(
  a: DescentArithmetic,
  cycle: FirstMatrix,
  cellSize: number,
  evaluate: (x: Vector, gradient: Vector) => number,
  x: Vector,
  g: Vector,
  d: Vector,
  { r, z, p, q, moved }: NewtonRoom,
): boolean {
  const reach = REACH * Math.sqrt(Math.sqrt(a.rounding)) * cellSize;
  d.view.fill(0);
  a.copy(r, g);
  cycle.run(r, z);
  a.copy(p, z);
  let rz = a.dot(r, z);
  const enough = ENOUGH * ENOUGH * rz;
  let found = false;
  for (let n = 0; n < PRODUCTS && rz > enough; n++) {
    const step = reach / a.largest(p);
    a.move(moved, x, step, p);
    evaluate(moved, q);
    a.move(q, q, -1, g);
    const curvature = a.dot(p, q) / step;
    // the energy curves down: what there is so far, or the way that was found to be so
    if (!(curvature > 0)) {
      if (!found) a.copy(d, p);
      return true;
    }
    const alpha = rz / curvature;
    a.addScaled(d, alpha, p);
    a.addScaled(r, -alpha / step, q);
    found = true;
    cycle.run(r, z);
    const next = a.dot(r, z);
    a.move(p, z, next / rz, p);
    rz = next;
  }
  return found;
}
