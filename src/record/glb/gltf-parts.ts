/** Parts that every exported glTF is put together from: looks, poses over time, morph targets. */
import type { GltfEdit, OpenObject, OpenValue } from '../../io/gltf/gltf-edit.js';
import { VERTICES } from '../../io/gltf/gltf-edit.js';
import type { GltfLook } from '../../io/gltf/gltf-model.js';
import { collectExtensions } from '../../io/gltf/gltf-write.js';
import { POSE } from '../take.js';
import type { MorphTarget } from '../unit-weights.js';

/** Adds materials and pictures; the number of the first material. */
export function addLook(edit: GltfEdit, { materials, textures, samplers, images }: GltfLook): number {
  const firstImage = edit.list('images').length;
  const firstSampler = edit.list('samplers').length;
  const firstTexture = edit.list('textures').length;
  const firstMaterial = edit.list('materials').length;
  for (const { name, mimeType, bytes } of images) {
    const image = { bufferView: edit.addView(bytes), mimeType: mimeType || 'image/png', ...(name !== '' && { name }) };
    edit.add('images', image);
  }
  for (const sampler of samplers) edit.add('samplers', structuredClone(sampler) as OpenObject);
  for (const texture of textures) {
    const open = structuredClone(texture) as OpenObject;
    if (open.sampler !== undefined) open.sampler = (open.sampler as number) + firstSampler;
    for (const place of [open, ...Object.values((open.extensions ?? {}) as OpenObject)]) {
      const named = place as OpenObject;
      if (typeof named.source === 'number') named.source += firstImage;
    }
    edit.add('textures', open);
  }
  for (const material of materials) {
    const open = structuredClone(material) as OpenObject;
    moveTextures(open, firstTexture);
    edit.add('materials', open);
  }
  const used = new Set<string>();
  collectExtensions([...materials, ...textures], used);
  for (const name of used) edit.useExtension(name);
  for (const key of ['images', 'samplers', 'textures', 'materials']) {
    if (edit.list(key).length === 0) delete edit.json[key];
  }
  return firstMaterial;
}

/** Textures of a material, also those inside its extensions. */
function moveTextures(object: OpenObject, by: number): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    if (key.endsWith('Texture') && typeof value.index === 'number') value.index += by;
    moveTextures(value, by);
  }
}

/** An animation in the making; all its channels have the same times. */
export class AnimationPart {
  readonly #edit: GltfEdit;
  readonly #times: number;
  readonly #keepRest: boolean;
  readonly #samplers: OpenValue[] = [];
  readonly #channels: OpenValue[] = [];

  /** `keepRest`: nodes stay where the file has them while nothing plays; otherwise they wait where they are first. */
  constructor(edit: GltfEdit, times: readonly number[], keepRest = false) {
    this.#edit = edit;
    this.#keepRest = keepRest;
    this.#times = edit.addAccessor(Float32Array.from(times), 'SCALAR', { bounds: true });
  }

  /** Sends a node along poses; what never changes is written once, into the node. */
  move(node: number, poses: Float32Array): void {
    const count = poses.length / POSE;
    const turns = new Float32Array(4 * count);
    const places = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      turns.set(poses.subarray(POSE * i, POSE * i + 4), 4 * i);
      places.set(poses.subarray(POSE * i + 4, POSE * i + 7), 3 * i);
    }
    this.turn(node, turns);
    this.shift(node, places);
  }

  /** Quaternions x,y,z,w, one per state. */
  turn(node: number, turns: Float32Array): void {
    // programs that blend the four numbers one by one need neighbours of one sign
    for (let o = 4; o < turns.length; o += 4) {
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += turns[o + k] * turns[o + k - 4];
      if (dot < 0) for (let k = 0; k < 4; k++) turns[o + k] = -turns[o + k];
    }
    this.#track(node, 'rotation', turns, 'VEC4', [0, 0, 0, 1]);
  }

  /** Places, one per state. */
  shift(node: number, places: Float32Array): void {
    this.#track(node, 'translation', places, 'VEC3', [0, 0, 0]);
  }

  /** Weights of all morph targets, state by state. */
  weigh(node: number, weights: Float32Array): void {
    this.#add(node, 'weights', this.#edit.addAccessor(weights, 'SCALAR'));
  }

  /** Adds what was put together as the first animation, unless nothing moves. */
  finish(name: string): void {
    if (this.#channels.length === 0) return;
    this.#edit.list('animations').unshift({ name, samplers: this.#samplers, channels: this.#channels });
  }

  /** A property of a node over time; a channel only where it ever leaves the value the node has by itself. */
  #track(
    node: number,
    path: 'rotation' | 'translation',
    values: Float32Array,
    type: 'VEC3' | 'VEC4',
    usual: number[],
  ): void {
    const object = this.#edit.list('nodes')[node];
    const width = usual.length;
    if (!this.#keepRest) object[path] = Array.from(values.subarray(0, width));
    const own = (object[path] ?? usual) as number[];
    if (values.every((value, i) => value === Math.fround(own[i % width]))) return;
    this.#add(node, path, this.#edit.addAccessor(values, type));
  }

  #add(node: number, path: string, output: number): void {
    const sampler = this.#samplers.push({ input: this.#times, output, interpolation: 'LINEAR' }) - 1;
    this.#channels.push({ sampler, target: { node, path } });
  }
}

/** A step of 16 bits over two metres, for offsets at weight 1 [m]. */
const SHORT_STEP = 1 / 32767;
/** Steps that a tolerance must have for them to be fine enough. */
const FINE = 6;

/** Adds morph targets, with 16 bits per coordinate where that is fine enough for `tolerance` [m]; accessors by attribute. */
export function addTargets(edit: GltfEdit, targets: readonly MorphTarget[], tolerance: number): OpenObject[] {
  return targets.map(({ positions, normals }) => {
    const largest = positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const short = largest <= 1 && tolerance >= FINE * SHORT_STEP;
    if (short) edit.useExtension('KHR_mesh_quantization', true);
    const places = short
      ? edit.addAccessor(new Int16Array(positions.map((x) => Math.round(32767 * x))), 'VEC3', {
          normalized: true,
          bounds: true,
          target: VERTICES,
        })
      : edit.addAccessor(positions, 'VEC3', { bounds: true, target: VERTICES });
    const facing = short
      ? edit.addAccessor(new Int8Array(normals.map((x) => Math.round(127 * Math.min(1, Math.max(-1, x))))), 'VEC3', {
          normalized: true,
          target: VERTICES,
        })
      : edit.addAccessor(normals, 'VEC3', { target: VERTICES });
    return { POSITION: places, NORMAL: facing };
  });
}
