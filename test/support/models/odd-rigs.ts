/** A small rigged figure as a `.glb`, written in all the ways such files come: scaled, mirrored, packed, in pieces. */
import { GlbParts, type Json } from '../checks/glb-parts.js';

/** A joint of the figure: name, parent, place in the figure's space. */
export type FigureJoint = readonly [name: string, parent: number, place: readonly number[]];

/** A closed piece of skin: a tube or box around the line from `from` to `to`, owned by a joint. */
export interface FigurePiece {
  readonly joint: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly radius: number;
}

/** What the file is to be like; everything may be left out. */
export interface FigureOptions {
  readonly joints?: readonly FigureJoint[];
  readonly pieces?: readonly FigurePiece[];
  /** From the figure's space to that of the file. */
  readonly space?: (p: readonly number[]) => number[];
  /** Transform of the node above the joints. */
  readonly armature?: Json;
  /** Rotations of joint nodes away from the shape the skin was bound in. */
  readonly pose?: Readonly<Record<string, readonly number[]>>;
  /** Sides of a tube; 4 makes boxes. Default 10. */
  readonly around?: number;
  /** Whether the ends of tubes are closed; default yes. */
  readonly caps?: boolean;
  readonly positions?: 'plain' | 'interleaved' | 'sparse' | 'short';
  readonly weights?: 'float' | 'byte' | 'short' | 'eight' | 'unnormalised';
  /** The order joints are listed in; default their own. */
  readonly order?: readonly number[];
  readonly bindMatrices?: boolean;
  /** A skin and mesh per piece instead of one for all. */
  readonly separate?: boolean;
  /** Last changes: nodes, meshes, animations. */
  readonly change?: (parts: GlbParts) => void;
}

/** Hips, a spine, a head, two arms and two legs; 1.7 m high, y up, arms to the side. */
export const FIGURE_JOINTS: readonly FigureJoint[] = [
  ['hips', -1, [0, 0.9, 0]],
  ['spine', 0, [0, 1.1, 0]],
  ['head', 1, [0, 1.5, 0]],
  ['arm.L', 1, [0.18, 1.4, 0]],
  ['forearm.L', 3, [0.45, 1.4, 0]],
  ['arm.R', 1, [-0.18, 1.4, 0]],
  ['forearm.R', 5, [-0.45, 1.4, 0]],
  ['thigh.L', 0, [0.1, 0.88, 0]],
  ['shin.L', 7, [0.1, 0.48, 0.01]],
  ['thigh.R', 0, [-0.1, 0.88, 0]],
  ['shin.R', 9, [-0.1, 0.48, 0.01]],
];

/** Tubes that overlap where the limbs join. */
export const FIGURE_PIECES: readonly FigurePiece[] = [
  { joint: 0, from: [0, 0.8, 0], to: [0, 1.14, 0], radius: 0.17 },
  { joint: 1, from: [0, 1.06, 0], to: [0, 1.5, 0], radius: 0.17 },
  { joint: 2, from: [0, 1.42, 0], to: [0, 1.7, 0], radius: 0.1 },
  { joint: 3, from: [0.1, 1.4, 0], to: [0.47, 1.4, 0], radius: 0.06 },
  { joint: 4, from: [0.43, 1.4, 0], to: [0.75, 1.4, 0], radius: 0.05 },
  { joint: 5, from: [-0.1, 1.4, 0], to: [-0.47, 1.4, 0], radius: 0.06 },
  { joint: 6, from: [-0.43, 1.4, 0], to: [-0.75, 1.4, 0], radius: 0.05 },
  { joint: 7, from: [0.1, 0.9, 0], to: [0.1, 0.46, 0], radius: 0.08 },
  { joint: 8, from: [0.1, 0.5, 0], to: [0.1, 0.05, 0], radius: 0.06 },
  { joint: 9, from: [-0.1, 0.9, 0], to: [-0.1, 0.46, 0], radius: 0.08 },
  { joint: 10, from: [-0.1, 0.5, 0], to: [-0.1, 0.05, 0], radius: 0.06 },
];

const RINGS = 6;

/** The figure as a file. Node 0 is the armature, joints are nodes 1 to n, meshes come after them. */
export function figureGlb(options: FigureOptions = {}): Uint8Array {
  const { joints = FIGURE_JOINTS, pieces = FIGURE_PIECES, space = (p) => [...p], order } = options;
  const parts = new GlbParts();
  const listed = order ?? joints.map((_, i) => i);
  const places = joints.map(([, , place]) => space(place));
  const groups = options.separate ? pieces.map((piece) => [piece]) : [pieces];
  const nodes: Json[] = [
    {
      name: 'Armature',
      children: joints.flatMap(([, parent], i) => (parent < 0 ? [i + 1] : [])),
      ...options.armature,
    },
    ...joints.map(([name, parent], i) => {
      const children = joints.flatMap(([, above], j) => (above === i ? [j + 1] : []));
      const translation = places[i].map((x, k) => x - (parent < 0 ? 0 : places[parent][k]));
      const rotation = options.pose?.[name];
      return { name, translation, ...(children.length > 0 && { children }), ...(rotation && { rotation }) };
    }),
    ...groups.map((_, mesh) => ({ name: `skin ${mesh}`, mesh, skin: mesh })),
  ];
  const roots = nodes.flatMap((_, i) => (i === 0 || i > joints.length ? [i] : []));
  Object.assign(parts.json, { nodes, scenes: [{ nodes: roots }], scene: 0 });
  parts.json.skins = groups.map(() => makeSkin(parts, places, listed, options));
  parts.json.meshes = groups.map((group) => ({ primitives: [makePrimitive(parts, group, listed, options)] }));
  options.change?.(parts);
  return parts.finish();
}

function makeSkin(parts: GlbParts, places: readonly number[][], listed: readonly number[], options: FigureOptions) {
  const joints = listed.map((joint) => joint + 1);
  if (options.bindMatrices === false) return { joints };
  const values = listed.flatMap((joint) => {
    const [x, y, z] = places[joint];
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];
  });
  return { joints, inverseBindMatrices: parts.numbers(Float32Array.from(values), 'MAT4') };
}

function makePrimitive(
  parts: GlbParts,
  pieces: readonly FigurePiece[],
  listed: readonly number[],
  options: FigureOptions,
): Json {
  const { around = 10, space = (p) => [...p], caps = true, joints: all = FIGURE_JOINTS } = options;
  const points: number[] = [];
  const indices: number[] = [];
  const owners: number[] = [];
  for (const piece of pieces) {
    const first = points.length / 3;
    addTube(piece, around, caps, (p) => points.push(...space(p)), indices, first);
    for (let v = first; v < points.length / 3; v++) owners.push(piece.joint);
  }
  const positions = Float32Array.from(points);
  const normals = Float32Array.from(points, (_, i) => (i % 3 === 1 ? 1 : 0));
  const attributes: Json = { ...writePositions(parts, positions, normals, options.positions ?? 'plain') };
  // nearly all with the owner, the rest with the joint above it, as painted weights are
  const pairs = owners.map((joint) => [joint, Math.max(0, all[joint][1])].map((one) => listed.indexOf(one)));
  Object.assign(attributes, writeWeights(parts, pairs, options.weights ?? 'float'));
  return { attributes, indices: parts.numbers(Uint16Array.from(indices), 'SCALAR') };
}

function writePositions(parts: GlbParts, positions: Float32Array, normals: Float32Array, how: string): Json {
  if (how === 'interleaved') return parts.interleaved(positions, normals);
  if (how === 'sparse') return { POSITION: parts.sparse(positions) };
  if (how === 'plain') return { POSITION: parts.numbers(positions, 'VEC3') };
  parts.json.extensionsUsed = ['KHR_mesh_quantization'];
  parts.json.extensionsRequired = ['KHR_mesh_quantization'];
  return { POSITION: parts.numbers(Int16Array.from(positions, Math.round), 'VEC3') };
}

function writeWeights(parts: GlbParts, pairs: readonly number[][], how: string): Json {
  const joints = pairs.flatMap(([own, above]) => [own, above, 0, 0]);
  const weights = pairs.flatMap(() => [0.8, 0.2, 0, 0]);
  const write = (values: readonly number[]): number => {
    if (how === 'byte')
      return parts.numbers(
        Uint8Array.from(values, (w) => 255 * w),
        'VEC4',
        { normalized: true },
      );
    if (how === 'short')
      return parts.numbers(
        Uint16Array.from(values, (w) => 65535 * w),
        'VEC4',
        { normalized: true },
      );
    return parts.numbers(
      Float32Array.from(values, (w) => (how === 'unnormalised' ? 2.5 * w : w)),
      'VEC4',
    );
  };
  const bytes = joints.every((joint) => joint < 256) && how !== 'short';
  const list = (values: readonly number[]): number =>
    parts.numbers(bytes ? Uint8Array.from(values) : Uint16Array.from(values), 'VEC4');
  if (how !== 'eight') return { JOINTS_0: list(joints), WEIGHTS_0: write(weights) };
  const half = weights.map((w) => w / 2);
  return { JOINTS_0: list(joints), WEIGHTS_0: write(half), JOINTS_1: list(joints), WEIGHTS_1: write(half) };
}

/** A tube around a line, or a box for four sides. */
function addTube(
  { from, to, radius }: FigurePiece,
  around: number,
  caps: boolean,
  push: (p: readonly number[]) => void,
  indices: number[],
  first: number,
): void {
  const along = from.map((x, k) => to[k] - x);
  const length = Math.hypot(...along);
  const d = along.map((x) => x / length);
  const helper = Math.abs(d[0]) < 0.7 ? [1, 0, 0] : [0, 0, 1];
  const u = cross(d, helper);
  const v = cross(d, u);
  const at = (share: number, turn: number): number[] => {
    const angle = ((turn + 0.5) / around) * 2 * Math.PI;
    return from.map((x, k) => x + share * along[k] + radius * (Math.cos(angle) * u[k] + Math.sin(angle) * v[k]));
  };
  for (let r = 0; r <= RINGS; r++) for (let i = 0; i < around; i++) push(at(r / RINGS, i));
  push(from);
  push(to);
  const [start, end] = [first + around * (RINGS + 1), first + around * (RINGS + 1) + 1];
  for (let i = 0; i < around; i++) {
    const next = (i + 1) % around;
    for (let r = 0; r < RINGS; r++) {
      const [a, b] = [first + around * r + i, first + around * r + next];
      indices.push(a, b, b + around, a, b + around, a + around);
    }
    if (caps)
      indices.push(start, first + next, first + i, end, first + around * RINGS + i, first + around * RINGS + next);
  }
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = Math.hypot(...c);
  return c.map((x) => x / length);
}
