/**
 * Rigid bodies drawn by their poses alone, for worlds of very many: the surface of each part about its centre of mass, made once for all
 * bodies of a model, and nothing per vertex in a picture.
 */
import type { Model } from '../../src/body/model.js';
import type { BoneShape } from './body-info.js';
import type { DrawnSurface } from './drawn-surface.js';
import { buildRenderMesh } from './render-mesh.js';

/** Parts of each model seen so far. */
const KNOWN = new WeakMap<Model, readonly BoneShape[]>();

/** A surface of no vertices: what moves are the parts. */
export const NO_SURFACE: DrawnSurface = {
  info: {
    vertexCount: 0,
    triangles: new Uint32Array(0),
    groups: [],
    uvs: [],
    cageCount: 0,
    edges: new Uint32Array(0),
    rest: new Float32Array(0),
  },
  write() {},
  spread() {},
};

/** The parts of a rigid body as solids; the same array for the same model. */
export function partShapes(model: Model): readonly BoneShape[] {
  const known = KNOWN.get(model) ?? buildParts(model);
  KNOWN.set(model, known);
  return known;
}

function buildParts(model: Model): BoneShape[] {
  const { source, triangles } = buildRenderMesh(model);
  const { bones, positions } = model;
  return bones.names.map((name, bone) => {
    const own = triangles.filter((v, i) => bones.ofVertex[source[triangles[i - (i % 3)]]] === bone && v >= 0);
    const used = [...new Set(own)].sort((a, b) => a - b);
    const place = new Map(used.map((v, i) => [v, i]));
    const points = new Float32Array(used.length * 3);
    used.forEach((v, i) => {
      for (let k = 0; k < 3; k++) points[i * 3 + k] = positions[source[v] * 3 + k] - bones.centre[bone * 3 + k];
    });
    const kinematic = bones.kinematic[bone] === 1;
    return { name, positions: points, triangles: own.map((v) => place.get(v)!), kinematic };
  });
}
