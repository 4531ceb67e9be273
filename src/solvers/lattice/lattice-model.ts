/** The body of a lattice as a world sees it: the vertices are those of its skin, and the cells that carry them are its own affair. */

import type { JointDef, MaterialDef } from '../../body/body-def.js';
import { buildJoints } from '../../body/joints/joints.js';
import type { AnyBodyDef } from '../../body/kinds/any-body-def.js';
import type { LatticeDef } from '../../body/kinds/lattice-def.js';
import { lameOf } from '../../body/materials.js';
import { type Model, NO_TETS } from '../../body/model.js';
import { requireFinite, requireInRange, TendonError } from '../../errors.js';
import { type HexEmbedding, weighCorners } from '../../mesh/hexes/hex-embedding.js';
import type { HexLattice } from '../../mesh/hexes/hex-lattice.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { weighBones } from './bones/lattice-bones.js';

/** A model with what the lattice solver needs of it. */
export interface LatticeModel extends Model {
  readonly kind: 'lattice';
  readonly hexes: HexLattice;
  readonly embedding: HexEmbedding;
  /** Bone that holds each node, -1 for free ones. */
  readonly boneOfNode: Int32Array;
  /** Lamé constants of each cell [Pa], and its mass [kg]. */
  readonly cellMu: Float64Array;
  readonly cellLambda: Float64Array;
  readonly cellMass: Float64Array;
}

/** Relaxed muscle under skin. */
const DEFAULT_MATERIAL: MaterialDef = { model: 'corotated', youngModulus: 7e4, poissonRatio: 0.4, density: 1000 };
/** Lattice points along an axis, at most: half of what fits into a lane's offset. */
const MOST_POINTS = 4095;

/** Builds the model of a body of kind 'lattice', or throws a TendonError that names what is wrong. */
export function buildLatticeModel(def: AnyBodyDef, path: string): LatticeModel {
  if (def.kind !== 'lattice') {
    throw new TendonError('E_UNKNOWN', `${path}/kind`, def.kind, 'the lattice solver builds bodies of kind lattice');
  }
  const hexes = readCells(def, path);
  const skin = readSkin(def, hexes, path);
  const filling = fillCells(def, hexes, path);
  const { bones, boneOfNode } = weighBones(def, hexes, filling.cellMass, skin.positions.length / 3, path);
  const vertices = Int32Array.from({ length: skin.positions.length / 3 }, (_, v) => v);
  const totalMass = filling.cellMass.reduce((sum, mass) => sum + mass, 0);
  return {
    kind: 'lattice',
    name: def.name,
    hexes,
    embedding: skin.embedding,
    boneOfNode,
    ...filling,
    vertexCount: vertices.length,
    positions: skin.positions,
    masses: new Float64Array(vertices.length).fill(totalMass / vertices.length),
    totalMass,
    size: largestExtent(skin.positions),
    ...NO_TETS,
    bones,
    joints: buildJoints(jointsOf(def), bones, `${path}/bones`),
    pinned: new Uint8Array(vertices.length),
    surface: { triangles: skin.triangles, vertices },
    interior: undefined,
    vertexMap: vertices,
  };
}

/** The cells: whole numbers in range, eight nodes each, and those where the cell is. */
function readCells(def: LatticeDef, path: string): HexLattice {
  const cellSize = requireInRange(def.cellSize, 1e-9, 1e9, `${path}/cellSize`);
  requireFinite(def.origin, `${path}/origin`);
  if (!def.cells?.length) throw new TendonError('E_EMPTY', `${path}/cells`, 0, 'a lattice needs a cell');
  const [cells, nodes, corners] = [def.cells, def.nodes, def.corners].map((list) => Int32Array.from(list ?? []));
  if (cells.length % 3 !== 0 || corners.length !== (cells.length / 3) * 8 || nodes.length % 3 !== 0) {
    const advice = `three numbers per cell and node, eight corners per cell: ${(cells.length / 3) * 8}`;
    throw new TendonError('E_RANGE', `${path}/corners`, corners.length, advice);
  }
  for (let at = 0; at < corners.length; at++) {
    const node = requireIndex(corners[at], nodes.length / 3, `${path}/corners/${at}`, 'node');
    for (let k = 0; k < 3; k++) {
      const wanted = cells[3 * (at >> 3) + k] + ((at >> k) & 1);
      if (nodes[3 * node + k] === wanted && wanted >= 0 && wanted <= MOST_POINTS) continue;
      throw new TendonError('E_RANGE', `${path}/corners/${at}`, node, 'this node is not at that corner of the cell');
    }
  }
  return { cellSize, origin: def.origin, cells, nodes, corners };
}

function readSkin({ skin }: LatticeDef, hexes: HexLattice, path: string) {
  if (!skin?.positions?.length) throw new TendonError('E_EMPTY', `${path}/skin`, 0, 'a lattice carries a skin');
  requireFinite(skin.positions, `${path}/skin/positions`);
  const positions = Float64Array.from(skin.positions);
  const triangles = Int32Array.from(skin.triangles);
  const cells = Int32Array.from(skin.cells);
  if (positions.length !== 3 * cells.length) {
    throw new TendonError(
      'E_RANGE',
      `${path}/skin/cells`,
      cells.length,
      `one cell per vertex: ${positions.length / 3}`,
    );
  }
  triangles.forEach((v, at) => {
    requireIndex(v, cells.length, `${path}/skin/triangles/${at}`, 'vertex');
  });
  cells.forEach((cell, v) => {
    requireIndex(cell, hexes.cells.length / 3, `${path}/skin/cells/${v}`, 'cell');
  });
  return { positions, triangles, embedding: weighCorners(hexes, positions, cells) };
}

function fillCells(def: LatticeDef, { cells, cellSize }: HexLattice, path: string) {
  const count = cells.length / 3;
  const materials = def.materials?.length ? def.materials : [DEFAULT_MATERIAL];
  const lames = materials.map((material, i) => lameOf(material, `${path}/materials/${i}`));
  const [cellMu, cellLambda, cellMass] = [0, 1, 2].map(() => new Float64Array(count));
  const volume = cellSize * cellSize * cellSize;
  for (let cell = 0; cell < count; cell++) {
    const region = requireIndex(def.regions?.[cell] ?? 0, lames.length, `${path}/regions/${cell}`, 'material');
    const solid = requireInRange(def.fullness?.[cell] ?? 1, 0, 1, `${path}/fullness/${cell}`);
    cellMu[cell] = lames[region].mu;
    cellLambda[cell] = lames[region].lambda;
    cellMass[cell] = materials[region].density * volume * solid;
  }
  return { cellMu, cellLambda, cellMass };
}

function requireIndex(index: number, count: number, path: string, what: string): number {
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  throw new TendonError('E_INDEX', path, index, `the body has no such ${what}`);
}

/** Joints between bones and their parents, for whoever asks for them by name. */
function jointsOf({ bones = [] }: LatticeDef): JointDef[] {
  return bones.flatMap(({ name, parent, place, joint, axis, secondAxis }) =>
    parent < 0
      ? []
      : [{ name, type: joint ?? 'ball', bones: [bones[parent].name, name], anchor: place, axis, secondAxis }],
  );
}
