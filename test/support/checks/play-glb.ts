/**
 * Plays an animated `.glb` as the standard says, independently of what wrote it: where the vertices of every mesh are at each
 * key of its first animation. Keys are taken as they are, nothing is blended between them.
 */
import { AccessorReader } from '../../../src/io/gltf/accessor-reader.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import type { Json } from './glb-parts.js';

type Mat = number[];

/** Vertices of the node of that name, x,y,z each, one array per key; parts of a mesh that share vertices count once. */
export function playGlb(bytes: Uint8Array, nodeName: string, animation = 0): number[][] {
  const source = openGltfSource(bytes);
  const json = source.json as Json;
  const reader = new AccessorReader(source);
  const known = new Map<number, number[]>();
  const read = (index: number): number[] => {
    const values = known.get(index) ?? Array.from(reader.read(index) ?? []);
    if (values.length === 0) throw new Error(`accessor ${index} cannot be read`);
    known.set(index, values);
    return values;
  };
  const { channels, samplers } = json.animations[animation] as Json;
  const keys = read(samplers[0].input).length;
  const parents: number[] = json.nodes.map(() => -1);
  json.nodes.forEach((node: Json, i: number) => {
    for (const child of node.children ?? []) parents[child] = i;
  });
  const index = json.nodes.findIndex((node: Json) => node.name === nodeName && node.mesh !== undefined);
  const node = json.nodes[index];
  return Array.from({ length: keys }, (_, key) => {
    const valueAt = (target: number, path: string, width: number, fallback: number[]): number[] => {
      const channel = channels.find((one: Json) => one.target.node === target && one.target.path === path);
      return channel ? read(samplers[channel.sampler].output).slice(key * width, (key + 1) * width) : fallback;
    };
    const local = (n: number): Mat => {
      const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1], matrix } = json.nodes[n];
      const moved = channels.some((one: Json) => one.target.node === n && one.target.path !== 'weights');
      if (matrix && !moved) return matrix;
      return compose(
        valueAt(n, 'translation', 3, translation),
        valueAt(n, 'rotation', 4, rotation),
        valueAt(n, 'scale', 3, scale),
      );
    };
    const global = (n: number): Mat => (parents[n] < 0 ? local(n) : multiply(global(parents[n]), local(n)));
    const mesh = json.meshes[node.mesh];
    const targetCount = mesh.primitives[0].targets?.length ?? 0;
    const weights = valueAt(index, 'weights', targetCount, node.weights ?? mesh.weights ?? []);
    const skin = node.skin === undefined ? undefined : json.skins[node.skin];
    const binds = skin && read(skin.inverseBindMatrices);
    const joints: Mat[] = (skin?.joints ?? []).map((joint: number, j: number) =>
      multiply(global(joint), binds!.slice(16 * j, 16 * j + 16)),
    );
    const done = new Set<number>();
    return mesh.primitives.flatMap((part: Json) => {
      if (done.has(part.attributes.POSITION)) return [];
      done.add(part.attributes.POSITION);
      const positions = [...read(part.attributes.POSITION)];
      (part.targets ?? []).forEach((target: Json, t: number) => {
        if (weights[t] === 0) return;
        read(target.POSITION).forEach((x, i) => {
          positions[i] += weights[t] * x;
        });
      });
      const owners = skin && read(part.attributes.JOINTS_0);
      const shares = skin && read(part.attributes.WEIGHTS_0);
      const still = skin ? undefined : global(index);
      const out: number[] = [];
      for (let v = 0; v < positions.length / 3; v++) {
        const point = positions.slice(3 * v, 3 * v + 3);
        if (still) out.push(...transform(still, point));
        else {
          const sum = [0, 0, 0];
          for (let k = 4 * v; k < 4 * v + 4; k++) {
            const moved = transform(joints[owners![k]], point);
            for (let c = 0; c < 3; c++) sum[c] += shares![k] * moved[c];
          }
          out.push(...sum);
        }
      }
      return out;
    });
  });
}

function compose(t: number[], [x, y, z, w]: number[], s: number[]): Mat {
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  return [...r.flatMap((column, c) => [...column.map((value) => value * s[c]), 0]), ...t, 1];
}

function multiply(a: Mat, b: Mat): Mat {
  return Array.from({ length: 16 }, (_, i) => {
    const [column, row] = [i >> 2, i & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[4 * column + k], 0);
  });
}

function transform(m: Mat, [x, y, z]: number[]): number[] {
  return [0, 1, 2].map((r) => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
}
