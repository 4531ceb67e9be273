/** The skin of a character as it is drawn: carried by the flesh through the embedding, with normals that follow its shape. */
import type { Model } from '../src/body/model.js';
import type { CharacterSkin } from '../src/character/character.js';
import { type Embedding, embedPoints, updateEmbedding } from '../src/mesh/embedding.js';
import { computeVertexNormals } from '../src/mesh/surface/surface.js';
import type { SurfaceGroup } from './protocol.js';

/** Vertices at one place whose normals differ by more than this are an edge of the shape, not a seam of the texture (cosine). */
const SAME_NORMAL = 0.9;

/** Writes the skin between two states of the body. */
export class SkinSurface {
  readonly vertexCount: number;
  readonly triangles: Uint32Array;
  readonly groups: readonly SurfaceGroup[];
  readonly uvs: readonly Float32Array[];
  readonly #embedding: Embedding;
  readonly #between: Float64Array;
  /** Vertices that share a normal: which group each is in, and the triangles by groups. */
  readonly #groupOf: Int32Array;
  readonly #groupTriangles: Int32Array;
  readonly #groupPositions: Float32Array;
  readonly #groupNormals: Float32Array;

  constructor(skin: CharacterSkin, embedding: Embedding, model: Model) {
    this.vertexCount = skin.positions.length / 3;
    this.triangles = skin.triangles;
    this.groups = skin.surfaces.map(({ indexStart, indexCount, material }) => {
      return { start: indexStart, count: indexCount, ...(material !== undefined && { material }) };
    });
    this.uvs = joinUvs(skin, this.vertexCount);
    this.#embedding = embeddingOf(model, skin, embedding);
    this.#between = new Float64Array(model.vertexCount * 3);
    const { groupOf, count } = groupNormals(skin);
    this.#groupOf = groupOf;
    this.#groupTriangles = Int32Array.from(skin.triangles, (vertex) => groupOf[vertex]);
    this.#groupPositions = new Float32Array(3 * count);
    this.#groupNormals = new Float32Array(3 * count);
  }

  /** Writes positions `phase` of the way from `before` to `after`, and normals, at their offsets in `out`. No allocation. */
  write(
    before: Float64Array,
    after: Float64Array,
    phase: number,
    out: Float32Array,
    positionsAt: number,
    normalsAt: number,
  ): void {
    const between = this.#between;
    for (let i = 0; i < between.length; i++) between[i] = before[i] + phase * (after[i] - before[i]);
    const length = 3 * this.vertexCount;
    const positions = out.subarray(positionsAt, positionsAt + length);
    updateEmbedding(this.#embedding, between, positions);
    const groupOf = this.#groupOf;
    const shape = this.#groupPositions;
    const normals = this.#groupNormals;
    for (let v = 0, i = 0; v < groupOf.length; v++, i += 3) {
      const g = 3 * groupOf[v];
      shape[g] = positions[i];
      shape[g + 1] = positions[i + 1];
      shape[g + 2] = positions[i + 2];
    }
    computeVertexNormals(this.#groupTriangles, shape, normals);
    for (let v = 0, o = normalsAt; v < groupOf.length; v++, o += 3) {
      const g = 3 * groupOf[v];
      out[o] = normals[g];
      out[o + 1] = normals[g + 1];
      out[o + 2] = normals[g + 2];
    }
  }
}

/** The embedding in the model's vertices; made again where the model left out some that the skin is bound to. */
function embeddingOf(model: Model, skin: CharacterSkin, { corners, weights }: Embedding): Embedding {
  const { vertexMap } = model;
  const mapped = corners.map((vertex) => vertexMap[vertex]);
  return mapped.includes(-1) ? embedPoints(model, skin.positions) : { corners: mapped, weights };
}

/** Texture coordinates of all pieces in one array per set; zero where a piece has none. */
function joinUvs({ surfaces }: CharacterSkin, vertexCount: number): Float32Array[] {
  const sets = Math.max(0, ...surfaces.map(({ uvs }) => uvs.length));
  return Array.from({ length: sets }, (_, set) => {
    const joined = new Float32Array(2 * vertexCount);
    for (const { vertexStart, uvs } of surfaces) if (uvs[set]) joined.set(uvs[set], 2 * vertexStart);
    return joined;
  });
}

/** Numbers groups of vertices that lie at one place and face the same way. */
function groupNormals({ positions, normals }: CharacterSkin): { groupOf: Int32Array; count: number } {
  const at = new Map<string, number[]>();
  const groupOf = new Int32Array(positions.length / 3);
  let count = 0;
  for (let v = 0; v < groupOf.length; v++) {
    const i = 3 * v;
    const key = `${positions[i]},${positions[i + 1]},${positions[i + 2]}`;
    const here = at.get(key) ?? [];
    const twin = here.find((u) => {
      const j = 3 * u;
      return normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2] > SAME_NORMAL;
    });
    groupOf[v] = twin === undefined ? count++ : groupOf[twin];
    if (twin === undefined) at.set(key, [...here, v]);
  }
  return { groupOf, count };
}
