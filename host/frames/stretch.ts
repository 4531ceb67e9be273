/** How far flesh is drawn out: its longest edge, in lengths at rest. */
import type { Model } from '../../src/body/model.js';
import { findVertexNeighbours } from '../../src/collision/surface/tet-edges.js';

/** Measures bodies of one model. */
export class StretchMeter {
  /** Two vertices per edge, those within a bone left out, and 1 over the square of its length at rest [1/m²]. */
  readonly #edges: Int32Array;
  readonly #inverseSq: Float64Array;

  constructor({ tets, positions, vertexCount, bones: { ofVertex } }: Model) {
    const { start, list } = findVertexNeighbours(tets, vertexCount);
    const edges: number[] = [];
    for (let a = 0; a < vertexCount; a++) {
      for (let n = start[a]; n < start[a + 1]; n++) {
        const b = list[n];
        const isRigid = ofVertex[a] >= 0 && ofVertex[a] === ofVertex[b];
        if (b > a && !isRigid) edges.push(a * 3, b * 3);
      }
    }
    this.#edges = Int32Array.from(edges);
    this.#inverseSq = Float64Array.from({ length: edges.length / 2 }, (_, e) => {
      return 1 / lengthSq(positions, edges[e * 2], edges[e * 2 + 1]);
    });
  }

  /** Length of the longest edge, 1 where none is longer than at rest; what is no number counts as longer than any. */
  measure(positions: Float64Array): number {
    const edges = this.#edges;
    const inverseSq = this.#inverseSq;
    let most = 1;
    for (let e = 0; e < inverseSq.length; e++) {
      const ratio = lengthSq(positions, edges[e * 2], edges[e * 2 + 1]) * inverseSq[e];
      if (!(ratio <= most)) most = ratio >= 0 ? ratio : Number.POSITIVE_INFINITY;
    }
    return Math.sqrt(most);
  }
}

function lengthSq(x: Float64Array, a: number, b: number): number {
  const u = x[a] - x[b];
  const v = x[a + 1] - x[b + 1];
  const w = x[a + 2] - x[b + 2];
  return u * u + v * v + w * w;
}
