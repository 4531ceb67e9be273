/** The body of a layered character as a world sees it: its nodes are the vertices, its skin the surface, and there is nothing inside. */

import type { JointDef } from '../../body/body-def.js';
import type { Bones } from '../../body/bones.js';
import { buildJoints } from '../../body/joints/joints.js';
import type { AnyBodyDef } from '../../body/kinds/any-body-def.js';
import type { LayerDef } from '../../body/kinds/layer-def.js';
import type { Model } from '../../body/model.js';
import { TendonError } from '../../errors.js';
import { buildLayerModel, type LayerModel } from './layer-model.js';

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
  const { nodeCount, positions, triangles, areas, depths, totalMass } = layer;
  let columns = 0;
  for (let p = 0; p < nodeCount; p++) columns += areas[p] * depths[p];
  const nodes = Int32Array.from({ length: nodeCount }, (_, p) => p);
  const bones = bonesOf(layer);
  return {
    kind: 'layer',
    layer,
    name: def.name,
    vertexCount: nodeCount,
    positions,
    masses: Float64Array.from(nodes, (p) => (totalMass * areas[p] * depths[p]) / columns),
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
    bones,
    joints: buildJoints(jointsOf(def), bones, `${path}/bones`),
    pinned: new Uint8Array(nodeCount),
    surface: { triangles, vertices: nodes },
    interior: undefined,
    vertexMap: nodes,
  };
}

/** Bones that carry no vertex alone: every node is carried by several. */
function bonesOf({ bones, nodeCount }: LayerModel): Bones {
  const { count, names, mass, centre, inertia, kinematic } = bones;
  const secondMoment = new Float64Array(9 * count);
  for (let bone = 0; bone < count; bone++) {
    const o = 9 * bone;
    const half = (inertia[o] + inertia[o + 4] + inertia[o + 8]) / 2;
    for (let k = 0; k < 9; k++) secondMoment[o + k] = (k % 4 === 0 ? half : 0) - inertia[o + k];
  }
  return {
    count,
    names,
    vertexStart: new Int32Array(count + 1),
    vertices: new Int32Array(0),
    ofVertex: new Int32Array(nodeCount).fill(-1),
    mass,
    centre,
    secondMoment,
    rank: new Uint8Array(count).fill(3),
    kinematic,
  };
}

/** Joints between bones and their parents, for whoever asks for them by name. */
function jointsOf({ bones }: LayerDef): JointDef[] {
  return bones.flatMap(({ name, parent, place, joint, axis, secondAxis }) =>
    parent < 0
      ? []
      : [{ name, type: joint ?? 'ball', bones: [bones[parent].name, name], anchor: place, axis, secondAxis }],
  );
}
