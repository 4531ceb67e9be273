/**
 * A skinned character as the layered solver sees it, shared by all that look the same: nodes with weights, the soft layer and the
 * columns of its compliance, bones with masses, groups of nodes for detection. Frozen but for the columns, which are found on first touch.
 */

import type { MaterialDef } from '../../body/body-def.js';
import type { Bones } from '../../body/bones.js';
import type { Joints } from '../../body/joints/joints.js';
import type { LayerDef } from '../../body/kinds/layer-def.js';
import { lameOf, MATERIALS } from '../../body/materials.js';
import { requireFinite, requireInRange, TendonError } from '../../errors.js';
import type { SparseMatrix } from '../../linalg/sparse.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { type CarriedSkin, signedVolume, weighBones } from './bones/bone-masses.js';
import { bonePlaces, buildLayerBones, type LayerBones } from './bones/layer-bones.js';
import { describeBones, describeJoints } from './joints/describe-joints.js';
import { BulgingCompliance } from './skin/bulging-compliance.js';
import { bulgingMatrix } from './skin/bulging-matrix.js';
import { type Compliance, SkinCompliance } from './skin/skin-compliance.js';
import { nodeNormals, skinDepths } from './skin/skin-depth.js';
import { layerModulus, nodeAreas, skinMatrix } from './skin/skin-matrix.js';
import { findModes, type WobbleModes } from './skin/wobble-modes.js';
import { chooseNodes } from './touch/choose-nodes.js';
import { RestLookup } from './touch/lookup/rest-lookup.js';
import { clusterNodes, groupsApart, MEETING_GROUP, type NodeClusters, OBSTACLE_GROUP } from './touch/node-clusters.js';
import type { NodePatches } from './touch/node-patches.js';

/** Bones per node. */
export const OWNERS = 4;
/** Time in which a dent left alone goes back to a third [s]. */
const RELAXATION = 0.03;
/** Modes of flesh that wobbles, and the most there may be. */
const MODES = 8;
const MOST_MODES = 64;
/** Weights that miss 1 by more than this are wrong, not rounded. */
const WEIGHT_TOLERANCE = 1e-3;

/** A skin with less than minus this share of its area to the power 1.5 inside (a ball has 0.09) is inside out; open ones have any sign. */
const INSIDE_OUT = 0.005;

/** A model. */
export interface LayerModel extends CarriedSkin {
  readonly name: string;
  readonly nodeCount: number;
  /** Largest extent at rest [m]. */
  readonly size: number;
  readonly totalMass: number;
  /** Deepest soft layer [m]. */
  readonly deepest: number;
  readonly bones: LayerBones;
  /** The same bones, and their joints with limits and motors, as the world knows them. */
  readonly worldBones: Bones;
  readonly joints: Joints;
  readonly compliance: Compliance;
  /** Whether it bulges beside dents: compliance by 3 x 3 blocks. */
  readonly bulges: boolean;
  /** K, the stiffness of the skin [N/m]. */
  readonly stiffness: SparseMatrix;
  /** Nodes that can touch obstacles. */
  readonly clusters: NodeClusters;
  /** Nodes that can touch other characters, fewer, with spheres around all of the skin of each bone; and the skin each stands for. */
  readonly meetings: NodeClusters;
  readonly meetingPatches: NodePatches;
  /** The node that can touch which stands for each. */
  readonly standIn: Int32Array;
  /** Nearest nodes to places in the rest shape. */
  readonly lookup: RestLookup;
  /** For every two groups of `meetings` 1 where they may touch each other. */
  readonly apart: Uint8Array;
  /** Mean depth of the skin of each bone [m]: of two that touch, the thinner one's nodes are tested. */
  readonly boneDepth: Float64Array;
  /** [s] */
  readonly relaxation: number;
  /** Slow modes of the skin, where it wobbles. */
  readonly modes: WobbleModes | undefined;
  /** Nodes that are held. */
  readonly pins: Int32Array;
}

/** Checks a description and builds its model. */
export function buildLayerModel(def: LayerDef, path = `bodies/${def.name}`): LayerModel {
  const { positions, triangles } = checkSurface(def, path);
  const places = bonePlaces(def.bones, `${path}/bones`);
  const { owners, weights } = checkWeights(def, path);
  const material = def.material ?? MATERIALS.muscle;
  const normals = nodeNormals({ positions, triangles });
  const areas = nodeAreas({ positions, triangles });
  const depths = givenDepths(def, path) ?? skinDepths({ positions, triangles }, normals);
  const skin = { positions, triangles, normals, areas, depths, owners, weights };
  const lame = lameOf(material, `${path}/material`);
  const bones = buildLayerBones(def.bones, weighBones(skin, places, material.density), `${path}/bones`);
  const worldBones = describeBones(bones, areas.length);
  const chosen = chooseNodes(def, skin, path);
  const { touching, meeting, canTouch, pins, links, patches, meetingPatches } = chosen;
  const meetings = clusterNodes(skin, meeting, bones.count, MEETING_GROUP, chosen.all);
  const stiffness = skinMatrix({ positions, triangles }, areas, depths, layerModulus(lame));
  const compliance = new SkinCompliance(stiffness, canTouch, patches, meetingPatches);
  const bulging = def.bulges
    ? new BulgingCompliance(bulgingMatrix(skin, areas, depths, lame), canTouch, patches, meetingPatches)
    : undefined;
  const solve = (right: Float64Array, out: Float64Array) => compliance.solve(right, out);
  const totalMass = bones.mass.reduce((sum, mass) => sum + mass, 0);
  const modeCount = countModes(def, material, path);
  return {
    ...skin,
    name: def.name,
    nodeCount: areas.length,
    size: largestExtent(positions),
    totalMass,
    deepest: depths.reduce((most, depth) => Math.max(most, depth), 0),
    bones,
    worldBones,
    joints: describeJoints(def.bones, worldBones, `${path}/bones`),
    stiffness,
    compliance: bulging ?? compliance,
    bulges: bulging !== undefined,
    modes:
      modeCount > 0 ? findModes(modeCount, stiffness, solve, columnMasses(skin, totalMass), skin, bones) : undefined,
    clusters: clusterNodes(skin, touching, bones.count, OBSTACLE_GROUP),
    meetings,
    meetingPatches,
    standIn: patches.standIn,
    lookup: new RestLookup({ positions, triangles }, links),
    apart: groupsApart(meetings),
    boneDepth: meanDepths(skin, bones.count),
    pins,
    relaxation: requireInRange(def.relaxation ?? RELAXATION, 0, 10, `${path}/relaxation`),
  };
}

function countModes({ wobble }: LayerDef, material: MaterialDef, path: string): number {
  const isFat = material.youngModulus <= MATERIALS.fat.youngModulus;
  if (typeof wobble === 'number') return requireInRange(wobble, 0, MOST_MODES, `${path}/wobble`);
  return (wobble ?? isFat) ? MODES : 0;
}

/** Flesh each node stands for: the whole by area and depth [kg]. */
export function columnMasses({ areas, depths }: CarriedSkin, totalMass: number): Float64Array {
  let columns = 0;
  for (let p = 0; p < areas.length; p++) columns += areas[p] * depths[p];
  return areas.map((area, p) => (totalMass * area * depths[p]) / columns);
}

function meanDepths({ owners, depths }: CarriedSkin, boneCount: number): Float64Array {
  const sums = new Float64Array(boneCount);
  const counts = new Float64Array(boneCount);
  for (let p = 0; p < depths.length; p++) {
    sums[owners[OWNERS * p]] += depths[p];
    counts[owners[OWNERS * p]]++;
  }
  return sums.map((sum, bone) => (counts[bone] > 0 ? sum / counts[bone] : 0));
}

function checkSurface(def: LayerDef, path: string): { positions: Float64Array; triangles: Int32Array } {
  const { positions, triangles } = def;
  const nodeCount = positions.length / 3;
  if (triangles.length === 0) throw new TendonError('E_EMPTY', `${path}/triangles`, 0, 'a skin needs triangles');
  requireFinite(positions, `${path}/positions`);
  triangles.forEach((node, i) => {
    if (node < 0 || node >= nodeCount) {
      throw new TendonError('E_INDEX', `${path}/triangles/${i}`, node, `there are ${nodeCount} nodes`);
    }
  });
  if (!(largestExtent(positions) > 0)) {
    throw new TendonError('E_SURFACE', `${path}/positions`, 0, 'the skin has no extent');
  }
  const surface = { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
  const area = nodeAreas(surface).reduce((sum, part) => sum + part, 0);
  const volume = signedVolume(surface);
  if (volume < -INSIDE_OUT * area * Math.sqrt(area)) {
    throw new TendonError('E_SURFACE', `${path}/triangles`, volume, 'the skin is inside out: turn its triangles round');
  }
  return surface;
}

/** Owners sorted by weight, heaviest first, weights adding up to 1. */
function checkWeights(def: LayerDef, path: string): { owners: Int32Array; weights: Float64Array } {
  const nodeCount = def.positions.length / 3;
  if (def.owners.length !== OWNERS * nodeCount || def.weights.length !== OWNERS * nodeCount) {
    throw new TendonError('E_RANGE', `${path}/weights`, def.weights.length, `four per node, ${OWNERS * nodeCount}`);
  }
  const owners = new Int32Array(OWNERS * nodeCount);
  const weights = new Float64Array(OWNERS * nodeCount);
  for (let p = 0; p < nodeCount; p++) {
    const pairs: { owner: number; weight: number }[] = [];
    for (let i = OWNERS * p; i < OWNERS * p + OWNERS; i++) {
      const [owner, weight] = [def.owners[i], def.weights[i]];
      requireInRange(weight, 0, 1 + WEIGHT_TOLERANCE, `${path}/weights/${i}`);
      if (weight > 0 && !(Number.isInteger(owner) && owner >= 0 && owner < def.bones.length)) {
        throw new TendonError('E_INDEX', `${path}/owners/${i}`, owner, `there are ${def.bones.length} bones`);
      }
      if (weight > 0) pairs.push({ owner, weight });
    }
    const sum = pairs.reduce((total, { weight }) => total + weight, 0);
    if (Math.abs(sum - 1) > WEIGHT_TOLERANCE) {
      throw new TendonError('E_RANGE', `${path}/weights/${OWNERS * p}`, sum, 'the weights of a node add up to 1');
    }
    pairs.sort((a, b) => b.weight - a.weight || a.owner - b.owner);
    owners.fill(pairs[0].owner, OWNERS * p, OWNERS * p + OWNERS);
    pairs.forEach(({ owner, weight }, k) => {
      owners[OWNERS * p + k] = owner;
      weights[OWNERS * p + k] = weight / sum;
    });
  }
  return { owners, weights };
}

function givenDepths({ depth, positions }: LayerDef, path: string): Float64Array | undefined {
  if (depth === undefined) return undefined;
  const nodeCount = positions.length / 3;
  const depths = typeof depth === 'number' ? new Float64Array(nodeCount).fill(depth) : Float64Array.from(depth);
  if (depths.length !== nodeCount) {
    throw new TendonError('E_RANGE', `${path}/depth`, depths.length, `one per node, ${nodeCount}`);
  }
  for (let p = 0; p < nodeCount; p++) requireInRange(depths[p], 1e-9, 1e3, `${path}/depth/${p}`);
  return depths;
}
