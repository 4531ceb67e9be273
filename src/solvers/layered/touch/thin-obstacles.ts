/**
 * Obstacles that fit between the nodes of a skin, as balls that stand for them: along the axis of rods, along the edges of blades and poles. Nodes tested
 * against such an obstacle would not see it; its balls are looked up in the skin instead (`find-thin.ts`). Made when obstacles change.
 */
import type { ObstacleSet } from '../../../collision/obstacles/obstacle.js';
import type { ShapeDef } from '../../../collision/shapes/shape.js';

/** Balls of one obstacle in its frame: x, y, z, radius each. None where it is not thin. */
export type ThinBalls = Float64Array;

/** Most balls of an obstacle: they are farther apart where it would need more. */
const MOST_BALLS = 512;

/** Balls of every obstacle of a set, for skins with nodes `spacing` apart [m]. */
export function listThinBalls(obstacles: ObstacleSet, spacing: number): ThinBalls[] {
  return obstacles.defs.map(({ shape }) => thinBalls(shape, spacing));
}

function thinBalls(shape: ShapeDef, spacing: number): ThinBalls {
  if ('container' in shape && shape.container === true) return new Float64Array(0);
  if (shape.kind === 'sphere' && shape.radius < spacing) return Float64Array.of(0, 0, 0, shape.radius);
  if ((shape.kind === 'capsule' || shape.kind === 'cylinder') && shape.radius < spacing) {
    // balls of a cylinder stay behind its flat ends
    const { radius, kind } = shape;
    const half = Math.max(0, shape.halfLength - (kind === 'cylinder' ? radius : 0));
    return alongEdges([[0, -half, 0, 0, half, 0]], radius, spacing);
  }
  if (shape.kind === 'box' && Math.min(...shape.halfExtents) < spacing / 2) {
    return alongEdges(boxEdges(shape.halfExtents), 0, spacing);
  }
  if (shape.kind === 'mesh' && thickness(shape.positions) < spacing) {
    return alongEdges(meshEdges(shape.positions, shape.triangles), 0, spacing);
  }
  return new Float64Array(0);
}

/** Balls of a radius no farther apart than half the spacing along edges, six numbers each, both ends included. */
function alongEdges(edges: readonly (readonly number[])[], radius: number, spacing: number): ThinBalls {
  const lengths = edges.map(([a, b, c, d, e, f]) =>
    Math.sqrt((d - a) * (d - a) + (e - b) * (e - b) + (f - c) * (f - c)),
  );
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const step = Math.max(spacing / 2, (2 * whole) / MOST_BALLS);
  const balls: number[] = [];
  edges.forEach((edge, n) => {
    const parts = Math.ceil(lengths[n] / step);
    for (let i = 0; i <= parts; i++) {
      const t = parts === 0 ? 0 : i / parts;
      for (let k = 0; k < 3; k++) balls.push((1 - t) * edge[k] + t * edge[3 + k]);
      balls.push(radius);
    }
  });
  return Float64Array.from(balls);
}

/** The twelve edges of a box. */
function boxEdges(half: readonly number[]): number[][] {
  const edges: number[][] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const u of [-1, 1]) {
      for (const v of [-1, 1]) {
        const from = [0, 0, 0];
        from[axis] = -half[axis];
        from[(axis + 1) % 3] = u * half[(axis + 1) % 3];
        from[(axis + 2) % 3] = v * half[(axis + 2) % 3];
        const to = [...from];
        to[axis] = half[axis];
        edges.push([...from, ...to]);
      }
    }
  }
  return edges;
}

/** Every edge of a surface once. */
function meshEdges(positions: ArrayLike<number>, triangles: ArrayLike<number>): number[][] {
  const edges: number[][] = [];
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
    // of the two triangles at an edge one has it rising
    if (a < b)
      edges.push([0, 1, 2].map((k) => positions[3 * a + k]).concat([0, 1, 2].map((k) => positions[3 * b + k])));
  }
  return edges;
}

/** Shortest side of the box around positions [m]. */
function thickness(positions: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = k; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    least = Math.min(least, high - low);
  }
  return least;
}
