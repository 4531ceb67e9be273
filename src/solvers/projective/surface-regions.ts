/** A surface divided into regions about as wide as long: the cells of a grid over its vertices at rest. */
import type { Model } from '../../body/model.js';

/** Width of a region, relative to the body's size. */
const WIDTH = 0.07;
/** Most regions, and fewest vertices per region on the average: every push moves all of them. */
const MOST = 256;
const FEWEST_VERTICES = 16;

/** Which region each surface vertex belongs to. */
export class SurfaceRegions {
  readonly count: number;
  readonly of: Int32Array;
  /** Vertices in each region. */
  readonly sizes: Int32Array;

  constructor(model: Model, vertices: Int32Array) {
    this.of = new Int32Array(vertices.length);
    let known = new Map<string, number>();
    for (let width = WIDTH * model.size; ; width *= 1.3) {
      known = new Map();
      vertices.forEach((vertex, i) => {
        const key = [0, 1, 2].map((k) => Math.floor(model.positions[vertex * 3 + k] / width)).join();
        const region = known.get(key) ?? known.size;
        known.set(key, region);
        this.of[i] = region;
      });
      if (known.size <= Math.max(1, Math.min(MOST, vertices.length / FEWEST_VERTICES))) break;
    }
    this.count = known.size;
    this.sizes = new Int32Array(this.count);
    for (const region of this.of) this.sizes[region]++;
  }
}
