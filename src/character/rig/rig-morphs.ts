/** Morph targets of a model, in the space of its rig: by name, over all the meshes that have one of that name. Part of `readRig`. */
import type { GltfMesh, GltfModel, GltfPrimitive } from '../../io/gltf/gltf-model.js';
import type { CharacterClip, SkinMorph } from '../character.js';
import type { Mat4 } from './mat4.js';
import { sampleChannel } from './rig-channels.js';

/** Shorter than this, in units of the file, a vertex does not move. */
const STILL = 1e-9;

/** Collects morph targets vertex by vertex. */
export class MorphCollector {
  readonly #morphs = new Map<string, { vertices: number[]; offsets: number[]; weight: number }>();

  /** Adds how the targets of a part move its vertex v, which is number `vertex` of the rig and placed by `m`. */
  add({ targets = [] }: GltfPrimitive, v: number, vertex: number, mesh: GltfMesh, m: Mat4): void {
    targets.forEach(({ positions: d }, i) => {
      const x = d[3 * v];
      const y = d[3 * v + 1];
      const z = d[3 * v + 2];
      const morph = this.#of(mesh, i);
      if (Math.abs(x) + Math.abs(y) + Math.abs(z) < STILL) return;
      morph.vertices.push(vertex);
      for (let k = 0; k < 3; k++) morph.offsets.push(m[k] * x + m[4 + k] * y + m[8 + k] * z);
    });
  }

  finish(): SkinMorph[] {
    return [...this.#morphs].map(([name, { vertices, offsets, weight }]) => ({
      name,
      weight,
      vertices: Int32Array.from(vertices),
      offsets: Float32Array.from(offsets),
    }));
  }

  #of(mesh: GltfMesh, i: number) {
    const name = targetName(mesh, i);
    const known = this.#morphs.get(name);
    if (known) return known;
    const made = { vertices: [], offsets: [], weight: mesh.targetWeights?.[i] ?? 0 };
    this.#morphs.set(name, made);
    return made;
  }
}

/** The same morph targets in metres and y up: offsets are turned and scaled like the skin. */
export function turnMorphs(morphs: readonly SkinMorph[], transform: Mat4): SkinMorph[] {
  return morphs.map((morph) => {
    const offsets = new Float32Array(morph.offsets.length);
    for (let i = 0; i < offsets.length; i += 3) {
      const [x, y, z] = morph.offsets.subarray(i, i + 3);
      for (let k = 0; k < 3; k++) offsets[i + k] = transform[k] * x + transform[4 + k] * y + transform[8 + k] * z;
    }
    return { ...morph, offsets };
  });
}

/** Weights of all morph targets in each frame of a clip; undefined where it drives none. */
export function sampleMorphs(
  model: GltfModel,
  clip: GltfModel['clips'][number],
  names: readonly string[],
  duration: number,
  frameCount: number,
): CharacterClip['morphs'] {
  const channels = clip.channels.filter(({ path }) => path === 'weights');
  if (channels.length === 0 || names.length === 0) return undefined;
  const out = new Float32Array(frameCount * names.length);
  for (const channel of channels) {
    const mesh = model.meshes[model.nodes[channel.node]?.mesh ?? -1];
    const count = mesh?.primitives[0]?.targets?.length ?? 0;
    const weights = new Float64Array(count);
    for (let frame = 0; frame < frameCount && count > 0; frame++) {
      sampleChannel(channel, (duration * frame) / (frameCount - 1), weights);
      for (let i = 0; i < count; i++) {
        const morph = names.indexOf(targetName(mesh, i));
        if (morph >= 0) out[frame * names.length + morph] = weights[i];
      }
    }
  }
  // exporters write tracks of zeros for every shape: what moves nothing leaves the shapes to others
  return out.some((weight) => weight !== 0) ? out : undefined;
}

function targetName({ name, targetNames }: GltfMesh, i: number): string {
  return targetNames?.[i] || `${name || 'shape'} ${i + 1}`;
}
