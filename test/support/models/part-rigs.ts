/** Rigs made of separate parts, with the troubles of machines and dressed figures: as `readGltf` would give them. */
import type { GltfModel, GltfNode, GltfPrimitive } from '../../../src/io/gltf/gltf-model.js';
import { nodeAt } from './rigged-model.js';

/** A part: a box with its own vertices that follows one joint. */
export interface BoxPart {
  readonly joint: string;
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

/** A joint at a place in the world. */
export interface PlacedJoint {
  readonly name: string;
  readonly parent?: string;
  readonly place: readonly [number, number, number];
}

/** All parts in one skinned mesh. */
export function partModel(joints: readonly PlacedJoint[], parts: readonly BoxPart[]): GltfModel {
  const indexOf = new Map(joints.map(({ name }, i) => [name, i]));
  const nodes: GltfNode[] = [
    { ...nodeAt('parts', -1, [], [0, 0, 0]), mesh: 0, skin: 0 },
    ...joints.map(({ name, parent, place }) => {
      const above = parent === undefined ? undefined : joints[indexOf.get(parent)!];
      const children = joints.flatMap((other, i) => (other.parent === name ? [i + 1] : []));
      const away = place.map((x, k) => x - (above?.place[k] ?? 0));
      return nodeAt(name, above === undefined ? -1 : indexOf.get(above.name)! + 1, children, away);
    }),
  ];
  const inverseBindMatrices = new Float32Array(16 * joints.length);
  joints.forEach(({ place }, i) => {
    for (let k = 0; k < 4; k++) inverseBindMatrices[16 * i + 5 * k] = 1;
    for (let k = 0; k < 3; k++) inverseBindMatrices[16 * i + 12 + k] = -place[k];
  });
  const roots = nodes.flatMap((node, i) => (node.parent < 0 ? [i] : []));
  const order = [...roots];
  for (let i = 0; i < order.length; i++) order.push(...nodes[order[i]].children);
  return {
    meshes: [{ name: 'parts', primitives: [joinBoxes(parts, indexOf)] }],
    skins: [{ name: '', joints: Uint32Array.from(joints, (_, i) => i + 1), inverseBindMatrices }],
    nodes,
    nodeOrder: Uint32Array.from(order),
    scenes: [{ name: '', nodes: Uint32Array.from(roots) }],
    scene: 0,
    clips: [],
    look: { materials: [], textures: [], samplers: [], images: [] },
    extensions: [],
    asset: {},
    warnings: [],
  };
}

/**
 * A machine that stands: a body, a leg of two parts, a foot that its controller hangs on the root, and an arm whose hand is
 * nearer to the foot than anything else is, without touching it.
 */
export function machineModel(): GltfModel {
  return partModel(
    [
      { name: 'controls', place: [0, 0, 0] },
      { name: 'body', parent: 'controls', place: [0, 1, 0] },
      { name: 'foot', parent: 'controls', place: [0, 0.12, 0] },
      { name: 'thigh', parent: 'body', place: [0, 0.98, 0] },
      { name: 'shin', parent: 'thigh', place: [0, 0.55, 0] },
      { name: 'arm', parent: 'body', place: [0.36, 1.2, 0] },
      { name: 'hand', parent: 'arm', place: [0.36, 0.4, 0] },
    ],
    [
      { joint: 'body', low: [-0.3, 0.98, -0.2], high: [0.3, 1.7, 0.2] },
      { joint: 'thigh', low: [-0.12, 0.53, -0.12], high: [0.12, 1, 0.12] },
      { joint: 'shin', low: [-0.1, 0.1, -0.1], high: [0.1, 0.56, 0.1] },
      { joint: 'foot', low: [-0.12, 0, -0.12], high: [0.12, 0.11, 0.25] },
      { joint: 'arm', low: [0.28, 0.38, -0.08], high: [0.44, 1.3, 0.08] },
      { joint: 'hand', low: [0.13, 0.02, -0.1], high: [0.45, 0.4, 0.1] },
    ],
  );
}

function joinBoxes(parts: readonly BoxPart[], indexOf: ReadonlyMap<string, number>): GltfPrimitive {
  const positions: number[] = [];
  const indices: number[] = [];
  const joints: number[] = [];
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  for (const { joint, low, high } of parts) {
    const base = positions.length / 3;
    for (let corner = 0; corner < 8; corner++) {
      for (let k = 0; k < 3; k++) positions.push((corner >> k) & 1 ? high[k] : low[k]);
      joints.push(indexOf.get(joint)!, 0, 0, 0);
    }
    for (const [a, b, c, d] of quads) indices.push(base + a, base + b, base + c, base + a, base + c, base + d);
  }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    uvs: [],
    influenceCount: 4,
    joints: Uint16Array.from(joints),
    weights: Float32Array.from(joints, (_, i) => (i % 4 === 0 ? 1 : 0)),
  };
}
