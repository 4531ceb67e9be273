/** The nodes of a model at the times of a clip, one after the other, in buffers that are used again. Part of sampling clips. */
import type { GltfChannel, GltfClip, GltfModel, GltfNode } from '../../io/gltf/gltf-model.js';
import { composeMat4, type Mat4, multiplyMat4 } from './mat4.js';
import { sampleChannel } from './rig-channels.js';

/** A node that a clip moves: what its channels say. */
interface Moved {
  readonly translation: Float64Array;
  readonly rotation: Float64Array;
  readonly scale: Float64Array;
  readonly local: Mat4;
}

/** A channel, where its value goes, and the key after the last time: times only go up, so that each search begins where the last one ended. */
interface Track {
  readonly channel: GltfChannel;
  readonly out: Float64Array;
  key: number;
}

/** Poses of a model in a clip. */
export class ClipPoses {
  readonly #model: GltfModel;
  readonly #tracks: readonly Track[];
  /** By node; undefined where the clip leaves it as it stands. */
  readonly #moved: (Moved | undefined)[];
  readonly #locals: readonly Mat4[];
  /** The nodes wanted and all above them, parents first. */
  readonly #order: readonly number[];
  readonly #globals: Mat4[];

  /** `wanted`: nodes whose transforms are asked for; `locals`: transforms of all nodes against their parents as the file has them. */
  constructor(model: GltfModel, clip: GltfClip, wanted: readonly number[], locals: readonly Mat4[]) {
    this.#model = model;
    this.#locals = locals;
    this.#moved = new Array(model.nodes.length);
    this.#tracks = clip.channels.flatMap((channel) => {
      const { node, path } = channel;
      if (path === 'weights') return [];
      this.#moved[node] ??= movedNode(model.nodes[node]);
      return [{ channel, out: this.#moved[node][path], key: 0 }];
    });
    const isWanted = new Uint8Array(model.nodes.length);
    for (const node of wanted) for (let at = node; at >= 0; at = model.nodes[at].parent) isWanted[at] = 1;
    this.#order = Array.from(model.nodeOrder).filter((node) => isWanted[node] === 1);
    this.#globals = model.nodes.map(() => new Float64Array(16));
  }

  /** Global transforms at a time, no earlier than the last that was asked for; right for the wanted nodes until the next call. */
  at(time: number): readonly Mat4[] {
    for (const track of this.#tracks) track.key = sampleChannel(track.channel, time, track.out, track.key);
    for (const moved of this.#moved) {
      if (moved) composeMat4(moved.translation, moved.rotation, moved.scale, moved.local);
    }
    for (const node of this.#order) {
      const { parent } = this.#model.nodes[node];
      const local = this.#moved[node]?.local ?? this.#locals[node];
      if (parent < 0) this.#globals[node].set(local);
      else multiplyMat4(this.#globals[parent], local, this.#globals[node]);
    }
    return this.#globals;
  }
}

function movedNode(node: GltfNode): Moved {
  const { translation, rotation, scale } = node;
  return {
    translation: Float64Array.from(translation),
    rotation: Float64Array.from(rotation),
    scale: Float64Array.from(scale),
    local: new Float64Array(16),
  };
}
