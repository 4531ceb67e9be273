/**
 * A character as a lattice: its skin filled with cells, the bones of its skeleton as capsules of nodes in it, and the skin
 * bound to the cells. For skins that are recomputed from a skeleton's motion. No options needed.
 */
import { TendonError } from '../../../errors.js';
import { DisjointSets } from '../../../mesh/disjoint-sets.js';
import { type CellFill, fillWithCells } from '../../../mesh/hexes/fill-with-cells.js';
import { embedInCells, type HexEmbedding } from '../../../mesh/hexes/hex-embedding.js';
import { type HexLattice, nodePositions } from '../../../mesh/hexes/hex-lattice.js';
import { surfaceArea, surfaceVolume } from '../../../mesh/surface/surface.js';
import { type TriangleMesh, turnOutward, weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import type { Character } from '../../character.js';
import { type BoneShape, lineDistance, shapeBones, takeVertices } from '../bones/bone-shapes.js';
import { freePinched } from '../bones/free-pinched.js';
import { spreadStarts } from '../skin-binding.js';
import { findLatticeParts } from './lattice-parts.js';

/** A character's lattice. */
export interface LatticeCharacter {
  readonly fill: CellFill;
  /** Bone that holds each node, -1 for free ones. */
  readonly boneOfNode: Int32Array;
  /** Binds the skin's vertices. */
  readonly embedding: HexEmbedding;
  /** The skin welded and facing outward, and the cell of each of its vertices. */
  readonly outer: TriangleMesh & { readonly cells: Int32Array };
  /** What was odd and how it was taken. */
  readonly notes: readonly string[];
}

/** Fills a character with about `cells` cells, or with cells of side `cell` [m]. */
export function fillCharacter(
  character: Pick<Character, 'skin' | 'skeleton'>,
  options: { readonly cells?: number; readonly cell?: number } = {},
): LatticeCharacter {
  const { skin, skeleton } = character;
  if (skeleton.length === 0) {
    throw new TendonError('E_EMPTY', 'character/skeleton', 0, 'nothing moves this character: it has no bones');
  }
  const notes: string[] = [];
  const welded = weldVertices(skin.positions, skin.triangles);
  const { mesh: outer } = turnOutward(welded);
  requireVolume(outer);
  const parts = findLatticeParts(character, welded.vertexOf, outer);
  const fill = fillWithCells(outer, { ...options, parts: () => parts });
  if (fill.crumbs > 0) notes.push(`${fill.crumbs} cells in small loose pieces left out; their skin follows the rest`);
  if (parts.hardPieces > 0) notes.push(`${parts.hardPieces} piece(s) of the skin follow one bone each and are rigid`);
  const shapes = shapeBones(skeleton, { positions: outer.positions, boneOfVertex: parts.boneOfVertex });
  const rest = nodePositions(fill.lattice);
  const taken = takeVertices(shapes, rest, fill.partOfNode, parts.distance, fill.lattice.cellSize);
  // what is hard is bone through and through
  const boneOfNode = fill.partOfNode.map(parts.hardBone);
  taken.forEach((nodes, bone) => {
    if (nodes === undefined && !boneOfNode.includes(bone))
      notes.push(`no room for bone ${skeleton[bone].name}: its skin follows the flesh around it`);
    for (const node of nodes ?? []) boneOfNode[node] = bone;
  });
  freePinched(fill.lattice, boneOfNode);
  if (boneOfNode.every((bone) => bone < 0)) throw noRoom(shapes, rest, fill.lattice);
  holdLoosePieces(fill, boneOfNode, notes);
  const starts = spreadStarts(outer, fill.cellOfTriangle);
  const ofSkin = Int32Array.from(welded.vertexOf, (vertex) => starts[vertex]);
  const embedding = embedInCells(fill.lattice, fill.facePairs, skin.positions, ofSkin);
  const cells = new Int32Array(outer.positions.length / 3);
  welded.vertexOf.forEach((vertex, v) => {
    cells[vertex] = embedding.cells[v];
  });
  return { fill, boneOfNode, embedding, outer: { ...outer, cells }, notes };
}

/** A sheet has nothing to fill: a skin must be at least this thick, in the square root of its area. */
const THINNEST = 1e-6;

function requireVolume({ positions, triangles }: TriangleMesh): void {
  const area = surfaceArea(triangles, positions);
  // from a vertex of its own: a sheet that is not closed would have a volume against a point beside it
  const volume = surfaceVolume(
    triangles,
    positions.map((value, i) => value - positions[i % 3]),
  );
  if (Math.abs(volume) > THINNEST * area * Math.sqrt(area)) return;
  const advice = 'the skin encloses no space: give it a thickness (modelling tools say solidify)';
  throw new TendonError('E_EMPTY', 'character/skin', volume, advice);
}

/** Why no bone holds anything: none of them is near the flesh, or the cells are too large. */
function noRoom(shapes: readonly BoneShape[], rest: Float64Array, { cells, cellSize }: HexLattice): TendonError {
  const near = shapes.some(({ lines, radius }) =>
    lines.some(([a, b]) => {
      for (let i = 0; i < rest.length; i += 3) {
        if (lineDistance(a, b, rest[i], rest[i + 1], rest[i + 2]) < radius + 2 * cellSize) return true;
      }
      return false;
    }),
  );
  if (near) return new TendonError('E_EMPTY_BONE', 'cells', cells.length / 3, 'too few cells for any bone: use more');
  const advice = 'all bones lie outside of the skin: move the skeleton into it, or apply its scale and place';
  return new TendonError('E_RANGE', 'character/skeleton', shapes.length, advice);
}

/** Pieces that no bone reaches are held by the bone most of their nodes are nearest to: a hat, a pair of eyes. */
function holdLoosePieces({ lattice, partOfNode }: CellFill, boneOfNode: Int32Array, notes: string[]): void {
  const sets = new DisjointSets(partOfNode.length);
  for (let at = 0; at < lattice.corners.length; at++) sets.unite(lattice.corners[at & ~7], lattice.corners[at]);
  const isHeld = new Uint8Array(partOfNode.length);
  for (let node = 0; node < partOfNode.length; node++) if (boneOfNode[node] >= 0) isHeld[sets.find(node)] = 1;
  const votes = new Map<number, Map<number, number>>();
  for (let node = 0; node < partOfNode.length; node++) {
    const root = sets.find(node);
    if (isHeld[root]) continue;
    const own = votes.get(root) ?? new Map<number, number>();
    votes.set(root, own);
    own.set(partOfNode[node], (own.get(partOfNode[node]) ?? 0) + 1);
  }
  for (let node = 0; node < partOfNode.length; node++) {
    const own = votes.get(sets.find(node));
    if (own === undefined) continue;
    let [best, most] = [0, 0];
    for (const [part, count] of own) if (count > most) [best, most] = [part, count];
    if (partOfNode[node] === best) boneOfNode[node] = best;
  }
  if (votes.size > 0) notes.push(`${votes.size} loose piece(s) are held by the bone nearest to them`);
}
