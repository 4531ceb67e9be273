/**
 * Nodes that can touch, in small groups with spheres around them: a group out of reach is passed over at the cost of one. Built with
 * the model, read by detection.
 *
 * A node is moved by a mean of its bones' motions, so a group is within its radius of the same mean of the moved centres of its
 * sphere: no farther from the main bone's than the sum, over its other bones, of their largest weight times how far they are apart.
 */

/** Most nodes in a group, where characters meet. */
export const MEETING_GROUP = 16;
/** The same against obstacles, which a sphere is tested against for the price of half a node. */
export const OBSTACLE_GROUP = 6;

/** Cells along a side that have numbers of their own. */
const CELLS = 100_003;

/** Spheres around lists of nodes. */
export interface NodeSpheres {
  readonly count: number;
  readonly mainBone: Int32Array;
  /** Centre of the sphere at rest, 3 each, and its radius, -1 where there are no nodes [m]. */
  readonly centre: Float64Array;
  readonly radius: Float64Array;
  /** count+1 offsets: other bones of the nodes, and the largest weight each has. */
  readonly otherStart: Int32Array;
  readonly others: Int32Array;
  readonly otherWeights: Float64Array;
}

/** Groups of nodes, each of one main bone; bones in order. */
export interface NodeClusters extends NodeSpheres {
  /** count+1 offsets into `nodes`. */
  readonly start: Int32Array;
  readonly nodes: Int32Array;
  /** First group of each bone, bones+1 offsets. */
  readonly ofBone: Int32Array;
  /** Spheres around the nodes of each bone. */
  readonly bones: NodeSpheres;
}

/** What groups are made from. */
export interface OwnedNodes {
  readonly positions: Float64Array;
  readonly owners: Int32Array;
  readonly weights: Float64Array;
}

/** Nodes of `among` no nearer to each other than their `spacing` [m], greedily in their order. */
export function spreadNodes(positions: Float64Array, spacing: Float64Array, among: Int32Array): Int32Array {
  const cell = spacing.reduce((most, distance) => Math.max(most, distance), 0);
  if (!(cell > 0)) return among;
  const taken = new Map<number, number[]>();
  const chosen: number[] = [];
  for (const p of among) {
    const x = Math.floor(positions[3 * p] / cell);
    const y = Math.floor(positions[3 * p + 1] / cell);
    const z = Math.floor(positions[3 * p + 2] / cell);
    if (isNear(positions, p, spacing[p], x, y, z, taken)) continue;
    chosen.push(p);
    const key = cellKey(x, y, z);
    const others = taken.get(key);
    if (others === undefined) taken.set(key, [p]);
    else others.push(p);
  }
  return Int32Array.from(chosen);
}

/** A number for a cell. Cells of very long bodies may share one: their nodes are then looked at for nothing. */
function cellKey(x: number, y: number, z: number): number {
  return (x * CELLS + y) * CELLS + z;
}

function isNear(
  positions: Float64Array,
  p: number,
  distance: number,
  x: number,
  y: number,
  z: number,
  taken: ReadonlyMap<number, number[]>,
): boolean {
  for (let i = x - 1; i <= x + 1; i++) {
    for (let j = y - 1; j <= y + 1; j++) {
      for (let k = z - 1; k <= z + 1; k++) {
        const others = taken.get(cellKey(i, j, k));
        for (let n = 0; others && n < others.length; n++) {
          if (distanceSq(positions, p, positions, 3 * others[n]) < distance * distance) return true;
        }
      }
    }
  }
  return false;
}

/** Groups the chosen nodes by main bone and place, at most `most` together; spheres of bones hold those `inBones`. */
export function clusterNodes(
  skin: OwnedNodes,
  chosen: Int32Array,
  boneCount: number,
  most: number,
  inBones: Int32Array = chosen,
): NodeClusters {
  const groups: NodeList[] = [];
  const bones: NodeList[] = [];
  const ofBone = new Int32Array(boneCount + 1);
  const own = nodesByBone(skin, chosen, boneCount);
  const all = inBones === chosen ? own : nodesByBone(skin, inBones, boneCount);
  for (let bone = 0; bone < boneCount; bone++) {
    bones.push({ bone, nodes: all[bone] });
    if (own[bone].length > 0) split(skin.positions, own[bone], most, (nodes) => groups.push({ bone, nodes }));
    ofBone[bone + 1] = groups.length;
  }
  const start = new Int32Array(groups.length + 1);
  groups.forEach(({ nodes }, g) => {
    start[g + 1] = start[g] + nodes.length;
  });
  return {
    ...findSpheres(skin, groups),
    start,
    nodes: Int32Array.from(groups.flatMap(({ nodes }) => nodes)),
    ofBone,
    bones: findSpheres(skin, bones),
  };
}

function nodesByBone({ owners }: OwnedNodes, nodes: Int32Array, boneCount: number): number[][] {
  const lists: number[][] = Array.from({ length: boneCount }, () => []);
  for (let n = 0; n < nodes.length; n++) lists[owners[4 * nodes[n]]].push(nodes[n]);
  return lists;
}

interface NodeList {
  readonly bone: number;
  readonly nodes: readonly number[];
}

function findSpheres(skin: OwnedNodes, lists: readonly NodeList[]): NodeSpheres {
  const count = lists.length;
  const otherStart = new Int32Array(count + 1);
  const others: number[] = [];
  const otherWeights: number[] = [];
  const centre = new Float64Array(3 * count);
  const radius = new Float64Array(count);
  lists.forEach(({ bone, nodes }, g) => {
    const most = new Map<number, number>();
    for (const p of nodes) {
      for (let k = 0; k < 3; k++) centre[3 * g + k] += skin.positions[3 * p + k] / nodes.length;
      for (let k = 4 * p; k < 4 * p + 4; k++) {
        const other = skin.owners[k];
        if (skin.weights[k] > 0 && other !== bone) most.set(other, Math.max(most.get(other) ?? 0, skin.weights[k]));
      }
    }
    for (const p of nodes) radius[g] = Math.max(radius[g], distanceSq(skin.positions, p, centre, 3 * g));
    radius[g] = nodes.length > 0 ? Math.sqrt(radius[g]) : -1;
    for (const [other, weight] of most) {
      others.push(other);
      otherWeights.push(weight);
    }
    otherStart[g + 1] = others.length;
  });
  return {
    count,
    mainBone: Int32Array.from(lists, ({ bone }) => bone),
    centre,
    radius,
    otherStart,
    others: Int32Array.from(others),
    otherWeights: Float64Array.from(otherWeights),
  };
}

/** Halves nodes along their longest extent until groups are small. */
function split(positions: Float64Array, nodes: number[], most: number, take: (nodes: number[]) => void): void {
  if (nodes.length <= most) {
    take(nodes);
    return;
  }
  let axis = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    const along = nodes.map((p) => positions[3 * p + k]);
    const extent = along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b));
    if (extent > longest) [axis, longest] = [k, extent];
  }
  const sorted = nodes.slice().sort((a, b) => positions[3 * a + axis] - positions[3 * b + axis] || a - b);
  const middle = sorted.length >> 1;
  split(positions, sorted.slice(0, middle), most, take);
  split(positions, sorted.slice(middle), most, take);
}

function distanceSq(a: Float64Array, p: number, b: Float64Array, o: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (a[3 * p + k] - b[o + k]) * (a[3 * p + k] - b[o + k]);
  return sum;
}

/** For every two groups 1 where the nodes of one may touch those of the other: where the spheres around them are apart at rest. */
export function groupsApart({ count, centre, radius }: NodeSpheres): Uint8Array {
  const apart = new Uint8Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const reach = radius[a] + radius[b];
      let square = 0;
      for (let k = 0; k < 3; k++)
        square += (centre[3 * a + k] - centre[3 * b + k]) * (centre[3 * a + k] - centre[3 * b + k]);
      apart[a * count + b] = radius[a] >= 0 && radius[b] >= 0 && square > reach * reach ? 1 : 0;
    }
  }
  return apart;
}
