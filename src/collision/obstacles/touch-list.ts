/** Points of one body that could touch obstacles in a step, before it is known how many contacts there is room for. */

/** Corners a point lies between, at most: those of a triangle. */
export const TOUCH_VERTICES = 3;
/** Halvings in the search for the distance within which as many lie as fit. */
const SELECTION_STEPS = 30;

/** A list that keeps its room from step to step. */
export class TouchList {
  count = 0;
  obstacle = new Int32Array(0);
  /** Names of the points, see `ContactBuffer.feature`. */
  feature = new Int32Array(0);
  /** Vertices and weights, three per point. */
  vertices = new Int32Array(0);
  weights = new Float64Array(0);
  /** Where on its obstacle each gets to in the step, the direction in which it gets away there, both in the obstacle's frame, and how far off it is along that [m]. */
  place = new Float64Array(0);
  normal = new Float64Array(0);
  distance = new Float64Array(0);

  clear(): void {
    this.count = 0;
  }

  /** Number of a new point, with one vertex and no distance yet. */
  add(obstacle: number, feature: number, vertex: number): number {
    if (this.count === this.obstacle.length) this.#grow();
    const n = this.count++;
    this.obstacle[n] = obstacle;
    this.feature[n] = feature;
    const o = n * TOUCH_VERTICES;
    this.vertices.fill(vertex, o, o + TOUCH_VERTICES);
    this.weights.fill(0, o, o + TOUCH_VERTICES);
    this.weights[o] = 1;
    return n;
  }

  /** Takes back the point added last. */
  dropLast(): void {
    this.count--;
  }

  /** A distance below which at most `count` of the points lie, as large as bisection finds it. */
  nearest(count: number): number {
    if (this.count <= count) return Number.POSITIVE_INFINITY;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < this.count; n++) {
      low = Math.min(low, this.distance[n]);
      high = Math.max(high, this.distance[n]);
    }
    for (let step = 0; step < SELECTION_STEPS; step++) {
      const middle = 0.5 * (low + high);
      let below = 0;
      for (let n = 0; n < this.count; n++) if (this.distance[n] < middle) below++;
      if (below > count) high = middle;
      else low = middle;
    }
    return low;
  }

  #grow(): void {
    const room = Math.max(256, 2 * this.obstacle.length);
    this.obstacle = copied(new Int32Array(room), this.obstacle);
    this.feature = copied(new Int32Array(room), this.feature);
    this.vertices = copied(new Int32Array(room * TOUCH_VERTICES), this.vertices);
    this.weights = copied(new Float64Array(room * TOUCH_VERTICES), this.weights);
    this.place = copied(new Float64Array(room * 3), this.place);
    this.normal = copied(new Float64Array(room * 3), this.normal);
    this.distance = copied(new Float64Array(room), this.distance);
  }
}

function copied<T extends Int32Array | Float64Array>(to: T, from: T): T {
  to.set(from);
  return to;
}
