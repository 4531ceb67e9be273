/** How far a body can hang down from where it is held: the longest way through it, not the straight line. */
import type { WorldBody } from '../../../src/index.js';
import type { Point } from '../scene-info.js';

/** The farthest any vertex can get from a point the body is held at, a few hundredths too much, since edges zigzag [m]. */
export function reachFrom(body: WorldBody, point: Point): number {
  const { positions } = body.state;
  const straight = Float64Array.from({ length: positions.length / 3 }, (_, v) => {
    return Math.hypot(positions[v * 3] - point[0], positions[v * 3 + 1] - point[1], positions[v * 3 + 2] - point[2]);
  });
  const nearest = straight.indexOf(straight.reduce((least, way) => Math.min(least, way)));
  const ways = new Float64Array(straight.length).fill(Number.POSITIVE_INFINITY);
  ways[nearest] = straight[nearest];
  shortenWays(ways, findEdges(body.model.tets, positions));
  // Parts that only joints connect are out of reach of edges.
  return ways.reduce((most, way, v) => Math.max(most, Number.isFinite(way) ? way : straight[v]), 0);
}

interface Edges {
  /** Two vertices per edge. */
  readonly ends: Int32Array;
  readonly lengths: Float64Array;
}

/** The six edges of every tet; shared ones come several times, which does no harm here. */
function findEdges(tets: Int32Array, positions: Float64Array): Edges {
  const pairs = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];
  const ends = new Int32Array(tets.length * 3);
  for (let i = 0; i < ends.length; i++) ends[i] = tets[Math.floor(i / 12) * 4 + pairs[i % 12]];
  const lengths = Float64Array.from({ length: ends.length / 2 }, (_, edge) => {
    const [a, b] = [ends[edge * 2] * 3, ends[edge * 2 + 1] * 3];
    const dx = positions[a] - positions[b];
    return Math.hypot(dx, positions[a + 1] - positions[b + 1], positions[a + 2] - positions[b + 2]);
  });
  return { ends, lengths };
}

/** Goes over all edges, forwards and backwards in turn, until no way gets shorter: a few dozen rounds. */
function shortenWays(ways: Float64Array, { ends, lengths }: Edges): void {
  let changed = true;
  for (let round = 0; changed; round++) {
    changed = false;
    for (let i = 0; i < lengths.length; i++) {
      const edge = round % 2 === 0 ? i : lengths.length - 1 - i;
      const [a, b] = [ends[edge * 2], ends[edge * 2 + 1]];
      if (ways[a] > ways[b] + lengths[edge]) {
        ways[a] = ways[b] + lengths[edge];
        changed = true;
      } else if (ways[b] > ways[a] + lengths[edge]) {
        ways[b] = ways[a] + lengths[edge];
        changed = true;
      }
    }
  }
}
