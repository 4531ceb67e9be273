/** A surface divided into regions about as wide as long: the cells of a grid over its vertices at rest. */
import type { Model } from '../../../body/model.js';
import { labelComponents } from '../../../mesh/components.js';

/** Width of a region, relative to the body's size. */
const WIDTH = 0.07;
/** Most regions, and fewest vertices per region on the average: every push moves all of them. */
const MOST = 256;
const FEWEST_VERTICES = 16;

/**
 * Pieces that hang together with nothing else and have no more surface vertices than this need no regions: all they do to each other fits
 * into a column. A mean over several loose pieces moves those that nothing pushes: 125 loose cubes flew apart by 1e25 N.
 */
const SMALL_PIECE = 256;

/** Which region each surface vertex belongs to. */
export class SurfaceRegions {
  readonly count: number;
  readonly of: Int32Array;
  /** Vertices in each region. */
  readonly sizes: Int32Array;
  /** The region of all small loose pieces, of which no mean may be taken; -1 where there are none. */
  readonly loose: number;

  constructor(model: Model, vertices: Int32Array) {
    this.of = new Int32Array(vertices.length);
    const pieces = largePieces(model, vertices);
    let known = new Map<string, number>();
    for (let width = WIDTH * model.size; ; width *= 1.3) {
      known = new Map();
      vertices.forEach((vertex, i) => {
        const cell = [0, 1, 2].map((k) => Math.floor(model.positions[vertex * 3 + k] / width));
        const key = pieces[i] < 0 ? LOOSE : [pieces[i], ...cell].join();
        const region = known.get(key) ?? known.size;
        known.set(key, region);
        this.of[i] = region;
      });
      // pieces cannot be made fewer by making cells larger
      const most = Math.max(1, Math.min(MOST, vertices.length / FEWEST_VERTICES));
      if (known.size <= Math.max(most, new Set(pieces).size) || width > 4 * model.size) break;
    }
    this.count = known.size;
    this.loose = known.get(LOOSE) ?? -1;
    this.sizes = new Int32Array(this.count);
    for (const region of this.of) this.sizes[region]++;
  }
}

const LOOSE = 'loose';

/** The piece each surface vertex belongs to, -1 for the small ones; one piece where all hangs together. */
function largePieces(model: Model, vertices: Int32Array): Int32Array {
  const { count, labels } = labelComponents(model);
  const sizes = new Int32Array(count);
  for (const vertex of vertices) sizes[labels[vertex]]++;
  return Int32Array.from(vertices, (vertex) => {
    const piece = labels[vertex];
    return count > 1 && sizes[piece] <= SMALL_PIECE ? -1 : piece;
  });
}
