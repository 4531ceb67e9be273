/**
 * A lattice ready to be solved: what fills its cells, which nodes are held, where everything lies in memory, and the levels
 * of the preconditioner. Frozen; built once per body (and again for another time step, which is part of the levels).
 */
import { requireInRange, TendonError } from '../../errors.js';
import type { CellLaw, LatticeCells } from '../../kernels/reference/lattice-cells.js';
import type { HexLattice } from '../../mesh/hexes/hex-lattice.js';
import type { Reals } from './numbers/arithmetic.js';
import type { CellStiffness } from './numbers/cell-matrices.js';
import { buildLevels, inverseDiagonal, type Levels } from './numbers/levels.js';
import { layOutQuads, QUAD_FLOATS, type QuadLayout } from './numbers/quad-layout.js';

/** What a body of cells is made of. */
export interface LatticeFilling {
  /** Shear modulus and first Lamé constant of each cell [Pa]. */
  readonly mu: ArrayLike<number>;
  readonly lambda: ArrayLike<number>;
  /** Mass of each cell [kg]; only with a time step. */
  readonly mass?: ArrayLike<number>;
  /** 1 for nodes that bones hold. */
  readonly held: Uint8Array;
  /** Stiffness of the springs that tie nodes to soft bones, per node [N/m]; none where all bones are exact. */
  readonly ties?: Float64Array;
  /** Hourglass share: 1 is the paper's, which is too stiff in bending; default 0.25. */
  readonly kappa?: number;
  /** Volume term; default 'determinant', which keeps volume where 'trace', the paper's, does not. */
  readonly volume?: CellLaw['volume'];
  /** Time step of the dynamics [s]; none for the quasistatic solver. */
  readonly dt?: number;
}

/** Default hourglass share: a cantilever of four cells bends 0.967 of what it should, 0.791 with the paper's. */
export const DEFAULT_KAPPA = 0.25;

/** A lattice body. Vectors have twelve numbers per node quad. */
export interface LatticeBody {
  readonly lattice: HexLattice;
  readonly layout: QuadLayout;
  readonly law: CellLaw;
  readonly filling: LatticeFilling;
  readonly vectorLength: number;
  readonly levels: Levels;
  /** Per node, zero where it is held. */
  readonly inverseDiagonal: Float64Array;
  /** Mass over the squared time step, per node, zero where it is held [kg/s²]; undefined without inertia. */
  readonly nodeInertia: Float64Array | undefined;
  /** What the Laplacian has on its diagonal beside the cells, per node: inertia and ties [N/m]; undefined for nothing. */
  readonly nodeShift: Float64Array | undefined;
}

/** Checks and prepares a lattice. */
export function buildLatticeBody(lattice: HexLattice, filling: LatticeFilling): LatticeBody {
  const kappa = requireInRange(filling.kappa ?? DEFAULT_KAPPA, 1e-3, 10, 'lattice/kappa');
  const cells = lattice.cells.length / 3;
  if (cells === 0) throw new TendonError('E_EMPTY', 'lattice/cells', 0, 'a lattice needs a cell');
  const layout = layOutQuads(lattice);
  const stiffness = fillLaplacian(lattice, filling, kappa, 1 / 4);
  const nodeInertia = filling.dt !== undefined ? inertiaOfNodes(lattice, stiffness) : undefined;
  return {
    lattice,
    layout,
    law: { h: lattice.cellSize, kappa, volume: filling.volume ?? 'determinant' },
    filling,
    vectorLength: QUAD_FLOATS * layout.quadCount,
    levels: buildLevels(lattice, stiffness),
    inverseDiagonal: inverseDiagonal(lattice, stiffness),
    nodeInertia,
    nodeShift: filling.ties?.map((tie, node) => tie + (nodeInertia?.[node] ?? 0)) ?? nodeInertia,
  };
}

/** What a Laplacian has of each cell: mu and this share of lambda, inertia and ties. */
export function fillLaplacian(
  lattice: HexLattice,
  { mu, lambda, mass, held, ties, dt }: LatticeFilling,
  kappa: number,
  share: number,
): CellStiffness {
  const scale = dt === undefined ? 0 : 1 / (dt * dt);
  const cells = lattice.cells.length / 3;
  return {
    stiffness: Float64Array.from({ length: cells }, (_, c) => mu[c] + share * lambda[c]),
    kappa,
    inertia: Float64Array.from({ length: cells }, (_, c) => scale * (mass?.[c] ?? 0)),
    held,
    ties: ties && tiesOfCorners(lattice, ties),
  };
}

function inertiaOfNodes(lattice: HexLattice, { inertia, held }: CellStiffness): Float64Array {
  const nodes = new Float64Array(lattice.nodes.length / 3);
  for (let at = 0; at < lattice.corners.length; at++) nodes[lattice.corners[at]] += inertia[at >> 3] / 8;
  return nodes.map((weight, node) => (held[node] ? 0 : weight));
}

/** The ties of nodes as shares of the corners of cells. */
function tiesOfCorners({ corners, nodes }: HexLattice, ties: Float64Array): Float64Array {
  const cells = new Int32Array(nodes.length / 3);
  for (let at = 0; at < corners.length; at++) cells[corners[at]]++;
  return Float64Array.from(corners, (node) => ties[node] / cells[node]);
}

/** Quaternion w,x,y,z of the cyclic exchange of axes that makes the run axis the first. */
export function restQuaternion(runAxis: number): readonly number[] {
  if (runAxis === 0) return [1, 0, 0, 0];
  return runAxis === 1 ? [0.5, 0.5, 0.5, 0.5] : [0.5, -0.5, -0.5, -0.5];
}

/** Fills the arrays that the cell kernels read: offsets in bytes, moduli by lane, rotations at rest. */
export function fillCells(
  { layout, filling }: Pick<LatticeBody, 'layout' | 'filling'>,
  out: {
    rows: Int32Array;
    loose: Int32Array;
    moduli: Reals;
    quats: Reals;
  },
): void {
  layout.rows.forEach((quad, at) => {
    out.rows[at] = 4 * QUAD_FLOATS * quad;
  });
  layout.looseCorners.forEach((place, at) => {
    out.loose[at] = 4 * (QUAD_FLOATS * (place >> 2) + (place & 3));
  });
  layout.cellOfLane.forEach((cell, lane) => {
    const at = 8 * (lane >> 2) + (lane & 3);
    out.moduli[at] = cell < 0 ? 0 : filling.mu[cell];
    out.moduli[at + 4] = cell < 0 ? 0 : filling.lambda[cell];
  });
  resetRotations(layout, out.quats);
}

/** Rotations as they are at rest; lanes without a cell are not turned at all. */
export function resetRotations({ runAxis, cellOfLane }: QuadLayout, quats: Reals): void {
  const rest = restQuaternion(runAxis);
  const none = restQuaternion(0);
  for (let at = 0; at < quats.length; at++) {
    const isCell = cellOfLane[4 * (at >> 4) + (at & 3)] >= 0;
    quats[at] = (isCell ? rest : none)[(at >> 2) & 3];
  }
}

/** Counts the kernels' loops run over. */
export function countGroups(layout: QuadLayout): Pick<LatticeCells, 'groups' | 'quadGroups'> {
  return { groups: layout.cellOfLane.length / 4, quadGroups: layout.rows.length / 4 };
}
