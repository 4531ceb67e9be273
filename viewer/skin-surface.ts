/** A skin that follows a body's mesh: its vertices hang on tetrahedra, its pictures come along. */
import type { Model } from '../src/body/model.js';
import { type Embedding, updateEmbedding } from '../src/mesh/embedding.js';
import { computeVertexNormals } from '../src/mesh/surface/surface.js';
import { weldVertices } from '../src/mesh/surface/triangle-mesh.js';
import { type DrawnSurface, findEdges, type SurfaceInfo } from './drawn-surface.js';
import type { WornSkin } from './fine-skins.js';
import type { BodyLayout } from './frame-layout.js';
import { readSkinLook } from './skin-look.js';

/** Draws a character's skin. */
export class SkinSurface implements DrawnSurface {
  readonly info: SurfaceInfo;
  readonly #embedding: Embedding;
  readonly #cage: Int32Array;
  readonly #between: Float64Array;
  /** The skin's triangles and positions with coinciding vertices made one, for normals without seams. */
  readonly #welded: Int32Array;
  readonly #weldedOf: Int32Array;
  readonly #shape: Float32Array;
  readonly #normals: Float32Array;

  constructor(model: Model, { skin, embedding }: WornSkin) {
    const { vertexMap } = model;
    this.#embedding = { corners: embedding.corners.map((v) => vertexMap[v]), weights: embedding.weights };
    this.#between = new Float64Array(model.positions.length);
    const { surface } = model;
    this.#cage = surface.vertices;
    this.#weldedOf = weldVertices(skin.positions, skin.triangles).vertexOf;
    this.#welded = Int32Array.from(skin.triangles, (v) => this.#weldedOf[v]);
    const weldedCount = this.#weldedOf.reduce((most, v) => Math.max(most, v + 1), 0);
    this.#shape = new Float32Array(weldedCount * 3);
    this.#normals = new Float32Array(weldedCount * 3);
    this.info = {
      vertexCount: skin.positions.length / 3,
      triangles: skin.triangles,
      boneOfVertex: new Int32Array(skin.positions.length / 3).fill(-1),
      cageCount: surface.vertices.length,
      edges: findEdges(surface.triangles),
      look: readSkinLook(skin),
    };
  }

  write(before: Float64Array, after: Float64Array, phase: number, out: Float32Array, layout: BodyLayout): void {
    const between = this.#between;
    for (let i = 0; i < between.length; i++) between[i] = before[i] + phase * (after[i] - before[i]);
    const count = this.info.vertexCount * 3;
    const positions = out.subarray(layout.positions, layout.positions + count);
    updateEmbedding(this.#embedding, between, positions);
    const weldedOf = this.#weldedOf;
    for (let v = 0; v < weldedOf.length; v++) {
      for (let k = 0; k < 3; k++) this.#shape[weldedOf[v] * 3 + k] = positions[v * 3 + k];
    }
    computeVertexNormals(this.#welded, this.#shape, this.#normals);
    for (let v = 0; v < weldedOf.length; v++) {
      for (let k = 0; k < 3; k++) out[layout.normals + v * 3 + k] = this.#normals[weldedOf[v] * 3 + k];
    }
    for (let i = 0; i < this.#cage.length; i++) {
      for (let k = 0; k < 3; k++) out[layout.cage + i * 3 + k] = between[this.#cage[i] * 3 + k];
    }
  }

  spread(perVertex: Float32Array, out: Float32Array, at: number): void {
    const { corners, weights } = this.#embedding;
    for (let i = 0; i < this.info.vertexCount; i++) {
      let sum = 0;
      for (let k = i * 4; k < i * 4 + 4; k++) sum += weights[k] * perVertex[corners[k]];
      // Vertices outside their tetrahedron would go beyond what there is.
      out[at + i] = Math.max(0, sum);
    }
  }
}

/** Whether a mesh that was repaired still has every vertex the skin hangs on. */
export function canCarry(model: Model, { embedding }: WornSkin): boolean {
  return embedding.corners.every((v) => model.vertexMap[v] >= 0);
}
