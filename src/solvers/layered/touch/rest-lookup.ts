/**
 * Which node of a skin at rest is nearest to a place, for any place near or in the body: boxes that know a node nearby, and from
 * there downhill along the triangles. Built with the model; read when characters touch each other.
 */
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';

/** Boxes along the longest side of the body. */
const BOXES = 64;
/** Rounds in which boxes learn of nearer nodes from their neighbours, forwards and backwards. */
const ROUNDS = 3;

/** A grid of nearest nodes. */
export class RestLookup {
  readonly #positions: Float64Array;
  /** nodeCount+1 offsets: neighbours along edges. */
  readonly #neighbourStart: Int32Array;
  readonly #neighbours: Int32Array;
  readonly #low = new Float64Array(3);
  readonly #counts = new Int32Array(3);
  readonly #cell: number;
  readonly #nearest: Int32Array;
  /** Unit normals of the triangles around each node, 3 numbers each; nodeCount+1 offsets. */
  readonly #faceStart: Int32Array;
  readonly #faceNormals: Float64Array;

  /** For each node itself where it can touch, else one nearby that can. */
  readonly standIn: Int32Array;

  /** `touching`: 1 for nodes that can touch. */
  constructor(mesh: TriangleMesh, touching: Uint8Array) {
    const { positions, triangles } = mesh;
    const nodeCount = positions.length / 3;
    this.#positions = positions;
    const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    this.#low.fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < positions.length; i++) {
      this.#low[i % 3] = Math.min(this.#low[i % 3], positions[i]);
      high[i % 3] = Math.max(high[i % 3], positions[i]);
    }
    this.#cell = Math.max(high[0] - this.#low[0], high[1] - this.#low[1], high[2] - this.#low[2]) / BOXES;
    for (let k = 0; k < 3; k++) this.#counts[k] = Math.floor((high[k] - this.#low[k]) / this.#cell) + 1;
    const links = linkNodes(triangles, nodeCount);
    this.#neighbourStart = links.start;
    this.#neighbours = links.nodes;
    const faces = listFaces(mesh, nodeCount);
    this.#faceStart = faces.start;
    this.#faceNormals = faces.normals;
    this.#nearest = this.#fill();
    this.standIn = findStandIns(positions, links, touching);
  }

  /** A node nearest to the place p[0..3), as far as going downhill finds it. */
  nearest(p: Float64Array): number {
    const x = this.#box(p, 0);
    const y = this.#box(p, 1);
    const z = this.#box(p, 2);
    let node = this.#nearest[(z * this.#counts[1] + y) * this.#counts[0] + x];
    let least = this.#distanceSq(node, p);
    for (let moved = true; moved; ) {
      moved = false;
      const from = node;
      for (let i = this.#neighbourStart[from]; i < this.#neighbourStart[from + 1]; i++) {
        const distance = this.#distanceSq(this.#neighbours[i], p);
        if (distance >= least) continue;
        least = distance;
        node = this.#neighbours[i];
        moved = true;
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

  #box(p: Float64Array, k: number): number {
    return Math.max(0, Math.min(this.#counts[k] - 1, Math.floor((p[k] - this.#low[k]) / this.#cell)));
  }

  #distanceSq(node: number, p: Float64Array): number {
    const x = this.#positions[3 * node] - p[0];
    const y = this.#positions[3 * node + 1] - p[1];
    const z = this.#positions[3 * node + 2] - p[2];
    return x * x + y * y + z * z;
  }

  /** Nodes into their boxes, then from box to box along the three axes, there and back. */
  #fill(): Int32Array {
    const [nx, ny, nz] = this.#counts;
    const nearest = new Int32Array(nx * ny * nz).fill(-1);
    const place = new Float64Array(3);
    const offer = (box: number, node: number): void => {
      if (node < 0) return;
      place[0] = this.#low[0] + ((box % nx) + 0.5) * this.#cell;
      place[1] = this.#low[1] + ((Math.floor(box / nx) % ny) + 0.5) * this.#cell;
      place[2] = this.#low[2] + (Math.floor(box / (nx * ny)) + 0.5) * this.#cell;
      if (nearest[box] < 0 || this.#distanceSq(node, place) < this.#distanceSq(nearest[box], place))
        nearest[box] = node;
    };
    for (let node = 0; node < this.#positions.length / 3; node++) {
      const p = this.#positions.subarray(3 * node, 3 * node + 3);
      offer((this.#box(p, 2) * ny + this.#box(p, 1)) * nx + this.#box(p, 0), node);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < nearest.length; i++) {
        if (i % nx > 0) offer(i, nearest[i - 1]);
        if (Math.floor(i / nx) % ny > 0) offer(i, nearest[i - nx]);
        if (i >= nx * ny) offer(i, nearest[i - nx * ny]);
      }
      for (let i = nearest.length - 1; i >= 0; i--) {
        if (i % nx < nx - 1) offer(i, nearest[i + 1]);
        if (Math.floor(i / nx) % ny < ny - 1) offer(i, nearest[i + nx]);
        if (i < nearest.length - nx * ny) offer(i, nearest[i + nx * ny]);
      }
    }
    return nearest;
  }
}

/** Neighbours of every node along the edges of the triangles. */
function linkNodes(triangles: Int32Array, nodeCount: number): { start: Int32Array; nodes: Int32Array } {
  const sets: Set<number>[] = Array.from({ length: nodeCount }, () => new Set());
  for (let t = 0; t < triangles.length; t++) {
    const next = triangles[t % 3 === 2 ? t - 2 : t + 1];
    sets[triangles[t]].add(next);
    sets[next].add(triangles[t]);
  }
  const start = new Int32Array(nodeCount + 1);
  sets.forEach((set, node) => {
    start[node + 1] = start[node] + set.size;
  });
  return { start, nodes: Int32Array.from(sets.flatMap((set) => [...set])) };
}

/** From each node along edges to the first that can touch, nearest first; itself where there is none. */
function findStandIns(
  positions: Float64Array,
  links: { start: Int32Array; nodes: Int32Array },
  touching: Uint8Array,
): Int32Array {
  const standIn = Int32Array.from(touching, (can, node) => (can === 1 ? node : -1));
  for (let changed = true; changed; ) {
    changed = false;
    const before = standIn.slice();
    for (let node = 0; node < standIn.length; node++) {
      if (before[node] >= 0) continue;
      let least = Number.POSITIVE_INFINITY;
      for (let i = links.start[node]; i < links.start[node + 1]; i++) {
        const other = before[links.nodes[i]];
        if (other < 0) continue;
        let square = 0;
        for (let k = 0; k < 3; k++) {
          const d = positions[3 * node + k] - positions[3 * other + k];
          square += d * d;
        }
        if (square >= least) continue;
        least = square;
        standIn[node] = other;
        changed = true;
      }
    }
  }
  return standIn.map((other, node) => (other < 0 ? node : other));
}

/** Unit normals of the triangles around every node. */
function listFaces({ positions: p, triangles }: TriangleMesh, nodeCount: number) {
  const start = new Int32Array(nodeCount + 1);
  for (const node of triangles) start[node + 1]++;
  for (let i = 0; i < nodeCount; i++) start[i + 1] += start[i];
  const filled = start.slice();
  const normals = new Float64Array(3 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, k] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
    const [vx, vy, vz] = [p[k] - p[i], p[k + 1] - p[i + 1], p[k + 2] - p[i + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    for (let c = 0; c < 3; c++) normals.set([nx / length, ny / length, nz / length], 3 * filled[triangles[t + c]]++);
  }
  return { start, normals };
}
