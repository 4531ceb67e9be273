/**
 * Which nodes of a lattice the bones of a tet body hold: those within a third of a cell of what the bone's vertices span in the
 * tets around them. A bone with too few or flat ones takes the next nearest, so that its rotation is always determined.
 */
import type { Model } from '../../../body/model.js';
import { TendonError } from '../../../errors.js';
import { determinantMat3 } from '../../../math/mat3.js';
import { square } from '../../../math/powers.js';
import type { TetFill } from '../../../mesh/hexes/fill-tets.js';
import { nodePositions } from '../../../mesh/hexes/hex-lattice.js';

/** How near a node must be to a bone to be held by it, in cells. */
const NEAR = 0.34;
/** Fewest nodes of a bone, and how far from flat they must be: four not in a plane determine a rotation. */
const LEAST_NODES = 4;
const FLAT = 1e-4;

/** Bone of each node, -1 for free ones; number `bones.count` is the world, which holds what is pinned. */
export function holdNodes(model: Model, fill: TetFill): Int32Array {
  const { bones, pinned, tets, positions } = model;
  const boneOf = (vertex: number): number => (pinned[vertex] ? bones.count : bones.ofVertex[vertex]);
  const nodes = nodePositions(fill.lattice);
  const nearest = new Float64Array(nodes.length / 3).fill(Infinity);
  const boneOfNode = new Int32Array(nearest.length).fill(-1);
  for (let s = 0; s < fill.tetOfSample.length; s++) {
    const corners = [0, 1, 2, 3].map((k) => tets[4 * fill.tetOfSample[s] + k]);
    const owners = [...new Set(corners.map(boneOf))].filter((bone) => bone >= 0);
    for (const bone of owners) {
      const own = corners.filter((vertex) => boneOf(vertex) === bone);
      for (let c = 0; c < 8; c++) {
        const node = fill.lattice.corners[8 * fill.cellOfSample[s] + c];
        const away = distanceTo(positions, own, nodes, 3 * node);
        if (away >= nearest[node]) continue;
        nearest[node] = away;
        boneOfNode[node] = bone;
      }
    }
  }
  const held = new Int32Array(boneOfNode.length).fill(-1);
  for (let bone = 0; bone <= bones.count; bone++) {
    const candidates: number[] = [];
    boneOfNode.forEach((owner, node) => {
      if (owner === bone) candidates.push(node);
    });
    candidates.sort((a, b) => nearest[a] - nearest[b] || a - b);
    const reach = NEAR * fill.lattice.cellSize;
    let count = candidates.findIndex((node) => nearest[node] > reach);
    if (count < 0) count = candidates.length;
    while (count < candidates.length && (count < LEAST_NODES || isFlat(nodes, candidates.slice(0, count)))) count++;
    if (bone < bones.count && (count < LEAST_NODES || isFlat(nodes, candidates.slice(0, count)))) {
      const advice = `the cells are too large for bone ${bones.names[bone]}: use more of them`;
      throw new TendonError('E_EMPTY_BONE', 'options/cells', fill.lattice.cells.length / 3, advice);
    }
    for (let n = 0; n < count; n++) held[candidates[n]] = bone;
  }
  return held;
}

/** Distance of a point from what up to four vertices span: exact inside the tet, at vertices and edges; faces by their edges. */
function distanceTo(positions: Float64Array, own: readonly number[], p: Float64Array, i: number): number {
  if (own.length === 4 && isInside(positions, own, p, i)) return 0;
  let least = Infinity;
  for (let a = 0; a < own.length; a++) {
    for (let b = a; b < own.length; b++) least = Math.min(least, segmentDistanceSq(positions, own[a], own[b], p, i));
  }
  return Math.sqrt(least);
}

function segmentDistanceSq(x: Float64Array, a: number, b: number, p: Float64Array, i: number): number {
  let [along, length] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const edge = x[3 * b + k] - x[3 * a + k];
    along += edge * (p[i + k] - x[3 * a + k]);
    length += edge * edge;
  }
  const t = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += square(p[i + k] - x[3 * a + k] - t * (x[3 * b + k] - x[3 * a + k]));
  return sum;
}

function isInside(x: Float64Array, own: readonly number[], p: Float64Array, i: number): boolean {
  const edges = new Float64Array(9);
  const volumeWith = (moved: number): number => {
    const at = (corner: number, k: number): number => (corner === moved ? p[i + k] : x[3 * own[corner] + k]);
    for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) edges[3 * c + k] = at(c + 1, k) - at(0, k);
    return determinantMat3(edges, 0);
  };
  const whole = volumeWith(-1);
  return [0, 1, 2, 3].every((corner) => volumeWith(corner) * whole >= 0);
}

/** Whether points lie nearly in a plane: determinant of their covariance against the cube of its trace. */
function isFlat(positions: Float64Array, points: readonly number[]): boolean {
  const mean = [0, 1, 2].map((k) => points.reduce((sum, n) => sum + positions[3 * n + k], 0) / points.length);
  const covariance = new Float64Array(9);
  for (const n of points) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        covariance[3 * a + b] += (positions[3 * n + a] - mean[a]) * (positions[3 * n + b] - mean[b]);
      }
    }
  }
  const trace = covariance[0] + covariance[4] + covariance[8];
  return !(27 * determinantMat3(covariance, 0) > FLAT * trace * trace * trace);
}
