/** What a part of a mesh has beyond its triangles: colours of vertices, morph targets, vertex groups. Part of `readMeshes`. */
import { TendonError } from '../../errors.js';
import { type JsonPlace, listObjects, optionalObject } from '../text/json-fields.js';
import type { AccessorSlot } from './gltf-accessors.js';
import type { GltfContext, Numbers } from './gltf-meshes.js';
import type { GltfMesh, GltfPrimitive, JsonValue } from './gltf-model.js';

/** Where these numbers will be found. */
export interface ShapePlan {
  readonly colours?: AccessorSlot & { readonly width: 3 | 4 };
  /** One per morph target; undefined for one that moves nothing. */
  readonly targets: readonly (AccessorSlot | undefined)[];
  readonly groups: readonly (readonly [name: string, slot: AccessorSlot])[];
}

/** Looks colours and targets of a part up. What cannot be used is decoration: it is left out with a warning. */
export function planShapes(from: JsonPlace, attributes: JsonPlace, count: number, context: GltfContext): ShapePlan {
  const { accessors, limits, warnings } = context;
  const lookUp = (value: JsonValue, pointer: string, type: 'SCALAR' | 'VEC3' | 'VEC4'): AccessorSlot | undefined => {
    try {
      return accessors.use(value, pointer, { type, maxCount: limits.maxVertices, count });
    } catch (error) {
      if (!(error instanceof TendonError)) throw error;
      warnings.push(`${pointer}: left out (${error.message})`);
      return undefined;
    }
  };
  const targets = listObjects(from, 'targets').map(({ object, pointer }) =>
    object.POSITION === undefined ? undefined : lookUp(object.POSITION, `${pointer}/POSITION`, 'VEC3'),
  );
  const scalars = listObjects(context.root, 'accessors').map(({ object }) => object.type === 'SCALAR');
  const groups = Object.entries(attributes.object).flatMap(([name, value]): [string, AccessorSlot][] => {
    if (!name.startsWith('_') || !scalars[Number(value)]) return [];
    const slot = lookUp(value, `${attributes.pointer}/${name}`, 'SCALAR');
    return slot ? [[name.slice(1), slot]] : [];
  });
  const given = attributes.object.COLOR_0;
  if (given === undefined) return { targets, groups };
  const accessor = typeof given === 'number' ? listObjects(context.root, 'accessors')[given] : undefined;
  const width = accessor?.object.type === 'VEC4' ? 4 : 3;
  const slot = lookUp(given, `${attributes.pointer}/COLOR_0`, width === 4 ? 'VEC4' : 'VEC3');
  return { targets, groups, ...(slot && { colours: { ...slot, width } }) };
}

/** The numbers of a plan. */
export function makeShapes(
  { colours, targets, groups }: ShapePlan,
  count: number,
  numbers: Numbers,
): Pick<GltfPrimitive, 'colours' | 'targets' | 'groups'> {
  const moved = targets.map((slot) => ({
    positions: slot === undefined ? new Float32Array(3 * count) : finite(numbers[slot.slot]),
  }));
  return {
    ...(colours && { colours: withAlpha(finite(numbers[colours.slot]), colours.width) }),
    ...(moved.length > 0 && { targets: moved }),
    ...(groups.length > 0 && {
      groups: Object.fromEntries(groups.map(([name, { slot }]) => [name, finite(numbers[slot])])),
    }),
  };
}

/** Names of a mesh's targets and how far each is on at first, as files say it. */
export function readTargets(mesh: JsonPlace): Pick<GltfMesh, 'targetNames' | 'targetWeights'> {
  const { extras, weights } = mesh.object;
  const names = extras === undefined ? undefined : optionalObject(mesh, 'extras')?.object.targetNames;
  return {
    ...(Array.isArray(names) && { targetNames: names.map((name) => (typeof name === 'string' ? name : '')) }),
    ...(Array.isArray(weights) && { targetWeights: weights.map((weight) => Number(weight) || 0) }),
  };
}

function finite(values: Numbers[number]): Float32Array {
  return Float32Array.from(values, (value) => (Number.isFinite(value) ? value : 0));
}

/** Red, green, blue and opacity per vertex. */
function withAlpha(values: Float32Array, width: 3 | 4): Float32Array {
  if (width === 4) return values;
  const out = new Float32Array((values.length / 3) * 4).fill(1);
  for (let i = 0; i < values.length; i++) out[Math.floor(i / 3) * 4 + (i % 3)] = values[i];
  return out;
}
