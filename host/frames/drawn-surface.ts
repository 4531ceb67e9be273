/** What is drawn of a body and how its numbers get into a frame: the surface of its mesh, or a skin bound to it. */
import type { Model } from '../../src/body/model.js';
import type { BodyInfo, BodyInside } from './body-info.js';
import type { BodyLayout } from './frame-layout.js';
import { buildRenderMesh, type RenderMesh, writeSurface } from './render-mesh.js';

/** What a surface says of itself: the description of a body as far as it is about its surface, and the mesh behind it. */
export type SurfaceInfo = Pick<
  BodyInfo,
  'vertexCount' | 'triangles' | 'groups' | 'uvs' | 'colours' | 'morphs' | 'boneOfVertex'
> &
  Pick<BodyInside, 'cageCount' | 'edges' | 'rest'>;

/** Something that can be drawn between two states of a body. */
export interface DrawnSurface {
  readonly info: SurfaceInfo;
  /** Writes positions, normals and the cage, `phase` of the way from `before` to `after`. */
  write(before: Float64Array, after: Float64Array, phase: number, out: Float32Array, layout: BodyLayout): void;
  /** Spreads one number per vertex of the mesh over the drawn vertices. */
  spread(perVertex: Float32Array, out: Float32Array, at: number): void;
  /** How far each morph target is on; undefined where there are none. */
  readonly morphs?: { readonly values: Float64Array; set(values: ArrayLike<number>): void };
}

/** The surface of the mesh itself. */
export class MeshSurface implements DrawnSurface {
  readonly info: SurfaceInfo;
  readonly #mesh: RenderMesh;

  constructor(model: Model) {
    this.#mesh = buildRenderMesh(model);
    const { vertexCount, triangles, boneOfVertex, source } = this.#mesh;
    const drawn = new Map<number, number>();
    source.forEach((vertex, i) => {
      if (!drawn.has(vertex)) drawn.set(vertex, i);
    });
    const { surface } = model;
    const edges = findEdges(surface.triangles).map((v) => drawn.get(surface.vertices[v])!);
    const rest = new Float32Array(3 * vertexCount);
    source.forEach((vertex, i) => {
      rest.set(model.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
    });
    const groups = [{ start: 0, count: triangles.length }];
    this.info = { vertexCount, triangles, groups, uvs: [], boneOfVertex, cageCount: 0, edges, rest };
  }

  write(before: Float64Array, after: Float64Array, phase: number, out: Float32Array, layout: BodyLayout): void {
    writeSurface(this.#mesh, before, after, phase, out, layout.positions, layout.normals);
  }

  spread(perVertex: Float32Array, out: Float32Array, at: number): void {
    const { source } = this.#mesh;
    for (let i = 0; i < source.length; i++) out[at + i] = perVertex[source[i]];
  }
}

/** Every edge of some triangles once, two vertices each. */
export function findEdges(triangles: ArrayLike<number>): Uint32Array {
  const seen = new Set<string>();
  const edges: number[] = [];
  for (let corner = 0; corner < triangles.length; corner++) {
    const a = triangles[corner];
    const b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(a, b);
  }
  return Uint32Array.from(edges);
}
