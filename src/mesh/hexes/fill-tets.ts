/**
 * Fills a tetrahedral mesh with the cells of a lattice: every cube that a tet reaches into, in copies where tets that share a
 * cube are not connected in it. So a body described by tets can be solved on a lattice, its vertices carried along.
 */
import { requireInRange } from '../../errors.js';
import { power } from '../../math/powers.js';
import { meshVolume, type TetMesh } from '../tets/tet-mesh.js';
import { findTetNeighbours } from '../tets/tet-neighbours.js';
import { cellsFromSamples, type SampledLattice } from './cells-from-samples.js';
import { dropGrazed } from './drop-crumbs.js';
import { embedInCells, type HexEmbedding } from './hex-embedding.js';

/** A mesh filled with cells. */
export interface TetFill extends Pick<SampledLattice, 'lattice' | 'facePairs'> {
  /** Pairs of a tet and a cell it reaches into: the tet, and the cell. */
  readonly tetOfSample: Int32Array;
  readonly cellOfSample: Int32Array;
  /** Binds the vertices of the mesh. */
  readonly embedding: HexEmbedding;
}

const MAX_SEARCH = 4;
const COUNT_TOLERANCE = 0.08;

/** Fills with about `cells` cells, or with cells of side `cell` [m]. */
export function fillTets(mesh: TetMesh, options: { readonly cells: number; readonly cell?: number }): TetFill {
  const cell = options.cell ?? searchCell(mesh, requireInRange(options.cells, 8, 4e6, 'options/cells'));
  const reach = new TetReach(mesh, cell);
  const samples = reach.sample();
  const edges = connect(mesh, samples, reach);
  const filled = dropGrazed(cellsFromSamples({ cells: samples.cells, edges }, cell, reach.origin), samples.tets);
  const tetOfSample = samples.tets.filter((_, s) => filled.cellOfSample[s] >= 0);
  const cellOfSample = filled.cellOfSample.filter((own) => own >= 0);
  const starts = new Int32Array(mesh.positions.length / 3).fill(-1);
  tetOfSample.forEach((tet, s) => {
    for (let k = 0; k < 4; k++) starts[mesh.tets[4 * tet + k]] = cellOfSample[s];
  });
  return {
    lattice: filled.lattice,
    facePairs: filled.facePairs,
    tetOfSample,
    cellOfSample,
    embedding: embedInCells(filled.lattice, filled.facePairs, mesh.positions, starts),
  };
}

/** A cell size that gives about so many cells. */
function searchCell(mesh: TetMesh, wanted: number): number {
  let cell = power(meshVolume(mesh) / wanted, 1 / 3);
  for (let step = 0; step < MAX_SEARCH; step++) {
    const { cells } = new TetReach(mesh, cell).sample();
    const distinct = new Set<number>();
    for (let i = 0; i < cells.length; i += 3) distinct.add(cells[i] + 8192 * (cells[i + 1] + 8192 * cells[i + 2]));
    const ratio = distinct.size / wanted;
    if (Math.abs(ratio - 1) < COUNT_TOLERANCE) break;
    cell *= power(ratio, 1 / 2.7);
  }
  return cell;
}

interface Samples {
  readonly tets: Int32Array;
  /** i, j, k of each. */
  readonly cells: Int32Array;
}

/** Which cells a tet reaches into. */
class TetReach {
  readonly origin: readonly [number, number, number];
  readonly #mesh: TetMesh;
  readonly #cell: number;
  /** Inward normal and offset of each face of the tet at hand, in cells. */
  readonly #planes = new Float64Array(16);

  constructor(mesh: TetMesh, cell: number) {
    this.#mesh = mesh;
    this.#cell = cell;
    const low = [Infinity, Infinity, Infinity];
    for (let i = 0; i < mesh.positions.length; i++) low[i % 3] = Math.min(low[i % 3], mesh.positions[i]);
    // a little lower, so that flat sides do not lie on planes of the lattice
    this.origin = low.map((x) => x - 0.137 * cell) as unknown as readonly [number, number, number];
  }

  sample(): Samples {
    const tets: number[] = [];
    const cells: number[] = [];
    const from = [0, 0, 0];
    const to = [0, 0, 0];
    for (let tet = 0; tet < this.#mesh.tets.length / 4; tet++) {
      for (let k = 0; k < 3; k++) {
        let [low, high] = [Infinity, -Infinity];
        for (let c = 0; c < 4; c++) {
          const at = this.#at(this.#mesh.tets[4 * tet + c], k);
          low = Math.min(low, at);
          high = Math.max(high, at);
        }
        from[k] = Math.floor(low);
        to[k] = Math.floor(high);
      }
      this.#findPlanes(tet);
      for (let z = from[2]; z <= to[2]; z++) {
        for (let y = from[1]; y <= to[1]; y++) {
          for (let x = from[0]; x <= to[0]; x++) {
            if (!this.#touches(x, y, z)) continue;
            tets.push(tet);
            cells.push(x, y, z);
          }
        }
      }
    }
    return { tets: Int32Array.from(tets), cells: Int32Array.from(cells) };
  }

  /** Whether the face opposite corner `skip` of a tet may reach into a cell, by its box. */
  faceTouches(tet: number, skip: number, x: number, y: number, z: number): boolean {
    const cell = [x, y, z];
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (let c = 0; c < 4; c++) {
        if (c === skip) continue;
        const at = this.#at(this.#mesh.tets[4 * tet + c], k);
        low = Math.min(low, at);
        high = Math.max(high, at);
      }
      if (high < cell[k] || low > cell[k] + 1) return false;
    }
    return true;
  }

  /** Coordinate of a vertex in cells. */
  #at(vertex: number, k: number): number {
    return (this.#mesh.positions[3 * vertex + k] - this.origin[k]) / this.#cell;
  }

  #findPlanes(tet: number): void {
    const planes = this.#planes;
    for (let skip = 0; skip < 4; skip++) {
      const a = this.#mesh.tets[4 * tet + ((skip + 1) & 3)];
      const b = this.#mesh.tets[4 * tet + ((skip + 2) & 3)];
      const c = this.#mesh.tets[4 * tet + ((skip + 3) & 3)];
      const d = this.#mesh.tets[4 * tet + skip];
      let offset = 0;
      let inner = 0;
      for (let k = 0; k < 3; k++) {
        const i = (k + 1) % 3;
        const j = (k + 2) % 3;
        const n =
          (this.#at(b, i) - this.#at(a, i)) * (this.#at(c, j) - this.#at(a, j)) -
          (this.#at(b, j) - this.#at(a, j)) * (this.#at(c, i) - this.#at(a, i));
        planes[4 * skip + k] = n;
        offset += n * this.#at(a, k);
        inner += n * this.#at(d, k);
      }
      const sign = inner < offset ? -1 : 1;
      for (let k = 0; k < 3; k++) planes[4 * skip + k] *= sign;
      planes[4 * skip + 3] = sign * offset;
    }
  }

  /** No face of the tet has the whole cell on its outer side: its corner farthest inward is not outside. */
  #touches(x: number, y: number, z: number): boolean {
    const planes = this.#planes;
    for (let o = 0; o < 16; o += 4) {
      const reach =
        planes[o] * (planes[o] > 0 ? x + 1 : x) +
        planes[o + 1] * (planes[o + 1] > 0 ? y + 1 : y) +
        planes[o + 2] * (planes[o + 2] > 0 ? z + 1 : z);
      if (reach < planes[o + 3]) return false;
    }
    return true;
  }
}

/** One tet in two cells side by side, two tets side by side in one cell. */
function connect(mesh: TetMesh, { tets, cells }: Samples, reach: TetReach): number[] {
  const neighbours = findTetNeighbours(mesh.tets, mesh.positions.length / 3);
  const known = new Map<number, number>();
  const tetCount = mesh.tets.length / 4;
  const key = (tet: number, x: number, y: number, z: number): number => ((x * 4096 + y) * 4096 + z) * tetCount + tet;
  tets.forEach((tet, s) => {
    known.set(key(tet, cells[3 * s], cells[3 * s + 1], cells[3 * s + 2]), s);
  });
  const edges: number[] = [];
  tets.forEach((tet, s) => {
    const [x, y, z] = [cells[3 * s], cells[3 * s + 1], cells[3 * s + 2]];
    for (let axis = 0; axis < 3; axis++) {
      const other = known.get(key(tet, axis === 0 ? x + 1 : x, axis === 1 ? y + 1 : y, axis === 2 ? z + 1 : z));
      if (other !== undefined) edges.push(s, other);
    }
    for (let k = 0; k < 4; k++) {
      const next = neighbours[4 * tet + k];
      if (next <= tet) continue;
      const other = known.get(key(next, x, y, z));
      if (other !== undefined && reach.faceTouches(tet, k, x, y, z)) edges.push(s, other);
    }
  });
  return edges;
}
