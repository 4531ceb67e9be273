/**
 * What of a body can touch, known from its rest shape: vertices, triangles and sharp edges of its surface, and which bones never count as
 * touching each other. Built once per model.
 */
import type { Model } from '../../body/model.js';
import { findVertexNeighbours } from './tet-edges.js';

/**
 * Vertices nearer than this many mean edge lengths, or than this share of the body's size, at rest are not pushed apart by penalty forces: those know nothing of
 * which way a surface faces, and would push at flesh that is merely squeezed.
 */
const NEIGHBOURHOOD_EDGES = 2.5;
const NEIGHBOURHOOD_SIZE = 0.05;
/** An edge is sharp when the cosine between the normals of its two triangles is below this. */
const SHARP_COSINE = 0.5;

/** A body's surface, ready for finding contacts. Vertex numbers are those of the whole body unless said otherwise. */
export interface CollisionSurface {
  /** Vertices on the surface, ascending. */
  readonly vertices: Int32Array;
  /** Number of each vertex among `vertices`, -1 inside. */
  readonly surfaceOf: Int32Array;
  /** Three vertices per triangle, anticlockwise from outside. */
  readonly triangles: Int32Array;
  /** The same by surface number. */
  readonly corners: Int32Array;
  /** Two vertices per sharp convex edge, and the two triangles beside it. */
  readonly edges: Int32Array;
  readonly edgeTriangles: Int32Array;
  /** All edges, two surface numbers each, and the three of each triangle: from its first corner to its second, and so on. */
  readonly allEdges: Int32Array;
  readonly edgesOf: Int32Array;
  /** Vertices inside the body, not pinned, next to vertex v of the body: `inner[innerStart[v]..innerStart[v + 1])`. */
  readonly innerStart: Int32Array;
  readonly inner: Int32Array;
  /** Tets that have a vertex on the surface. */
  readonly outerTets: Int32Array;
  /** 1 for pairs of bones that never count as touching: the same one, and joined parts of a body without flesh; bones squared. */
  readonly joined: Uint8Array;
  /** Mean length of the surface's edges at rest [m]. */
  readonly edgeLength: number;
  /** Distance at rest within which penalty forces do not push [m]. */
  readonly neighbourhood: number;
}

/** Finds the surface of a model and what is near to what on it. */
export function buildCollisionSurface(model: Model): CollisionSurface {
  const { vertices, triangles: corners } = model.surface;
  const surfaceOf = new Int32Array(model.vertexCount).fill(-1);
  vertices.forEach((vertex, i) => {
    surfaceOf[vertex] = i;
  });
  const neighbours = surfaceNeighbours(corners, vertices.length);
  const length = (a: number, b: number) => distance(model.positions, vertices[a] * 3, vertices[b] * 3);
  let sum = 0;
  let count = 0;
  neighbours.forEach((list, a) => {
    for (const b of list) {
      sum += length(a, b);
      count++;
    }
  });
  const edgeLength = count > 0 ? sum / count : model.size;
  const neighbourhood = Math.max(NEIGHBOURHOOD_EDGES * edgeLength, NEIGHBOURHOOD_SIZE * model.size);
  const triangles = Int32Array.from(corners, (i) => vertices[i]);
  return {
    vertices,
    surfaceOf,
    triangles,
    corners,
    ...findSharpEdges(triangles, model.positions),
    ...findAllEdges(corners),
    ...findInner(model, surfaceOf),
    outerTets: findOuterTets(model, surfaceOf),
    joined: findJoined(model),
    edgeLength,
    neighbourhood,
  };
}

/** Which bones are the same, or parts without flesh that share a joint: those may overlap at rest, where flesh never does. */
function findJoined({ bones, joints, tetCount }: Model): Uint8Array {
  const joined = new Uint8Array(bones.count * bones.count);
  for (let bone = 0; bone < bones.count; bone++) joined[bone * bones.count + bone] = 1;
  for (let j = 0; j < joints.count && tetCount === 0; j++) {
    const a = joints.boneA[j];
    const b = joints.boneB[j];
    if (b >= bones.count) continue;
    joined[a * bones.count + b] = joined[b * bones.count + a] = 1;
  }
  return joined;
}

function surfaceNeighbours(triangles: Int32Array, count: number): number[][] {
  const sets = Array.from({ length: count }, () => new Set<number>());
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      sets[a].add(b);
      sets[b].add(a);
    }
  }
  return sets.map((set) => [...set].sort((a, b) => a - b));
}

function findAllEdges(corners: Int32Array) {
  const allEdges: number[] = [];
  const known = new Map<string, number>();
  const edgesOf = Int32Array.from(corners, (a, i) => {
    const b = corners[i % 3 === 2 ? i - 2 : i + 1];
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    const edge = known.get(key) ?? known.size;
    if (edge === known.size) {
      known.set(key, edge);
      allEdges.push(a, b);
    }
    return edge;
  });
  return { allEdges: Int32Array.from(allEdges), edgesOf };
}

function findInner({ tets, vertexCount, pinned }: Model, surfaceOf: Int32Array) {
  const { start, list } = findVertexNeighbours(tets, vertexCount);
  const innerStart = new Int32Array(vertexCount + 1);
  const inner: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    for (let n = start[v]; n < start[v + 1]; n++) if (surfaceOf[list[n]] < 0 && !pinned[list[n]]) inner.push(list[n]);
    innerStart[v + 1] = inner.length;
  }
  return { innerStart, inner: Int32Array.from(inner) };
}

function findSharpEdges(triangles: Int32Array, positions: ArrayLike<number>) {
  const edges: number[] = [];
  const edgeTriangles: number[] = [];
  const first = new Map<string, number>();
  for (let t = 0; t < triangles.length / 3; t++) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t * 3 + k];
      const b = triangles[t * 3 + ((k + 1) % 3)];
      const other = first.get(`${b},${a}`);
      if (other === undefined) {
        first.set(`${a},${b}`, t);
        continue;
      }
      if (!isSharpConvex(triangles, positions, t, other)) continue;
      edges.push(b, a);
      edgeTriangles.push(other, t);
    }
  }
  return { edges: Int32Array.from(edges), edgeTriangles: Int32Array.from(edgeTriangles) };
}

/** Sharp, and convex: the far corner of each triangle lies below the plane of the other. */
function isSharpConvex(triangles: Int32Array, positions: ArrayLike<number>, t: number, other: number): boolean {
  const n = unitNormal(triangles, positions, t);
  const m = unitNormal(triangles, positions, other);
  if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > SHARP_COSINE) return false;
  const corner = triangles[t * 3] * 3;
  let highest = 0;
  for (let k = 0; k < 3; k++) {
    const far = triangles[other * 3 + k] * 3;
    let above = 0;
    for (let i = 0; i < 3; i++) above += n[i] * (positions[far + i] - positions[corner + i]);
    if (Math.abs(above) > Math.abs(highest)) highest = above;
  }
  return highest < 0;
}

function unitNormal(triangles: Int32Array, p: ArrayLike<number>, t: number): [number, number, number] {
  const [a, b, c] = [0, 1, 2].map((k) => triangles[t * 3 + k] * 3);
  const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
  const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

function findOuterTets(model: Model, surfaceOf: Int32Array): Int32Array {
  const outer: number[] = [];
  for (let tet = 0; tet < model.tets.length / 4; tet++) {
    for (let k = 0; k < 4; k++) {
      if (surfaceOf[model.tets[tet * 4 + k]] < 0) continue;
      outer.push(tet);
      break;
    }
  }
  return Int32Array.from(outer);
}

function distance(p: ArrayLike<number>, i: number, j: number): number {
  const [x, y, z] = [p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]];
  return Math.sqrt(x * x + y * y + z * z);
}
