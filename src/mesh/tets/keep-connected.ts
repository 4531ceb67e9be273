/** Leaves out crumbs: parts of a filled skin that hang on the rest by less than a face, or not at all, and are small. */
import type { SkinLattice } from '../skin-lattice.js';
import { findTetNeighbours } from './tet-neighbours.js';

/** A part with fewer tetrahedra than this share of all is a crumb: an eyelash, a button. */
const CRUMB_SHARE = 0.02;
/** Fewer can never hold a bone. */
const FEWEST_TETS = 20;

/** The lattice without crumbs, vertices renumbered in their order. Notes what was left out, in the first round only. */
export function keepConnected(
  filled: SkinLattice,
  notes: string[],
  round = 0,
): Omit<SkinLattice, 'cell' | 'solidVolume' | 'insideShare'> {
  const { mesh, partOfVertex, tetOfTriangle } = filled;
  const { labels, sizes } = labelByFaces(mesh.tets, mesh.positions.length / 3);
  if (sizes.length === 1) return filled;
  const tetCount = mesh.tets.length / 4;
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const keep = sizes.map((size) => size === most || size >= CRUMB_SHARE * tetCount);
  keepOnlyHolders(filled, labels, sizes, keep);
  const dropped = sizes.filter((_, i) => !keep[i]);
  const lost = dropped.reduce((sum, size) => sum + size, 0);
  if (round === 0) {
    if (lost > 0)
      notes.push(
        `${dropped.length} small loose piece(s) of flesh (${lost} tets) left out; their skin follows the rest`,
      );
    const pieces = keep.filter((kept) => kept).length;
    if (pieces > 1) notes.push(`the flesh is in ${pieces} pieces that are not connected`);
  }
  const vertexOf = new Int32Array(partOfVertex.length).fill(-1);
  const newTet = new Int32Array(tetCount).fill(-1);
  const tets: number[] = [];
  for (let tet = 0; tet < tetCount; tet++) {
    if (!keep[labels[tet]]) continue;
    newTet[tet] = tets.length / 4;
    for (let k = 0; k < 4; k++) {
      tets.push(mesh.tets[4 * tet + k]);
      vertexOf[mesh.tets[4 * tet + k]] = 0;
    }
  }
  const positions: number[] = [];
  const parts: number[] = [];
  for (let v = 0; v < vertexOf.length; v++) {
    if (vertexOf[v] < 0) continue;
    vertexOf[v] = parts.length;
    parts.push(partOfVertex[v]);
    positions.push(mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]);
  }
  return {
    mesh: { positions: Float64Array.from(positions), tets: Int32Array.from(tets, (v) => vertexOf[v]) },
    partOfVertex: Int32Array.from(parts),
    tetOfTriangle: tetOfTriangle.map((tet) => (tet < 0 ? -1 : newTet[tet])),
  };
}

/** Keeps small pieces, if they are no crumbs altogether, that are all there is of a part of the body: the foot of a machine. */
function keepOnlyHolders(
  { mesh, partOfVertex }: SkinLattice,
  labels: Int32Array,
  sizes: readonly number[],
  keep: boolean[],
): void {
  const held = new Set<number>();
  const partsOf: Map<number, number>[] = sizes.map(() => new Map());
  labels.forEach((piece, tet) => {
    for (let k = 0; k < 4; k++) {
      const part = partOfVertex[mesh.tets[4 * tet + k]];
      if (keep[piece]) held.add(part);
      partsOf[piece].set(part, (partsOf[piece].get(part) ?? 0) + 1);
    }
  });
  const order = sizes.map((_, piece) => piece).sort((a, b) => sizes[b] - sizes[a] || a - b);
  for (const piece of order) {
    if (keep[piece] || sizes[piece] < FEWEST_TETS) continue;
    const [part] = [...partsOf[piece]].reduce((best, one) => (one[1] > best[1] ? one : best));
    if (held.has(part)) continue;
    keep[piece] = true;
    held.add(part);
  }
}

function labelByFaces(tets: Int32Array, vertexCount: number): { labels: Int32Array; sizes: number[] } {
  const neighbours = findTetNeighbours(tets, vertexCount);
  const labels = new Int32Array(tets.length / 4).fill(-1);
  const sizes: number[] = [];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] >= 0) continue;
    const stack = [start];
    labels[start] = sizes.length;
    let size = 0;
    while (stack.length > 0) {
      const tet = stack.pop()!;
      size++;
      for (let k = 0; k < 4; k++) {
        const next = neighbours[4 * tet + k];
        if (next < 0 || labels[next] >= 0) continue;
        labels[next] = sizes.length;
        stack.push(next);
      }
    }
    sizes.push(size);
  }
  return { labels, sizes };
}
