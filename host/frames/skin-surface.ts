/** The skin of a character as it is drawn: carried by the flesh through the embedding, with normals that follow its shape. */
import type { Model } from '../../src/body/model.js';
import type { Character, CharacterSkin } from '../../src/character/character.js';
import { MorphedEmbedding } from '../../src/character/skin-morphs.js';
import { type Embedding, embedPoints, updateEmbedding } from '../../src/mesh/embedding.js';
import { computeVertexNormals } from '../../src/mesh/surface/surface.js';
import { type DrawnSurface, findEdges, type SurfaceInfo } from './drawn-surface.js';
import type { BodyLayout } from './frame-layout.js';

/** A surface that a body wears, and what carries it. */
export type WornSkin = Pick<Character, 'skin' | 'embedding'>;

/** Vertices at one place whose normals differ by more than this are an edge of the shape, not a seam of the texture (cosine). */
const SAME_NORMAL = 0.9;

/** Writes the skin between two states of the body. */
export class SkinSurface implements DrawnSurface {
  readonly info: SurfaceInfo;
  readonly morphs: MorphedEmbedding | undefined;
  readonly #embedding: Embedding;
  /** Vertices of the mesh's surface that are written too. */
  readonly #cage: Int32Array;
  readonly #between: Float64Array;
  /** Vertices that share a normal: which group each is in, and the triangles by groups. */
  readonly #groupOf: Int32Array;
  readonly #groupTriangles: Int32Array;
  readonly #groupPositions: Float32Array;
  readonly #groupNormals: Float32Array;

  /** `caged`: the surface of the mesh that carries the skin is written too. */
  constructor({ skin, embedding }: WornSkin, model: Model, caged: boolean) {
    const vertexCount = skin.positions.length / 3;
    const groups = skin.surfaces.map(({ indexStart: start, indexCount: count, material, flat }) => {
      return { start, count, ...(material !== undefined && { material }), ...(flat && { flat }) };
    });
    const names = skin.morphs?.map(({ name }) => name);
    const colours = joinColours(skin, vertexCount);
    const cage = caged ? model.surface : undefined;
    this.#cage = cage?.vertices ?? new Int32Array(0);
    this.info = {
      vertexCount,
      triangles: skin.triangles,
      groups: groups.length > 0 ? groups : [{ start: 0, count: skin.triangles.length }],
      uvs: joinUvs(skin, vertexCount),
      ...(colours && { colours }),
      ...(names && { morphs: names }),
      cageCount: this.#cage.length,
      edges: findEdges(cage?.triangles ?? []),
      rest: skin.positions,
    };
    const carried = embeddingOf(model, skin, embedding);
    this.morphs = skin.morphs && new MorphedEmbedding(carried, model.positions, skin.morphs);
    this.#embedding = this.morphs?.embedding ?? carried;
    this.#between = new Float64Array(model.vertexCount * 3);
    const { groupOf, count } = groupNormals(skin);
    this.#groupOf = groupOf;
    this.#groupTriangles = Int32Array.from(skin.triangles, (vertex) => groupOf[vertex]);
    this.#groupPositions = new Float32Array(3 * count);
    this.#groupNormals = new Float32Array(3 * count);
  }

  /** Writes positions `phase` of the way from `before` to `after`, and normals. No allocation that grows. */
  write(before: Float64Array, after: Float64Array, phase: number, out: Float32Array, layout: BodyLayout): void {
    const between = this.#between;
    for (let i = 0; i < between.length; i++) between[i] = before[i] + phase * (after[i] - before[i]);
    const positions = out.subarray(layout.positions, layout.positions + 3 * this.info.vertexCount);
    updateEmbedding(this.#embedding, between, positions);
    this.#writeNormals(positions, out, layout.normals);
    for (let i = 0, o = layout.cage; i < this.#cage.length; i++) {
      const v = 3 * this.#cage[i];
      for (let k = 0; k < 3; k++) out[o++] = between[v + k];
    }
  }

  spread(perVertex: Float32Array, out: Float32Array, at: number): void {
    const { corners, weights } = this.#embedding;
    for (let i = 0; i < this.info.vertexCount; i++) {
      let sum = 0;
      for (let k = i * 4; k < i * 4 + 4; k++) sum += weights[k] * perVertex[corners[k]];
      // vertices outside their tetrahedron would go beyond what there is
      out[at + i] = Math.max(0, sum);
    }
  }

  #writeNormals(positions: Float32Array, out: Float32Array, at: number): void {
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
    for (let v = 0, o = at; v < groupOf.length; v++, o += 3) {
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

/** Colours of all pieces in one array, white where a piece has none; undefined where none has. */
function joinColours({ surfaces }: CharacterSkin, vertexCount: number): Float32Array | undefined {
  if (surfaces.every(({ colours }) => colours === undefined)) return undefined;
  const joined = new Float32Array(4 * vertexCount).fill(1);
  for (const { vertexStart, colours } of surfaces) if (colours) joined.set(colours, 4 * vertexStart);
  return joined;
}

/** Numbers groups of vertices that lie at one place and face the same way. */
function groupNormals({ positions, normals }: CharacterSkin): { groupOf: Int32Array; count: number } {
  // a skin without normals has none that differ
  const smooth = normals.every((value) => value === 0);
  const at = new Map<string, number[]>();
  const groupOf = new Int32Array(positions.length / 3);
  let count = 0;
  for (let v = 0; v < groupOf.length; v++) {
    const i = 3 * v;
    const key = `${positions[i]},${positions[i + 1]},${positions[i + 2]}`;
    const here = at.get(key) ?? [];
    const twin = here.find((u) => {
      const j = 3 * u;
      const cosine = normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2];
      return smooth || cosine > SAME_NORMAL;
    });
    groupOf[v] = twin === undefined ? count++ : groupOf[twin];
    if (twin === undefined) at.set(key, [...here, v]);
  }
  return { groupOf, count };
}
