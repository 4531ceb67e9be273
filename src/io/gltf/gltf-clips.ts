/** Animations of a glTF, as channels that are sampled later. Part of `readGltf`. */

import {
  failAt,
  type JsonPlace,
  listObjects,
  optionalIndex,
  optionalObject,
  requireIndex,
  textOf,
} from '../text/json-fields.js';
import type { AccessorSlot } from './gltf-accessors.js';
import type { GltfContext, Numbers } from './gltf-meshes.js';
import type { GltfChannel, GltfClip, GltfInterpolation, GltfPath } from './gltf-model.js';

/** Type of the values of each path. */
const PATHS = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'];

interface ChannelPlan {
  readonly pointer: string;
  readonly node: number;
  readonly path: GltfPath;
  readonly interpolation: GltfInterpolation;
  readonly input: AccessorSlot;
  readonly output: AccessorSlot;
}

/** Checks every animation; the function returned makes the clips from the decoded numbers. */
export function readClips(context: GltfContext, nodeCount: number): (numbers: Numbers) => GltfClip[] {
  const plans = listObjects(context.root, 'animations').map((from) => {
    const samplers = listObjects(from, 'samplers');
    const channels = listObjects(from, 'channels');
    return {
      name: textOf(from, 'name'),
      channels: channels.flatMap((channel) => planChannel(channel, samplers, context, nodeCount)),
    };
  });
  return (numbers) => {
    // Channels share accessors, mostly those of the times: each is checked once.
    const checked = new Set<number>();
    return plans.map(({ name, channels }) => ({
      name,
      channels: channels.map((plan) => makeChannel(plan, numbers, checked)),
    }));
  };
}

function planChannel(
  from: JsonPlace,
  samplers: readonly JsonPlace[],
  { accessors, limits, warnings }: GltfContext,
  nodeCount: number,
): ChannelPlan[] {
  const target = optionalObject(from, 'target');
  if (target === undefined) failAt(`${from.pointer}/target`, undefined, 'the target is missing');
  const path = textOf(target, 'path');
  const node = optionalIndex(target, 'node', nodeCount);
  if (node === undefined || !Object.hasOwn(PATHS, path)) {
    warnings.push(`${from.pointer}: a channel that moves no node is left out`);
    return [];
  }
  const type = PATHS[path as GltfPath];
  const sampler = samplers[requireIndex(from.object.sampler, samplers.length, `${from.pointer}/sampler`)];
  const interpolation = textOf(sampler, 'interpolation') || 'LINEAR';
  if (!INTERPOLATIONS.includes(interpolation)) {
    failAt(`${sampler.pointer}/interpolation`, interpolation, `one of ${INTERPOLATIONS.join(', ')} was expected`);
  }
  const maxCount = limits.maxElements;
  const input = accessors.use(sampler.object.input, `${sampler.pointer}/input`, { type: 'SCALAR', maxCount });
  const output = accessors.use(sampler.object.output, `${sampler.pointer}/output`, { type, maxCount });
  const valuesPerKey = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const isWhole = output.count % (input.count * valuesPerKey) === 0;
  if (path === 'weights' ? !isWhole : output.count !== input.count * valuesPerKey) {
    failAt(`${sampler.pointer}/output`, output.count, `${input.count * valuesPerKey} values were expected`);
  }
  return [
    {
      pointer: sampler.pointer,
      node,
      path: path as GltfPath,
      interpolation: interpolation as GltfInterpolation,
      input,
      output,
    },
  ];
}

function makeChannel(plan: ChannelPlan, numbers: Numbers, checked: Set<number>): GltfChannel {
  const { pointer, node, path, interpolation, input, output } = plan;
  const times = numbers[input.slot];
  const values = numbers[output.slot];
  if (!(times instanceof Float32Array)) failAt(`${pointer}/input`, times, 'times must be floats');
  if (!checked.has(input.slot)) {
    requireFinite(times, `${pointer}/input`);
    for (let i = 0; i < times.length; i++) {
      if (times[i] >= (i === 0 ? 0 : times[i - 1])) continue;
      failAt(`${pointer}/input/${i}`, times[i], 'times must start at 0 or later and never decrease', 'E_RANGE');
    }
    checked.add(input.slot);
  }
  if (!checked.has(output.slot)) requireFinite(values, `${pointer}/output`);
  checked.add(output.slot);
  return {
    node,
    path,
    interpolation,
    times,
    values: values instanceof Float32Array ? values : Float32Array.from(values),
  };
}

function requireFinite(values: Numbers[number], place: string): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      failAt(`${place}/${i}`, values[i], 'every number must be finite', 'E_NOT_FINITE');
    }
  }
}
