/** A rigged arm made in code: a tube along x with two or more joints, as `readGltf` would give it. */
import type { GltfModel, GltfNode } from '../../../src/io/gltf/gltf-model.js';

/** What the arm is to be like. */
export interface ArmOptions {
  /** Names of the joints from the root on, spaced evenly; default shoulder, elbow. */
  readonly names?: readonly string[];
  /** Length and radius; default 1 and 0.12. */
  readonly length?: number;
  readonly radius?: number;
  /** Angle the last joint turns by about z, back and forth in one second [rad]; default none. */
  readonly swing?: number;
  /** All joints side by side instead of in a chain. */
  readonly flat?: boolean;
}

const AROUND = 12;
const RINGS = 24;

/** A node at a place relative to its parent. */
export function nodeAt(name: string, parent: number, children: number[], translation: number[]): GltfNode {
  return {
    name,
    parent,
    children: Uint32Array.from(children),
    translation: Float64Array.from(translation),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
  };
}

/** Builds the arm, from x = 0, closed at both ends. */
export function armModel(options: ArmOptions = {}): GltfModel {
  const { names = ['shoulder', 'elbow'], length = 1, radius = 0.12, swing, flat = false } = options;
  const spacing = length / names.length;
  const primitive = tube(length, radius, names.length, spacing);
  const count = names.length;
  const nodes: GltfNode[] = [
    { ...nodeAt('arm', -1, [], [0, 0, 0]), mesh: 0, skin: 0 },
    ...names.map((name, i) =>
      flat
        ? nodeAt(name, -1, [], [i * spacing, 0, 0])
        : nodeAt(name, i === 0 ? -1 : i, i + 1 < count ? [i + 2] : [], [i === 0 ? 0 : spacing, 0, 0]),
    ),
  ];
  const inverseBindMatrices = new Float32Array(16 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 4; k++) inverseBindMatrices[16 * i + 5 * k] = 1;
    inverseBindMatrices[16 * i + 12] = -i * spacing;
  }
  const times = Float32Array.of(0, 0.25, 0.75, 1);
  const values = [0, 1, -1, 0].flatMap((side) => {
    const half = (side * (swing ?? 0)) / 2;
    return [0, 0, Math.sin(half), Math.cos(half)];
  });
  const channel = { node: count, path: 'rotation' as const, interpolation: 'LINEAR' as const, times };
  const roots = nodes.flatMap((node, i) => (node.parent < 0 ? [i] : []));
  return {
    meshes: [{ name: 'arm', primitives: [primitive] }],
    skins: [{ name: '', joints: Uint32Array.from(names, (_, i) => i + 1), inverseBindMatrices }],
    nodes,
    nodeOrder: Uint32Array.from(nodes, (_, i) => i),
    scenes: [{ name: '', nodes: Uint32Array.from(roots) }],
    scene: 0,
    clips:
      swing === undefined ? [] : [{ name: 'swing', channels: [{ ...channel, values: Float32Array.from(values) }] }],
    look: { materials: [{ name: 'skin' }], textures: [], samplers: [], images: [] },
    extensions: [],
    asset: {},
    warnings: [],
  };
}

function tube(length: number, radius: number, jointCount: number, spacing: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  const push = (x: number, y: number, z: number): void => {
    positions.push(x, y, z);
    joints.push(Math.min(jointCount - 1, Math.floor(x / spacing)), 0, 0, 0);
    weights.push(1, 0, 0, 0);
  };
  for (let r = 0; r <= RINGS; r++) {
    for (let i = 0; i < AROUND; i++) {
      const turn = (2 * Math.PI * i) / AROUND;
      push((length * r) / RINGS, radius * Math.cos(turn), radius * Math.sin(turn));
    }
  }
  push(0, 0, 0);
  push(length, 0, 0);
  const [start, end] = [AROUND * (RINGS + 1), AROUND * (RINGS + 1) + 1];
  for (let i = 0; i < AROUND; i++) {
    const next = (i + 1) % AROUND;
    for (let r = 0; r < RINGS; r++) {
      const [a, b, c, d] = [AROUND * r + i, AROUND * r + next, AROUND * (r + 1) + i, AROUND * (r + 1) + next];
      indices.push(a, b, d, a, d, c);
    }
    indices.push(start, next, i, end, AROUND * RINGS + i, AROUND * RINGS + next);
  }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    uvs: [Float32Array.from({ length: (2 * positions.length) / 3 }, (_, i) => (i % 7) / 7)],
    influenceCount: 4,
    joints: Uint16Array.from(joints),
    weights: Float32Array.from(weights),
    material: 0,
  };
}

/** An arm whose every vertex is of its own colour; `bulge` moves its upper half up by 5 cm, `nothing` does nothing. */
export function colouredArm(): GltfModel {
  const arm = armModel({ swing: 0.5 });
  const [primitive] = arm.meshes[0].primitives;
  const { positions } = primitive;
  const colours = Float32Array.from({ length: (positions.length / 3) * 4 }, (_, i) => ((i * 7) % 11) / 10);
  const bulge = positions.map((_, i) => (i % 3 === 1 && positions[i] > 0.01 ? 0.05 : 0));
  const targets = [{ positions: bulge }, { positions: new Float32Array(positions.length) }];
  const times = Float32Array.of(0, 1);
  const weights = { node: 0, path: 'weights' as const, interpolation: 'LINEAR' as const, times };
  const channels = [...arm.clips[0].channels, { ...weights, values: Float32Array.of(0, 0, 1, 0) }];
  return {
    ...arm,
    meshes: [
      { name: 'arm', targetNames: ['bulge', 'nothing'], primitives: [{ ...primitive, flat: true, colours, targets }] },
    ],
    clips: [{ name: 'swing', channels }],
  };
}
