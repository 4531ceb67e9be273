/**
 * Morph targets whose weights stay between 0 and 1: programs that import them (Blender among them) cut off what is beyond.
 * Either the shape all targets start from is moved, or, where it has to stay what it is, shapes that go both ways become two.
 */
import type { ShapeFit } from './shapes.js';

/** Morph targets. */
export interface MorphTargets {
  readonly targets: readonly MorphTarget[];
  /** Weight of each target in each state, state by state; 0 to 1. */
  readonly weights: Float32Array;
  /** Weights that give the shape the fit started from. */
  readonly restWeights: readonly number[];
  /** Shape that each target is of, and its weight at which the target is whole; only of targets that were split. */
  readonly origins?: readonly { readonly shape: number; readonly end: number }[];
  /** What to add to that shape and to its normals so that it goes with the targets; undefined where it stays. */
  readonly shift: MorphTarget | undefined;
}

/** x,y,z per vertex, at weight 1. */
export interface MorphTarget {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

/** One target per shape; what they start from is moved to where every shape has its lowest weight. */
export function shiftWeights({ shapes, normals, weights }: ShapeFit, stateCount: number): MorphTargets {
  const count = shapes.length;
  const out = new Float32Array(stateCount * count);
  const restWeights: number[] = [];
  const shift = {
    positions: new Float32Array(shapes[0]?.length ?? 0),
    normals: new Float32Array(shapes[0]?.length ?? 0),
  };
  const targets = shapes.map((shape, k) => {
    const [low, high] = rangeOf(weights[k]);
    const range = high - low || 1;
    weights[k].forEach((weight, state) => {
      out[state * count + k] = (weight - low) / range;
    });
    restWeights.push(-low / range);
    addScaled(shift.positions, shape, low);
    addScaled(shift.normals, normals[k], low);
    return { positions: shape.map((x) => range * x), normals: normals[k].map((x) => range * x) };
  });
  return { targets, weights: out, restWeights, shift: count > 0 ? shift : undefined };
}

/** Targets that leave the shape they start from alone: one for each way a shape goes. */
export function splitWeights({ shapes, normals, weights }: ShapeFit, stateCount: number): MorphTargets {
  const targets: MorphTarget[] = [];
  const columns: Float64Array[] = [];
  const origins: { shape: number; end: number }[] = [];
  shapes.forEach((shape, k) => {
    const range = rangeOf(weights[k]);
    for (const end of range) {
      if (end === 0) continue;
      targets.push({ positions: shape.map((x) => end * x), normals: normals[k].map((x) => end * x) });
      columns.push(weights[k].map((weight) => Math.max(0, weight / end)));
      origins.push({ shape: k, end });
    }
  });
  const out = new Float32Array(stateCount * targets.length);
  columns.forEach((column, k) => {
    column.forEach((weight, state) => {
      out[state * targets.length + k] = weight;
    });
  });
  return { targets, weights: out, restWeights: targets.map(() => 0), shift: undefined, origins };
}

/** Lowest and highest weight, 0 among them. */
function rangeOf(weights: Float64Array): [number, number] {
  return [weights.reduce((low, x) => Math.min(low, x), 0), weights.reduce((high, x) => Math.max(high, x), 0)];
}

function addScaled(out: Float32Array, values: Float32Array, factor: number): void {
  for (let i = 0; i < out.length; i++) out[i] += factor * values[i];
}
