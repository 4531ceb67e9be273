/**
 * Which nodes share a push: few nodes of a skin are tested for contact, and each stands for the patch of skin around it. A push on
 * it is spread over the patch by area, so that a broad press meets the same stiffness however few nodes are tested. Built with
 * the model.
 */

/** Neighbours of nodes along edges: nodeCount+1 offsets, and the nodes. */
export interface NodeLinks {
  readonly start: Int32Array;
  readonly nodes: Int32Array;
}

/** Patches of the nodes that were chosen. */
export interface NodePatches {
  /** The node that stands for each: itself where it was chosen, or where none is connected with it. */
  readonly standIn: Int32Array;
  /** nodeCount+1 offsets: the nodes each stands for, and their share of its push; itself alone where it was not chosen. */
  readonly start: Int32Array;
  readonly nodes: Int32Array;
  readonly shares: Float64Array;
}

/** Neighbours of every node along the edges of the triangles. */
export function linkNodes(triangles: Int32Array, nodeCount: number): NodeLinks {
  const start = new Int32Array(nodeCount + 1);
  for (let t = 0; t < triangles.length; t++) start[triangles[t] + 1] += 2;
  for (let node = 0; node < nodeCount; node++) start[node + 1] += start[node];
  // room for both neighbours in every triangle; edges of two triangles come twice and are listed once
  const nodes = new Int32Array(start[nodeCount]);
  const ends = start.slice(0, nodeCount);
  const add = (node: number, other: number): void => {
    for (let i = start[node]; i < ends[node]; i++) if (nodes[i] === other) return;
    nodes[ends[node]++] = other;
  };
  for (let t = 0; t < triangles.length; t++) {
    const next = triangles[t % 3 === 2 ? t - 2 : t + 1];
    add(triangles[t], next);
    add(next, triangles[t]);
  }
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    const from = start[node];
    start[node] = count;
    for (let i = from; i < ends[node]; i++) nodes[count++] = nodes[i];
  }
  start[nodeCount] = count;
  return { start, nodes: nodes.slice(0, count) };
}

/** Patches of `chosen` nodes, made of those that are `among` (1 each). */
export function patchNodes(
  positions: Float64Array,
  areas: Float64Array,
  links: NodeLinks,
  chosen: Int32Array,
  among: Uint8Array,
): NodePatches {
  const nodeCount = areas.length;
  const isChosen = new Uint8Array(nodeCount);
  for (const node of chosen) isChosen[node] = 1;
  const standIn = findStandIns(positions, links, isChosen);
  const members: number[][] = Array.from({ length: nodeCount }, () => []);
  for (let node = 0; node < nodeCount; node++) if (among[node] === 1) members[standIn[node]].push(node);
  const start = new Int32Array(nodeCount + 1);
  for (let node = 0; node < nodeCount; node++) {
    if (members[node].length === 0) members[node].push(node);
    start[node + 1] = start[node] + members[node].length;
  }
  const shares = members.flatMap((patch) => {
    const whole = patch.reduce((sum, node) => sum + areas[node], 0);
    return patch.map((node) => areas[node] / whole);
  });
  return { standIn, start, nodes: Int32Array.from(members.flat()), shares: Float64Array.from(shares) };
}

/** From each node along edges to the first that was chosen, nearest first; itself where there is none. */
function findStandIns(positions: Float64Array, links: NodeLinks, isChosen: Uint8Array): Int32Array {
  const standIn = Int32Array.from(isChosen, (is, node) => (is === 1 ? node : -1));
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
