/** The edges of a tet mesh as lists of neighbours. Built once per model. */

/** Neighbours of vertex v: `list[start[v]..start[v + 1])`, ascending. */
export interface VertexNeighbours {
  readonly start: Int32Array;
  readonly list: Int32Array;
  /** Edges of the mesh, each counted once. */
  readonly edgeCount: number;
}

/** Two vertices are neighbours when a tet has both. */
export function findVertexNeighbours(tets: Int32Array, vertexCount: number): VertexNeighbours {
  const sets = Array.from({ length: vertexCount }, () => new Set<number>());
  for (let o = 0; o < tets.length; o += 4) {
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) if (i !== j) sets[tets[o + i]].add(tets[o + j]);
  }
  const start = new Int32Array(vertexCount + 1);
  for (let v = 0; v < vertexCount; v++) start[v + 1] = start[v] + sets[v].size;
  const list = new Int32Array(start[vertexCount]);
  for (let v = 0; v < vertexCount; v++) list.set(Int32Array.from(sets[v]).sort(), start[v]);
  return { start, list, edgeCount: list.length / 2 };
}
