/**
 * Which node of a skin at rest is nearest to a place, for any place near or in the body: boxes that know a node nearby, and from
 * there downhill along the triangles. Built with the model; read when characters touch each other.
 */
import { writeEdgeCross } from '../../../../mesh/surface/triangle-algebra.js';
import type { TriangleMesh } from '../../../../mesh/surface/triangle-mesh.js';
import type { NodeLinks } from '../node-patches.js';
import { nearestOfBoxes } from './nearest-boxes.js';

/** Boxes along the longest side of the body. */
const BOXES = 64;

/** A grid of nearest nodes. */
export class RestLookup {
  readonly #positions: Float64Array;
  /** nodeCount+1 offsets: neighbours along edges. */
  readonly #neighbourStart: Int32Array;
  readonly #neighbours: Int32Array;
  readonly #low = new Float64Array(3);
  readonly #counts = new Int32Array(3);
  readonly #cell: number;
  /** Boxes per metre. */
  readonly #perMetre: number;
  readonly #nearest: Int32Array;
  /** How far the middle of each box is from the skin [m], negative inside. */
  readonly #distances: Float32Array;
  /** Half the diagonal of a box [m]. */
  readonly #halfBox: number;
  /** Unit normals of the triangles around each node, 3 numbers each; nodeCount+1 offsets. */
  readonly #faceStart: Int32Array;
  readonly #faceNormals: Float64Array;

  constructor(mesh: TriangleMesh, links: NodeLinks) {
    const { positions } = mesh;
    const nodeCount = positions.length / 3;
    this.#positions = positions;
    const high = new Float64Array(3);
    findBounds(positions, this.#low, high);
    this.#cell = Math.max(high[0] - this.#low[0], high[1] - this.#low[1], high[2] - this.#low[2]) / BOXES;
    this.#perMetre = 1 / this.#cell;
    for (let k = 0; k < 3; k++) this.#counts[k] = Math.floor((high[k] - this.#low[k]) / this.#cell) + 1;
    this.#halfBox = 0.5 * Math.sqrt(3) * this.#cell;
    this.#neighbourStart = links.start;
    this.#neighbours = links.nodes;
    const faces = listFaces(mesh, nodeCount);
    this.#faceStart = faces.start;
    this.#faceNormals = faces.normals;
    const grid = { low: this.#low, cell: this.#cell, counts: this.#counts };
    this.#nearest = nearestOfBoxes(grid, positions, this.#boxesOf(positions));
    this.#distances = this.#measure();
  }

  /** A node nearest to the place p[0..3), as far as going downhill finds it. */
  nearest(p: Float64Array): number {
    return this.nearestFrom(this.#nearest[this.boxOf(p)], p);
  }

  /** The same, going downhill from a node. */
  nearestFrom(node: number, p: Float64Array): number {
    const x = p[0];
    const y = p[1];
    const z = p[2];
    const at = this.#positions;
    const start = this.#neighbourStart;
    const neighbours = this.#neighbours;
    let least = this.#distanceSq(node, p);
    for (let from = -1; from !== node; ) {
      from = node;
      for (let i = start[from]; i < start[from + 1]; i++) {
        const o = 3 * neighbours[i];
        const dx = at[o] - x;
        const dy = at[o + 1] - y;
        const dz = at[o + 2] - z;
        const distance = dx * dx + dy * dy + dz * dz;
        if (distance >= least) continue;
        least = distance;
        node = neighbours[i];
      }
    }
    return node;
  }

  /** How far the place p[0..3) is outside the triangles around a node [m]; negative inside. The one it is farthest before counts: a place is inside when it is behind all. */
  height(node: number, p: Float64Array): number {
    const x = p[0] - this.#positions[3 * node];
    const y = p[1] - this.#positions[3 * node + 1];
    const z = p[2] - this.#positions[3 * node + 2];
    const n = this.#faceNormals;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = this.#faceStart[node]; i < this.#faceStart[node + 1]; i++) {
      const height = n[3 * i] * x + n[3 * i + 1] * y + n[3 * i + 2] * z;
      if (height > most) most = height;
    }
    return most;
  }

  /** The box of the place p[0..3), or the one before it where it is outside all. */
  boxOf(p: Float64Array): number {
    return (this.#box(p, 2) * this.#counts[1] + this.#box(p, 1)) * this.#counts[0] + this.#box(p, 0);
  }

  /** A node near all places in a box. */
  nodeOf(box: number): number {
    return this.#nearest[box];
  }

  /** Whether the place p[0..3) in a box is surely farther outside than `reach` [m]. */
  isFarOutside(box: number, p: Float64Array, reach: number): boolean {
    if (this.#distances[box] <= reach + this.#halfBox) return false;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const along = p[k] - this.#low[k];
      const beyond = along - this.#counts[k] * this.#cell;
      if (along < 0) square += along * along;
      else if (beyond > 0) square += beyond * beyond;
    }
    // outside all boxes, what the nearest one says is wrong by the way there, and the skin no nearer than that
    const before = square > 0 ? Math.sqrt(square) : 0;
    return before > reach || this.#distances[box] > reach + this.#halfBox + before;
  }

  #box(p: Float64Array, k: number): number {
    const along = (p[k] - this.#low[k]) * this.#perMetre;
    const last = this.#counts[k] - 1;
    return along < 0 ? 0 : along < last ? along | 0 : last;
  }

  #distanceSq(node: number, p: Float64Array): number {
    const x = this.#positions[3 * node] - p[0];
    const y = this.#positions[3 * node + 1] - p[1];
    const z = this.#positions[3 * node + 2] - p[2];
    return x * x + y * y + z * z;
  }

  /** The box of every node. */
  #boxesOf(positions: Float64Array): Int32Array {
    const boxes = new Int32Array(positions.length / 3);
    const place = new Float64Array(3);
    for (let node = 0; node < boxes.length; node++) {
      for (let k = 0; k < 3; k++) place[k] = positions[3 * node + k];
      boxes[node] = this.boxOf(place);
    }
    return boxes;
  }

  /** Distances of the boxes' middles from their nearest nodes, with the sign of the triangles there. */
  #measure(): Float32Array {
    const [nx, ny, nz] = this.#counts;
    const place = new Float64Array(3);
    const out = new Float32Array(this.#nearest.length);
    for (let k = 0, box = 0; k < nz; k++) {
      place[2] = this.#low[2] + (k + 0.5) * this.#cell;
      for (let j = 0; j < ny; j++) {
        place[1] = this.#low[1] + (j + 0.5) * this.#cell;
        for (let i = 0; i < nx; i++, box++) {
          place[0] = this.#low[0] + (i + 0.5) * this.#cell;
          const node = this.nearestFrom(this.#nearest[box], place);
          const distance = Math.sqrt(this.#distanceSq(node, place));
          out[box] = this.height(node, place) < 0 ? -distance : distance;
        }
      }
    }
    return out;
  }
}

/** Lowest and highest x, y, z. */
function findBounds(positions: Float64Array, low: Float64Array, high: Float64Array): void {
  low.fill(Number.POSITIVE_INFINITY);
  high.fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < 3; k++) {
    for (let i = k; i < positions.length; i += 3) {
      low[k] = Math.min(low[k], positions[i]);
      high[k] = Math.max(high[k], positions[i]);
    }
  }
}

/** Unit normals of the triangles around every node. */
function listFaces({ positions: p, triangles }: TriangleMesh, nodeCount: number) {
  const start = new Int32Array(nodeCount + 1);
  for (const node of triangles) start[node + 1]++;
  for (let i = 0; i < nodeCount; i++) start[i + 1] += start[i];
  const filled = start.slice();
  const normals = new Float64Array(3 * triangles.length);
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    writeEdgeCross(p, triangles[t], triangles[t + 1], triangles[t + 2], normal);
    const [nx, ny, nz] = normal;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    for (let c = 0; c < 3; c++) {
      const o = 3 * filled[triangles[t + c]]++;
      normals[o] = nx / length;
      normals[o + 1] = ny / length;
      normals[o + 2] = nz / length;
    }
  }
  return { start, normals };
}
