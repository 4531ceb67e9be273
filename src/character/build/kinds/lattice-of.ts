/**
 * Bodies of cells for the lattice solver, with no options: of a rigged model whose skin and skeleton are known, or of a closed
 * surface, which is soft throughout.
 */
import type { MaterialDef } from '../../../body/body-def.js';
import type { LatticeBoneDef, LatticeDef } from '../../../body/kinds/lattice-def.js';
import { TendonError } from '../../../errors.js';
import { type CellFill, fillWithCells } from '../../../mesh/hexes/fill-with-cells.js';
import { embedInCells } from '../../../mesh/hexes/hex-embedding.js';
import { type TriangleMesh, turnOutward, weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import type { Character } from '../../character.js';
import { FLESH } from '../flesh.js';
import { spreadStarts } from '../skin-binding.js';
import { fillCharacter } from './lattice-character.js';
import { type LayerCharacter, layerOfCharacter } from './layer-character.js';

/** How to fill a body with cells. */
export interface LatticeBuildOptions {
  /** Name of the body; default that of the character. */
  readonly name?: string;
  /** Cells to aim for, default 8000; or their side [m]. */
  readonly cells?: number;
  readonly cell?: number;
  /** What fills it; default flesh. */
  readonly material?: MaterialDef;
}

/** A character whose body is a lattice; its embedding is over the vertices of the body's skin. */
export interface CellCharacter extends Omit<LayerCharacter, 'body'> {
  readonly body: LatticeDef;
}

/** Fills a character of bones and skin. Every bone goes where it is sent; the flesh follows. */
export function latticeOfLayer(layer: LayerCharacter, options: LatticeBuildOptions = {}): CellCharacter {
  const { fill, boneOfNode, outer, notes } = fillCharacter(layer, options);
  const { positions, triangles, bones, material } = layer.body;
  const held: number[][] = bones.map(() => []);
  boneOfNode.forEach((bone, node) => {
    if (bone >= 0) held[bone].push(node);
  });
  const body: LatticeDef = {
    ...describeCells(options.name ?? layer.body.name, fill, options.material ?? material ?? FLESH),
    skin: { positions, triangles, cells: outer.cells },
    bones: bones.map((bone, b): LatticeBoneDef => ({ ...bone, kinematic: true, nodes: Int32Array.from(held[b]) })),
  };
  return { ...layer, body, notes: [...layer.notes, ...notes] };
}

/** The lattice of a character that was built for another solver: same skin, same bones, same motions. */
export function latticeOfCharacter(character: Character, options: LatticeBuildOptions = {}): CellCharacter {
  return latticeOfLayer(layerOfCharacter(character, options), options);
}

/** The lattice of a closed surface, without bones. */
export function latticeOfSurface(surface: TriangleMesh, options: LatticeBuildOptions = {}): LatticeDef {
  if (surface.triangles.length === 0) {
    throw new TendonError('E_EMPTY', 'surface/triangles', 0, 'a surface needs triangles');
  }
  const { mesh } = turnOutward(weldVertices(surface.positions, surface.triangles));
  const fill = fillWithCells(mesh, options);
  const starts = spreadStarts(mesh, fill.cellOfTriangle);
  const { cells } = embedInCells(fill.lattice, fill.facePairs, mesh.positions, starts);
  return {
    ...describeCells(options.name ?? 'body', fill, options.material ?? FLESH),
    skin: { positions: mesh.positions, triangles: mesh.triangles, cells },
  };
}

function describeCells(name: string, { lattice, fullness }: CellFill, material: MaterialDef) {
  const { cellSize, origin, cells, nodes, corners } = lattice;
  return {
    kind: 'lattice' as const,
    name,
    cellSize,
    origin,
    cells,
    nodes,
    corners,
    // thin parts may count for more than a cell of them
    fullness: fullness.map((share) => Math.min(1, share)),
    materials: [material],
  };
}
