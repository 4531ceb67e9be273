/** The skin of a character after a step: where its vertices are and which way they face. For whoever shows it. */
import { updateEmbedding } from '../mesh/embedding.js';
import { computeVertexNormals } from '../mesh/surface/surface.js';
import { weldVertices } from '../mesh/surface/triangle-mesh.js';
import type { Character } from './character.js';

/** Vertices of one place whose normals at rest differ by less are smooth together: about 8 degrees, as cosine. */
const SMOOTH = 0.99;

/**
 * Keeps the arrays a viewer needs and refills them without allocating. Edges that are sharp at rest stay sharp; seams of the
 * texture, where vertices only lie twice, do not show.
 */
export class SkinUpdater {
  /** x,y,z per skin vertex [m]. */
  readonly positions: Float32Array;
  /** x,y,z per skin vertex. */
  readonly normals: Float32Array;
  readonly #character: Character;
  /** Vertices that are smooth together have the same number. */
  readonly #groupOf: Int32Array;
  readonly #triangles: Int32Array;
  readonly #groupPositions: Float32Array;
  readonly #groupNormals: Float32Array;

  constructor(character: Character) {
    const { skin } = character;
    this.#character = character;
    this.positions = skin.positions.slice();
    this.normals = skin.normals.slice();
    const { groupOf, count } = groupSmooth(character);
    this.#groupOf = groupOf;
    this.#triangles = Int32Array.from(skin.triangles, (vertex) => groupOf[vertex]);
    this.#groupPositions = new Float32Array(3 * count);
    this.#groupNormals = new Float32Array(3 * count);
  }

  /** Refills both arrays for mesh vertices at `bodyPositions`, as `state.positions` has them. */
  update(bodyPositions: ArrayLike<number>): void {
    updateEmbedding(this.#character.embedding, bodyPositions, this.positions);
    this.#turnNormals();
  }

  /** Refills both arrays for skin vertices at `positions`, however they got there. */
  place(positions: ArrayLike<number>): void {
    this.positions.set(positions);
    this.#turnNormals();
  }

  #turnNormals(): void {
    const { positions, normals } = this;
    const groupOf = this.#groupOf;
    const places = this.#groupPositions;
    for (let v = 0; v < groupOf.length; v++) {
      const g = 3 * groupOf[v];
      places[g] = positions[3 * v];
      places[g + 1] = positions[3 * v + 1];
      places[g + 2] = positions[3 * v + 2];
    }
    const smooth = this.#groupNormals;
    computeVertexNormals(this.#triangles, places, smooth);
    for (let v = 0; v < groupOf.length; v++) {
      const g = 3 * groupOf[v];
      normals[3 * v] = smooth[g];
      normals[3 * v + 1] = smooth[g + 1];
      normals[3 * v + 2] = smooth[g + 2];
    }
  }
}

function groupSmooth({ skin }: Character): { groupOf: Int32Array; count: number } {
  const { vertexOf } = weldVertices(skin.positions, skin.triangles);
  const n = skin.normals;
  // groups at each place, by one of their vertices
  const groupsAt = new Map<number, number[]>();
  const first: number[] = [];
  const groupOf = Int32Array.from(vertexOf, (place, v) => {
    const groups = groupsAt.get(place) ?? [];
    groupsAt.set(place, groups);
    for (const group of groups) {
      const o = 3 * first[group];
      if (n[o] * n[3 * v] + n[o + 1] * n[3 * v + 1] + n[o + 2] * n[3 * v + 2] > SMOOTH) return group;
    }
    first.push(v);
    groups.push(first.length - 1);
    return first.length - 1;
  });
  return { groupOf, count: first.length };
}
