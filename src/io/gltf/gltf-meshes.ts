/** Meshes of a glTF: triangles with their attributes. Part of `readGltf`. */
import { TendonError } from '../../errors.js';
import type { IoLimits } from '../text/io-limits.js';
import { failAt, type JsonPlace, listObjects, optionalObject, textOf, wholeOf } from '../text/json-fields.js';
import type { AccessorSlot, AccessorTable } from './gltf-accessors.js';
import { unsupported } from './gltf-buffers.js';
import type { GltfMesh, GltfModel, GltfPrimitive } from './gltf-model.js';
import { makeShapes, planShapes, readTargets, type ShapePlan } from './gltf-shapes.js';
import { fansToTriangles, stripsToTriangles } from './gltf-topology.js';

/** What the parts of the reader share. */
export interface GltfContext {
  readonly root: JsonPlace;
  readonly accessors: AccessorTable;
  readonly limits: Required<IoLimits>;
  readonly warnings: string[];
}

/** Decoded accessors by slot. */
export type Numbers = readonly (Float32Array | Uint8Array | Uint16Array | Uint32Array)[];

interface PrimitivePlan {
  readonly pointer: string;
  readonly mode: number;
  readonly positions: AccessorSlot;
  readonly normals?: AccessorSlot;
  readonly uvs: readonly AccessorSlot[];
  readonly joints: readonly AccessorSlot[];
  readonly weights: readonly AccessorSlot[];
  readonly indices?: AccessorSlot;
  readonly material?: number;
  readonly shapes: ShapePlan;
}

/** What all parts together would take. */
interface Budget {
  vertices: number;
  elements: number;
  influences: number;
}

const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** Checks every mesh; the function returned makes them from the decoded numbers. */
export function readMeshes(context: GltfContext): (numbers: Numbers, materialCount: number) => GltfMesh[] {
  const budget: Budget = { vertices: 0, elements: 0, influences: 0 };
  const plans = listObjects(context.root, 'meshes').map((from) => ({
    name: textOf(from, 'name'),
    targets: readTargets(from),
    primitives: listObjects(from, 'primitives').flatMap((part) => planPrimitive(part, context, budget)),
  }));
  return (numbers, materialCount) =>
    plans.map(({ name, targets, primitives }) => ({
      name,
      ...targets,
      primitives: primitives.map((plan) => makePrimitive(plan, numbers, materialCount, context.warnings)),
    }));
}

/** Throws unless every influence of a skinned mesh points at a joint of the skin it is used with. */
export function requireJointsInSkins({ nodes, meshes, skins }: Pick<GltfModel, 'nodes' | 'meshes' | 'skins'>): void {
  const seen = new Set<string>();
  for (const node of nodes) {
    if (node.mesh === undefined || node.skin === undefined || seen.has(`${node.mesh} ${node.skin}`)) continue;
    seen.add(`${node.mesh} ${node.skin}`);
    const jointCount = skins[node.skin].joints.length;
    for (const [i, primitive] of meshes[node.mesh].primitives.entries()) {
      const bad = primitive.joints?.findIndex((joint) => joint >= jointCount) ?? -1;
      if (bad < 0) continue;
      const place = `/meshes/${node.mesh}/primitives/${i}/attributes/JOINTS_0`;
      throw new TendonError('E_INDEX', place, primitive.joints![bad], `the skin has ${jointCount} joints`);
    }
  }
}

function planPrimitive(from: JsonPlace, context: GltfContext, budget: Budget): PrimitivePlan[] {
  const { accessors, limits, warnings } = context;
  const mode = wholeOf(from, 'mode', TRIANGLES);
  if (mode > FAN) failAt(`${from.pointer}/mode`, mode, 'the mode must be from 0 to 6', 'E_RANGE');
  if (mode < TRIANGLES) {
    warnings.push(`${from.pointer}: points and lines are left out`);
    return [];
  }
  const attributes = optionalObject(from, 'attributes');
  if (attributes?.object.POSITION === undefined) {
    warnings.push(`${from.pointer}: a part without positions is left out`);
    return [];
  }
  const draco = optionalObject(from, 'extensions')?.object.KHR_draco_mesh_compression;
  if (draco !== undefined)
    failAt(from.pointer, 'KHR_draco_mesh_compression', unsupported('KHR_draco_mesh_compression'));
  const at = (name: string) => `${attributes.pointer}/${name}`;
  const read = (name: string, type: 'VEC2' | 'VEC3' | 'VEC4', whole = false) =>
    accessors.use(attributes.object[name], at(name), { type, whole, maxCount: limits.maxVertices, count });
  let count: number | undefined;
  const positions = read('POSITION', 'VEC3');
  count = positions.count;
  const sets = (name: string, type: 'VEC2' | 'VEC4', whole = false): AccessorSlot[] => {
    const slots: AccessorSlot[] = [];
    while (attributes.object[`${name}_${slots.length}`] !== undefined) {
      slots.push(read(`${name}_${slots.length}`, type, whole));
    }
    return slots;
  };
  const joints = sets('JOINTS', 'VEC4', true);
  const weights = sets('WEIGHTS', 'VEC4');
  if (joints.length !== weights.length) failAt(attributes.pointer, joints.length, 'every joint set needs its weights');
  const indices =
    from.object.indices === undefined
      ? undefined
      : accessors.use(from.object.indices, `${from.pointer}/indices`, {
          type: 'SCALAR',
          whole: true,
          maxCount: 3 * limits.maxElements,
        });
  const cornerCount = indices?.count ?? count;
  budget.vertices += count;
  budget.influences += 4 * joints.length * count;
  budget.elements += mode === TRIANGLES ? Math.floor(cornerCount / 3) : cornerCount;
  // Parts may share accessors, so a small file can describe much more than it holds.
  if (budget.vertices > limits.maxVertices) failAt(from.pointer, budget.vertices, 'too many vertices', 'E_RANGE');
  if (budget.influences > 8 * limits.maxVertices)
    failAt(from.pointer, budget.influences, 'too many weights', 'E_RANGE');
  if (budget.elements > limits.maxElements) failAt(from.pointer, budget.elements, 'too many triangles', 'E_RANGE');
  const normals = attributes.object.NORMAL === undefined ? undefined : read('NORMAL', 'VEC3');
  const material = from.object.material === undefined ? undefined : wholeOf(from, 'material');
  const uvs = sets('TEXCOORD', 'VEC2');
  const shapes = planShapes(from, attributes, count, context);
  return [{ pointer: from.pointer, mode, positions, normals, uvs, joints, weights, indices, material, shapes }];
}

function makePrimitive(
  plan: PrimitivePlan,
  numbers: Numbers,
  materialCount: number,
  warnings: string[],
): GltfPrimitive {
  const { pointer, mode, material } = plan;
  const positions = toFloats(numbers[plan.positions.slot]);
  requireFinite(positions, `${pointer}/attributes/POSITION`);
  const corners = toCorners(plan, numbers);
  if (mode === TRIANGLES && corners.length % 3 !== 0) {
    failAt(pointer, corners.length, 'triangles need three corners each');
  }
  const indices = mode === STRIP ? stripsToTriangles(corners) : mode === FAN ? fansToTriangles(corners) : corners;
  const decoration = (slot: AccessorSlot, name: string): Float32Array => {
    const values = toFloats(numbers[slot.slot]);
    if (values.every(Number.isFinite)) return values;
    warnings.push(`${pointer}/attributes/${name}: numbers that are not finite were set to 0`);
    return values.map((value) => (Number.isFinite(value) ? value : 0));
  };
  if (material !== undefined && material >= materialCount) {
    failAt(`${pointer}/material`, material, `there are only ${materialCount} to point at`, 'E_INDEX');
  }
  return {
    positions,
    indices,
    ...(plan.normals ? { normals: decoration(plan.normals, 'NORMAL') } : { flat: true }),
    uvs: plan.uvs.map((slot, i) => decoration(slot, `TEXCOORD_${i}`)),
    ...makeInfluences(plan, numbers),
    ...makeShapes(plan.shapes, plan.positions.count, numbers),
    ...(material !== undefined && { material }),
  };
}

/** Joint sets side by side, with joints of no weight set to 0: exporters leave any number there. */
function makeInfluences(
  plan: PrimitivePlan,
  numbers: Numbers,
): Pick<GltfPrimitive, 'influenceCount' | 'joints' | 'weights'> {
  const influenceCount = 4 * plan.joints.length;
  if (influenceCount === 0) return { influenceCount };
  const vertexCount = plan.positions.count;
  const joints = new Uint16Array(vertexCount * influenceCount);
  const weights = new Float32Array(vertexCount * influenceCount);
  for (let set = 0; set < plan.joints.length; set++) {
    const jointSet = numbers[plan.joints[set].slot];
    const weightSet = toFloats(numbers[plan.weights[set].slot]);
    const place = `${plan.pointer}/attributes/WEIGHTS_${set}`;
    for (let i = 0; i < weightSet.length; i++) {
      // Rounding in exporters leaves weights a hair below 0.
      const weight = weightSet[i] < 0 && weightSet[i] > -1e-3 ? 0 : weightSet[i];
      if (!Number.isFinite(weight)) failAt(`${place}/${i}`, weight, 'every weight must be finite', 'E_NOT_FINITE');
      if (weight < 0) failAt(`${place}/${i}`, weight, 'a weight must not be negative', 'E_RANGE');
      const to = (i >> 2) * influenceCount + 4 * set + (i & 3);
      weights[to] = weight;
      joints[to] = weight === 0 ? 0 : Math.min(jointSet[i], 65535);
    }
  }
  return { influenceCount, joints, weights };
}

function toCorners(plan: PrimitivePlan, numbers: Numbers): Uint32Array {
  const vertexCount = plan.positions.count;
  if (plan.indices === undefined) return Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const corners = Uint32Array.from(numbers[plan.indices.slot]);
  for (let i = 0; i < corners.length; i++) {
    if (corners[i] < vertexCount) continue;
    failAt(`${plan.pointer}/indices/${i}`, corners[i], `the mesh has ${vertexCount} vertices`, 'E_INDEX');
  }
  return corners;
}

function toFloats(values: Numbers[number]): Float32Array {
  return values instanceof Float32Array ? values : Float32Array.from(values);
}

function requireFinite(values: Float32Array, place: string): void {
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) failAt(`${place}/${bad}`, values[bad], 'every number must be finite', 'E_NOT_FINITE');
}
