/**
 * Where the axes of two long rods pass each other: between the five samples that each has, exactly. Rods up to four times as long as thick need none of it, nor do pairs with one of them: its samples are nowhere farther
 * apart than they are thick.
 */
import type { RigidFrames } from './rigid-frames.js';
import type { AnyShape } from './sampled-shape.js';

/** Half of the axis of a rod four times as long as it is thick, in radii. */
const LONG = 3;
/** Squared sine below which axes are parallel: samples say all. */
const PARALLEL = 1e-4;
/** A shorter way between axes has no direction, as a share of their radii. */
const NO_WAY = 1e-6;

type Rod = Extract<AnyShape, { readonly kind: 'capsule' }>;

/** Whether both are rods of more than four times their thickness. */
export function areLongRods(first: AnyShape, second: AnyShape): boolean {
  return isLong(first) && isLong(second);
}

function isLong(shape: AnyShape): shape is Rod {
  return (
    shape.kind === 'capsule' && !('container' in shape && shape.container) && shape.halfLength > LONG * shape.radius
  );
}

/** The crossing found last. */
export class RodCrossing {
  readonly gap = new Float64Array(1);
  /** Midway between the two surfaces, and from the second rod to the first; world axes. */
  readonly point = new Float64Array(3);
  readonly normal = new Float64Array(3);
  /** Places of both axes where they are nearest, as shares of their halves, and the dot products that say so. */
  readonly #at = new Float64Array(2);
  readonly #dots = new Float64Array(3);

  /** Looks where rods a and b pass each other; false where that is beyond the end of one, which is a sample, or where they are parallel. */
  find({ x, rotation: r }: RigidFrames, a: number, first: AnyShape, b: number, second: AnyShape): boolean {
    if (!isLong(first) || !isLong(second)) return false;
    const dots = this.#dots.fill(0);
    const normal = this.normal;
    for (let k = 0; k < 3; k++) {
      const u = r[a * 9 + k * 3 + 1];
      const v = r[b * 9 + k * 3 + 1];
      const d = x[a * 3 + k] - x[b * 3 + k];
      dots[0] += u * v;
      dots[1] += u * d;
      dots[2] += v * d;
    }
    const square = 1 - dots[0] * dots[0];
    if (square < PARALLEL) return false;
    const at = this.#at;
    at[0] = (dots[0] * dots[2] - dots[1]) / square;
    at[1] = (dots[2] - dots[0] * dots[1]) / square;
    if (Math.abs(at[0]) > first.halfLength || Math.abs(at[1]) > second.halfLength) return false;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] = x[a * 3 + k] + at[0] * r[a * 9 + k * 3 + 1] - x[b * 3 + k] - at[1] * r[b * 9 + k * 3 + 1];
      length += normal[k] * normal[k];
    }
    length = Math.sqrt(length);
    const radii = first.radius + second.radius;
    this.gap[0] = length - radii;
    if (length > NO_WAY * radii) for (let k = 0; k < 3; k++) normal[k] /= length;
    else this.#cross(r, a, b, Math.sqrt(square));
    const back = first.radius + 0.5 * this.gap[0];
    for (let k = 0; k < 3; k++) {
      this.point[k] = x[a * 3 + k] + at[0] * r[a * 9 + k * 3 + 1] - back * normal[k];
    }
    return true;
  }

  /** Axes that meet part across both of them. */
  #cross(r: Float64Array, a: number, b: number, sine: number): void {
    const p = a * 9 + 1;
    const q = b * 9 + 1;
    this.normal[0] = (r[p + 3] * r[q + 6] - r[p + 6] * r[q + 3]) / sine;
    this.normal[1] = (r[p + 6] * r[q] - r[p] * r[q + 6]) / sine;
    this.normal[2] = (r[p] * r[q + 3] - r[p + 3] * r[q]) / sine;
  }
}
