/** The body of a layered character as a world sees it: its nodes are the vertices, its skin the surface, and there is nothing inside. */

import type { AnyBodyDef } from '../../body/kinds/any-body-def.js';
import type { Model } from '../../body/model.js';
import { TendonError } from '../../errors.js';
import { buildLayerModel, columnMasses, type LayerModel } from './layer-model.js';

/** A model with what the layered solver needs of it. */
export interface LayeredModel extends Model {
  readonly kind: 'layer';
  readonly layer: LayerModel;
}

/** Builds the model of a body of kind 'layer'. */
export function buildLayeredModel(def: AnyBodyDef, path: string): LayeredModel {
  if (def.kind !== 'layer') {
    throw new TendonError('E_UNKNOWN', `${path}/kind`, def.kind, 'the layered solver builds bodies of kind layer');
  }
  const layer = buildLayerModel(def, path);
  const { nodeCount, positions, triangles, totalMass } = layer;
  const nodes = Int32Array.from({ length: nodeCount }, (_, p) => p);
  const pinned = new Uint8Array(nodeCount);
  for (const node of layer.pins) pinned[node] = 1;
  return {
    kind: 'layer',
    layer,
    name: def.name,
    vertexCount: nodeCount,
    positions,
    masses: columnMasses(layer, totalMass),
    totalMass,
    size: layer.size,
    tetCount: 0,
    tets: new Int32Array(0),
    volumes: new Float64Array(0),
    inverseRest: new Float64Array(0),
    mu: new Float64Array(0),
    lambda: new Float64Array(0),
    weight: new Float64Array(0),
    neoHookean: new Uint8Array(0),
    bones: layer.worldBones,
    joints: layer.joints,
    pinned: pinned,
    surface: { triangles, vertices: nodes },
    interior: undefined,
    vertexMap: nodes,
  };
}
