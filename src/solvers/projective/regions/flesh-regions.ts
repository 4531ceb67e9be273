/**
 * Flesh divided into regions that turn by and large as one, around vertices as far from each other along the flesh as can be: limbs that are
 * near in space and far along the flesh are told apart.
 */
import type { Model } from '../../../body/model.js';
import { findVertexNeighbours, type VertexNeighbours } from '../../../collision/surface/tet-edges.js';
import type { Layout } from '../layout.js';

/** Most regions of a body, and fewest tets of one on the average: each costs three rows of the factor. */
const MOST_REGIONS = 24;
const FEWEST_TETS = 150;
/** Most regions times bones: how they move each other is made anew in every step. */
const MOST_PAIRS = 216;
/** Bodies of more tets than this are not divided: rows that reach through all of them cost more than they bring. */
const MOST_TETS = 100_000;

/** Which region each tet belongs to. */
export interface FleshRegions {
  readonly count: number;
  /** Region of each tet of the model, -1 where it has none. */
  readonly ofTet: Int32Array;
}

/** Flesh that is not divided. */
export function undivided(model: Model): FleshRegions {
  return { count: 0, ofTet: new Int32Array(model.tetCount).fill(-1) };
}

/** Divides the flesh of a model. */
export function divideFlesh(model: Model, layout: Layout): FleshRegions {
  const affordable = Math.floor(MOST_PAIRS / Math.max(1, model.bones.count));
  const wanted = Math.min(MOST_REGIONS, affordable, Math.floor(layout.tets.length / FEWEST_TETS));
  const regions = undivided(model);
  if (wanted === 0 || layout.tets.length > MOST_TETS) return regions;
  const corners = new Int32Array(layout.tets.length * 4);
  layout.tets.forEach((tet, i) => {
    corners.set(model.tets.subarray(tet * 4, tet * 4 + 4), i * 4);
  });
  const neighbours = findVertexNeighbours(corners, model.vertexCount);
  const distance = new Float64Array(model.vertexCount);
  for (const vertex of corners) distance[vertex] = Number.POSITIVE_INFINITY;
  const ofVertex = new Int32Array(model.vertexCount).fill(-1);
  let count = 0;
  for (let seed = corners[0]; count < wanted && distance[seed] > 0; seed = farthest(distance)) {
    spread(model.positions, neighbours, seed, count++, distance, ofVertex);
  }
  for (const tet of layout.tets) regions.ofTet[tet] = ofVertex[model.tets[tet * 4]];
  return { count, ofTet: regions.ofTet };
}

/** Gives a region all vertices that are nearer to its seed, along edges, than to any seed before. */
function spread(
  x: Float64Array,
  { start, list }: VertexNeighbours,
  seed: number,
  region: number,
  distance: Float64Array,
  ofVertex: Int32Array,
): void {
  distance[seed] = 0;
  ofVertex[seed] = region;
  let front = [seed];
  while (front.length > 0) {
    const next: number[] = [];
    for (const v of front) {
      for (let n = start[v]; n < start[v + 1]; n++) {
        const w = list[n];
        const dx = x[w * 3] - x[v * 3];
        const dy = x[w * 3 + 1] - x[v * 3 + 1];
        const dz = x[w * 3 + 2] - x[v * 3 + 2];
        const there = distance[v] + Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (!(there < distance[w])) continue;
        distance[w] = there;
        ofVertex[w] = region;
        next.push(w);
      }
    }
    front = next;
  }
}

/** The vertex farthest from all seeds; parts without one are infinitely far. */
function farthest(distance: Float64Array): number {
  let best = 0;
  for (let v = 1; v < distance.length; v++) if (distance[v] > distance[best]) best = v;
  return best;
}
