/**
 * From a graph of sample points to lattice tetrahedra: a lattice point exists once per connected part of the samples in the
 * tetrahedra around it, a tetrahedron once per different set of such points. Second half of `fillSkin`.
 */
import { TendonError } from '../errors.js';
import { square } from '../math/powers.js';
import { DisjointSets } from './disjoint-sets.js';
import { type Groups, groupByKey } from './group-by-key.js';
import type { SolidSamples } from './solid-samples.js';
import type { BccLattice } from './tets/bcc-lattice.js';
import { locateBccTet, writeBccTet } from './tets/bcc-locate.js';
import { type TetMesh, tetVolume } from './tets/tet-mesh.js';

/** A lattice cut to the connections of a solid. */
export interface SplitLattice {
  readonly mesh: TetMesh;
  /** Part of the body each vertex lies in: that of the nearest sample of its own connected part. */
  readonly partOfVertex: Int32Array;
  /** Tetrahedron of each sample. */
  readonly tetOfSample: Int32Array;
}

/** Points put between two samples whose tetrahedra do not share a face are this fine at most: halvings. */
const MAX_HALVINGS = 5;
/**
 * Samples around a lattice point are one part when a way between them stays this near the point, in cells. The cells around it
 * reach one cell far; a flat side of the skin that just touches them in several places would be cut into flakes there.
 */
const REACH = 1.5;
/** How much longer than straight such a way may be, in cells: fingers are connected too, but only around by the palm. */
const DETOUR = 0.75;

/** Cuts `lattice`; `places` are its points' positions. */
export function splitLattice(lattice: BccLattice, samples: SolidSamples, places: Float64Array): SplitLattice {
  const graph = new SampleGraph(lattice, samples);
  const { tetOf, positions, parts } = graph;
  const count = tetOf.length;
  const corners = new Int32Array(4 * count);
  for (let s = 0; s < count; s++) writeBccTet(lattice, tetOf[s], corners, 4 * s);
  const links = groupByKey(graph.edges, count);
  const members = groupByKey(corners, lattice.pointCount);

  // copies[4 s + k]: the vertex that corner k of the tetrahedron of sample s has become
  const copies = new Int32Array(4 * count);
  const vertexPositions: number[] = [];
  const partOfVertex: number[] = [];
  const local = new Int32Array(count);
  const stamp = new Int32Array(count).fill(-1);
  for (let point = 0; point < lattice.pointCount; point++) {
    const from = members.starts[point];
    const to = members.starts[point + 1];
    if (from === to) continue;
    for (let n = from; n < to; n++) {
      const s = members.items[n] >> 2;
      stamp[s] = point;
      local[s] = n - from;
    }
    const sets = new DisjointSets(to - from);
    for (let n = from; n < to; n++) {
      const s = members.items[n] >> 2;
      for (let l = links.starts[s]; l < links.starts[s + 1]; l++) {
        const other = graph.edges[links.items[l] ^ 1];
        if (stamp[other] === point) sets.unite(local[s], local[other]);
      }
    }
    if (sets.count > 1) graph.joinNearby(members.items.subarray(from, to), places, point, sets, links);
    const vertexOf = new Map<number, number>();
    const nearest = new Map<number, number>();
    for (let n = from; n < to; n++) {
      const s = members.items[n] >> 2;
      const root = sets.find(n - from);
      let vertex = vertexOf.get(root);
      if (vertex === undefined) {
        vertex = partOfVertex.length;
        vertexOf.set(root, vertex);
        vertexPositions.push(places[3 * point], places[3 * point + 1], places[3 * point + 2]);
        partOfVertex.push(parts[s]);
        nearest.set(root, Infinity);
      }
      copies[members.items[n]] = vertex;
      let away = 0;
      for (let k = 0; k < 3; k++) away += square(positions[3 * s + k] - places[3 * point + k]);
      if (away < nearest.get(root)!) {
        nearest.set(root, away);
        partOfVertex[vertex] = parts[s];
      }
    }
  }
  const { tets, tetOfSample } = collectTets(copies);
  const mesh = { positions: Float64Array.from(vertexPositions), tets };
  turnInsideIn(mesh);
  return { mesh, partOfVertex: Int32Array.from(partOfVertex), tetOfSample: tetOfSample.subarray(0, samples.count) };
}

/** Makes every volume positive by the order of corners. */
function turnInsideIn(mesh: TetMesh): void {
  const { tets } = mesh;
  for (let tet = 0; tet < tets.length / 4; tet++) {
    if (tetVolume(mesh, tet) > 0) continue;
    const swapped = tets[4 * tet + 2];
    tets[4 * tet + 2] = tets[4 * tet + 3];
    tets[4 * tet + 3] = swapped;
  }
}

/** One tetrahedron per different set of four vertices, in the order they are met. */
function collectTets(copies: Int32Array): { tets: Int32Array; tetOfSample: Int32Array } {
  if (copies.length === 0) throw new TendonError('E_EMPTY', 'skin', 0, 'there is nothing inside the skin');
  const known = new Map<string, number>();
  const tets: number[] = [];
  const tetOfSample = new Int32Array(copies.length / 4);
  for (let s = 0; s < tetOfSample.length; s++) {
    const [a, b, c, d] = copies.subarray(4 * s, 4 * s + 4);
    const key = `${a},${b},${c},${d}`;
    let tet = known.get(key);
    if (tet === undefined) {
      tet = tets.length / 4;
      known.set(key, tet);
      tets.push(a, b, c, d);
    }
    tetOfSample[s] = tet;
  }
  return { tets: Int32Array.from(tets), tetOfSample };
}

/** The samples, and further ones between connected samples, so that every connection goes through faces. */
class SampleGraph {
  /** Lattice tetrahedron of each. */
  readonly tetOf: number[] = [];
  /** x,y,z each [m]. */
  readonly positions: number[] = [];
  readonly parts: number[] = [];
  /** Pairs that are connected. */
  readonly edges: number[] = [];
  readonly #lattice: BccLattice;
  readonly #a = new Int32Array(4);
  readonly #b = new Int32Array(4);

  constructor(lattice: BccLattice, samples: SolidSamples) {
    this.#lattice = lattice;
    const { counts, spacing, origin } = samples.grid;
    const [nx, ny] = counts;
    for (let s = 0; s < samples.count; s++) {
      const point = samples.points[s];
      const x = origin[0] + (point % nx) * spacing;
      const y = origin[1] + (Math.floor(point / nx) % ny) * spacing;
      const z = origin[2] + Math.floor(point / (nx * ny)) * spacing;
      this.#add(x, y, z, samples.parts[s]);
    }
    for (let e = 0; e < samples.edges.length; e += 2)
      this.#connect(samples.edges[e], samples.edges[e + 1], MAX_HALVINGS);
  }

  #add(x: number, y: number, z: number, part: number): number {
    this.positions.push(x, y, z);
    this.parts.push(part);
    return this.tetOf.push(locateBccTet(this.#lattice, x, y, z)) - 1;
  }

  #connect(s: number, t: number, halvings: number): void {
    if (halvings === 0 || this.#meet(this.tetOf[s], this.tetOf[t])) {
      this.edges.push(s, t);
      return;
    }
    const p = this.positions;
    const middle = this.#add(
      (p[3 * s] + p[3 * t]) / 2,
      (p[3 * s + 1] + p[3 * t + 1]) / 2,
      (p[3 * s + 2] + p[3 * t + 2]) / 2,
      this.parts[s],
    );
    this.#connect(s, middle, halvings - 1);
    this.#connect(middle, t, halvings - 1);
  }

  /**
   * Unites groups of `corners` (four times the sample, plus its corner) that are connected near a point, by a way within
   * `REACH` that is hardly longer than the distance between them.
   */
  joinNearby(corners: Int32Array, places: Float64Array, point: number, sets: DisjointSets, links: Groups): void {
    const p = this.positions;
    const [x, y, z] = places.subarray(3 * point, 3 * point + 3);
    const { cell } = this.#lattice;
    const reachSq = square(REACH * cell);
    const samples = Array.from(corners, (corner) => corner >> 2);
    const groups = samples.map((_, n) => sets.find(n));
    // the group a sample was reached from, and the length of the way
    const ownerOf = new Map<number, number>();
    const lengthOf = new Map<number, number>();
    samples.forEach((s, n) => {
      ownerOf.set(s, groups[n]);
      lengthOf.set(s, 0);
    });
    const queue = samples.slice();
    for (let head = 0; head < queue.length && sets.count > 1; head++) {
      const s = queue[head];
      const owner = ownerOf.get(s)!;
      for (let l = links.starts[s]; l < links.starts[s + 1]; l++) {
        const t = this.edges[links.items[l] ^ 1];
        const length = lengthOf.get(s)! + this.#between(s, t);
        const other = ownerOf.get(t);
        if (other !== undefined) {
          if (sets.find(owner) === sets.find(other)) continue;
          const straight = this.#nearest(samples, groups, owner, other);
          if (length + lengthOf.get(t)! <= straight + DETOUR * cell) sets.unite(owner, other);
          continue;
        }
        if (square(p[3 * t] - x) + square(p[3 * t + 1] - y) + square(p[3 * t + 2] - z) > reachSq) continue;
        ownerOf.set(t, owner);
        lengthOf.set(t, length);
        queue.push(t);
      }
    }
  }

  /** Smallest distance, along the axes, between samples of two groups. */
  #nearest(samples: readonly number[], groups: readonly number[], a: number, b: number): number {
    let nearest = Infinity;
    for (let i = 0; i < samples.length; i++) {
      if (groups[i] !== a) continue;
      for (let j = 0; j < samples.length; j++) {
        if (groups[j] === b) nearest = Math.min(nearest, this.#between(samples[i], samples[j]));
      }
    }
    return nearest;
  }

  /** Distance along the axes, which is how edges go. */
  #between(s: number, t: number): number {
    const p = this.positions;
    return (
      Math.abs(p[3 * s] - p[3 * t]) + Math.abs(p[3 * s + 1] - p[3 * t + 1]) + Math.abs(p[3 * s + 2] - p[3 * t + 2])
    );
  }

  /** True where two tetrahedra are the same or share a face. */
  #meet(s: number, t: number): boolean {
    if (s === t) return true;
    writeBccTet(this.#lattice, s, this.#a, 0);
    writeBccTet(this.#lattice, t, this.#b, 0);
    let shared = 0;
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) if (this.#a[i] === this.#b[j]) shared++;
    return shared === 3;
  }
}
