/** A body cut open: the tetrahedra of its far half, as faces, for the overlay that shows the mesh inside. */
import type { Model } from '../../src/body/model.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';
import type { CutShape } from './scene-info.js';

/** Where scenes are first seen from, level: the half on this side is taken away. */
const TOWARDS: readonly [number, number] = [0.387, 0.922];

/** Half of one body, the same tets however it moves on. */
export class CutMesh {
  /** Vertex of each corner of the faces. */
  readonly #corners: Int32Array;
  readonly #bone: Uint8Array;

  /** Cuts the body through its middle as it is now. */
  constructor(model: Model, positions: Float64Array) {
    const { tets, bones } = model;
    const near = (v: number) => TOWARDS[0] * positions[v * 3] + TOWARDS[1] * positions[v * 3 + 2];
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let v = 0; v < model.vertexCount; v++) {
      low = Math.min(low, near(v));
      high = Math.max(high, near(v));
    }
    const kept: number[] = [];
    for (let t = 0; t < tets.length; t += 4) {
      const corners = tets.subarray(t, t + 4);
      if (corners.reduce((sum, v) => sum + near(v), 0) < 2 * (low + high)) kept.push(...corners);
    }
    const { triangles, vertices } = extractSurface({ positions, tets: Int32Array.from(kept) });
    this.#corners = Int32Array.from(triangles, (v) => vertices[v]);
    this.#bone = Uint8Array.from({ length: triangles.length / 3 }, (_, face) => {
      return [0, 1, 2].every((k) => bones.ofVertex[this.#corners[face * 3 + k]] >= 0) ? 1 : 0;
    });
  }

  /** The faces as they are now. */
  shape(positions: Float64Array): CutShape {
    const corners = new Float32Array(this.#corners.length * 3);
    this.#corners.forEach((vertex, i) => {
      for (let k = 0; k < 3; k++) corners[i * 3 + k] = positions[vertex * 3 + k];
    });
    return { corners, bone: this.#bone };
  }
}
