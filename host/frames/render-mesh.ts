/**
 * The surface of a body as it is drawn. A vertex of the body becomes several where the surface has an edge, so that a
 * bar keeps its corners, and where flesh meets bone, so that their colours do not run into each other.
 */
import type { Model } from '../../src/body/model.js';
import { computeVertexNormals } from '../../src/mesh/surface/surface.js';

/** Faces that meet at less than this angle are shaded as one smooth surface (cosine). */
const SMOOTH_COSINE = 0.64;

/** A bone is part of the outside where at least this share of its vertices is on the surface. */
const OUTER_SHARE = 0.45;

/** What is drawn of a body, and where its numbers come from. */
export interface RenderMesh {
  readonly vertexCount: number;
  /** Vertices with a normal of their own; the ones after them are copies at colour borders. */
  readonly smoothCount: number;
  /** Vertex of the body behind each drawn vertex. */
  readonly source: Int32Array;
  /** For each copy, the smooth vertex it repeats. */
  readonly copies: Int32Array;
  /** Three smooth vertices per triangle, for normals. */
  readonly smoothTriangles: Int32Array;
  /** Three drawn vertices per triangle. */
  readonly triangles: Uint32Array;
  /** Bone of each drawn vertex, -1 for flesh. */
  readonly boneOfVertex: Int32Array;
}

/** Builds the drawn surface of a model. */
export function buildRenderMesh(model: Model): RenderMesh {
  const { surface } = model;
  const cornerVertex = Int32Array.from(surface.triangles, (vertex) => surface.vertices[vertex]);
  const coloured = hasOuterBones(model, surface.vertices);
  const groups = smoothGroups(cornerVertex, model.positions);
  const smoothTriangles = groups.ofCorner;
  const source = [...groups.vertex];
  const boneOfVertex: (number | undefined)[] = source.map(() => undefined);
  const copyOf = new Map<string, number>();
  const copies: number[] = [];
  const triangles = new Uint32Array(cornerVertex.length);
  for (let t = 0; t < cornerVertex.length; t += 3) {
    const bone = coloured ? boneOfTriangle(model, cornerVertex, t) : -1;
    for (let k = t; k < t + 3; k++) {
      const smooth = smoothTriangles[k];
      boneOfVertex[smooth] ??= bone;
      if (boneOfVertex[smooth] === bone) {
        triangles[k] = smooth;
        continue;
      }
      const key = `${smooth}/${bone}`;
      let copy = copyOf.get(key);
      if (copy === undefined) {
        copy = source.length;
        copyOf.set(key, copy);
        copies.push(smooth);
        source.push(source[smooth]);
        boneOfVertex.push(bone);
      }
      triangles[k] = copy;
    }
  }
  return {
    vertexCount: source.length,
    smoothCount: groups.vertex.length,
    source: Int32Array.from(source),
    copies: Int32Array.from(copies),
    smoothTriangles,
    triangles,
    boneOfVertex: Int32Array.from(boneOfVertex, (bone) => bone ?? -1),
  };
}

/** Writes positions between two states of the body, and normals, at their offsets in `out`. */
export function writeSurface(
  mesh: RenderMesh,
  before: Float64Array,
  after: Float64Array,
  phase: number,
  out: Float32Array,
  positions: number,
  normals: number,
): void {
  const { source, smoothCount, copies } = mesh;
  for (let i = 0; i < source.length; i++) {
    for (let k = 0; k < 3; k++) {
      const from = before[source[i] * 3 + k];
      out[positions + i * 3 + k] = from + phase * (after[source[i] * 3 + k] - from);
    }
  }
  const ends = [smoothCount * 3, mesh.vertexCount * 3];
  computeVertexNormals(
    mesh.smoothTriangles,
    out.subarray(positions, positions + ends[0]),
    out.subarray(normals, normals + ends[0]),
  );
  copies.forEach((smooth, i) => {
    const at = normals + smooth * 3;
    out.copyWithin(normals + (smoothCount + i) * 3, at, at + 3);
  });
}

/** Whether most bones show as shells or rods do, rather than here and there under a skin. */
function hasOuterBones(model: Model, surfaceVertices: Int32Array): boolean {
  const { count, ofVertex, vertexStart } = model.bones;
  const outside = new Int32Array(count);
  for (const vertex of surfaceVertices) if (ofVertex[vertex] >= 0) outside[ofVertex[vertex]]++;
  const outer = outside.filter((n, bone) => n >= OUTER_SHARE * (vertexStart[bone + 1] - vertexStart[bone]));
  return outer.length > count / 2;
}

/** The bone all three corners belong to, or -1. */
function boneOfTriangle(model: Model, cornerVertex: Int32Array, t: number): number {
  const { ofVertex } = model.bones;
  const bone = ofVertex[cornerVertex[t]];
  return ofVertex[cornerVertex[t + 1]] === bone && ofVertex[cornerVertex[t + 2]] === bone ? bone : -1;
}

/** Gathers the corners of triangles around each vertex into groups that no edge separates. */
function smoothGroups(cornerVertex: Int32Array, positions: Float64Array) {
  const parent = Int32Array.from(cornerVertex, (_, corner) => corner);
  const root = (corner: number): number => {
    let at = corner;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  const normals = faceNormals(cornerVertex, positions);
  const waiting = new Map<number, number>();
  const vertexCount = positions.length / 3;
  for (let corner = 0; corner < cornerVertex.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const [a, b] = [cornerVertex[corner], cornerVertex[next]];
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    const twin = waiting.get(key);
    if (twin === undefined) {
      waiting.set(key, corner);
      continue;
    }
    const twinNext = twin % 3 === 2 ? twin - 2 : twin + 1;
    const [p, q] = [3 * Math.floor(corner / 3), 3 * Math.floor(twin / 3)];
    const cosine = normals[p] * normals[q] + normals[p + 1] * normals[q + 1] + normals[p + 2] * normals[q + 2];
    if (cosine < SMOOTH_COSINE) continue;
    const sameWay = cornerVertex[twin] === a;
    parent[root(corner)] = root(sameWay ? twin : twinNext);
    parent[root(next)] = root(sameWay ? twinNext : twin);
  }
  const numberOf = new Map<number, number>();
  const vertex: number[] = [];
  const ofCorner = Int32Array.from(cornerVertex, (mesh, corner) => {
    const top = root(corner);
    let number = numberOf.get(top);
    if (number === undefined) {
      number = vertex.length;
      numberOf.set(top, number);
      vertex.push(mesh);
    }
    return number;
  });
  return { ofCorner, vertex };
}

/** Unit normal of each triangle, 3 numbers each. */
function faceNormals(cornerVertex: Int32Array, positions: Float64Array): Float64Array {
  const count = cornerVertex.length / 3;
  const apart = Int32Array.from(cornerVertex, (_, corner) => corner);
  const corners = Float64Array.from({ length: count * 9 }, (_, i) => {
    return positions[cornerVertex[Math.floor(i / 3)] * 3 + (i % 3)];
  });
  const cornerNormals = new Float64Array(count * 9);
  computeVertexNormals(apart, corners, cornerNormals);
  return Float64Array.from({ length: count * 3 }, (_, i) => cornerNormals[Math.floor(i / 3) * 9 + (i % 3)]);
}
