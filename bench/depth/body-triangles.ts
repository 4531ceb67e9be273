/** The surface of a body as its tets say it, for measures that are to know nothing of what finds contacts. */
import type { Model } from '../../src/body/model.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';

const known = new WeakMap<Model, Int32Array>();

/** The surface of a model, three vertices of it per triangle. */
export function trianglesOf(model: Model): Int32Array {
  let triangles = known.get(model);
  if (!triangles) {
    const surface = extractSurface(model);
    triangles = Int32Array.from(surface.triangles, (i) => surface.vertices[i]);
    known.set(model, triangles);
  }
  return triangles;
}
