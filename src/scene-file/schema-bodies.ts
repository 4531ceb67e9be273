/** Bodies in scene files: flesh, rigid parts, cloth, cubes, skins, or a file that holds one. */
import * as v from 'valibot';
import type { BodyDef, BoneDef, MaterialDef } from '../body/body-def.js';
import type { ClothDef, ClothMaterialDef } from '../body/kinds/cloth-def.js';
import type { LatticeBoneDef, LatticeDef } from '../body/kinds/lattice-def.js';
import type { LayerBoneDef, LayerDef } from '../body/kinds/layer-def.js';
import type { RigidBodyDef, RigidPartDef } from '../body/kinds/rigid-def.js';
import { JOINT, JOINT_TYPE, LIMITS, LINE_MUSCLE, MOTOR, MUSCLE } from './schema-joints.js';
import { RIGID_SHAPE } from './schema-shapes.js';
import type { Fields } from './schema-words.js';
import {
  finite,
  flag,
  indices,
  integers,
  number,
  numbers,
  oneOf,
  quaternion,
  said,
  vector,
  word,
} from './schema-words.js';

const name = word('name of the body');
const density = number('mass per volume [kg/m³]');
const youngModulus = number("Young's modulus [Pa]");
const poissonRatio = number('Poisson ratio, 0 to 0.499');
const pins = v.optional(indices('vertices that stay where they are'));
const skinTriangles = indices('three vertices each, anticlockwise from outside');

const material = v.strictObject({
  model: oneOf(['arap', 'corotated', 'stableNeoHookean'], 'energy density'),
  youngModulus,
  poissonRatio,
  density,
} satisfies Fields<MaterialDef>);

const bone = v.strictObject({
  name: word('name of the bone'),
  vertices: indices('vertices of the body that belong to it'),
  kinematic: v.optional(flag('true: its pose is set from outside')),
} satisfies Fields<BoneDef>);

const flesh = v.strictObject({
  kind: v.optional(v.literal('flesh')),
  name,
  positions: numbers('rest positions, x,y,z per vertex [m]'),
  tets: indices('four vertices per tetrahedron'),
  bones: v.optional(v.array(bone)),
  joints: v.optional(v.array(JOINT)),
  muscles: v.optional(v.array(MUSCLE)),
  pins,
  materials: said(v.array(material), 'one per region'),
  regions: v.optional(indices('region of each tetrahedron')),
} satisfies Fields<BodyDef>);

const rigid = v.strictObject({
  kind: v.literal('rigid'),
  name,
  parts: v.array(
    v.strictObject({
      name: word('name of the part and of its bone'),
      shape: RIGID_SHAPE,
      position: v.optional(vector('of its frame in the rest shape [m]')),
      rotation: v.optional(quaternion('x,y,z,w')),
      density: v.optional(number('mass per volume [kg/m³]; default 1000')),
      mass: v.optional(number('mass [kg], instead of density')),
      kinematic: v.optional(flag('true: its pose is set from outside')),
    } satisfies Fields<RigidPartDef>),
  ),
  joints: v.optional(v.array(JOINT)),
  muscles: v.optional(v.array(LINE_MUSCLE)),
} satisfies Fields<RigidBodyDef>);

const cloth = v.strictObject({
  kind: v.literal('cloth'),
  name,
  positions: numbers('rest positions, x,y,z per vertex [m]'),
  triangles: indices('three vertices each'),
  thickness: number('[m]'),
  material: v.strictObject({
    youngModulus,
    poissonRatio,
    density,
    bendingStiffness: v.optional(number('[N m]; default that of a plate')),
  } satisfies Fields<ClothMaterialDef>),
  bones: v.optional(v.array(bone)),
  joints: v.optional(v.array(JOINT)),
  pins,
} satisfies Fields<ClothDef>);

const treeBone = {
  name: word('name of the bone'),
  parent: number('index of its parent, which comes before it; -1: none'),
  place: vector('where the joint to the parent is, at rest [m]'),
  joint: v.optional(JOINT_TYPE),
  axis: v.optional(vector('of a hinge; first axis of a universal joint')),
  secondAxis: v.optional(vector('second axis of a universal joint')),
  limits: v.optional(LIMITS),
  motor: v.optional(MOTOR),
};

const lattice = v.strictObject({
  kind: v.literal('lattice'),
  name,
  cellSize: number('side of the cubes [m]'),
  origin: vector('where lattice point 0, 0, 0 is [m]'),
  cells: integers("lattice point of each cube's lowest corner, three numbers"),
  nodes: integers('lattice point of each node, three numbers'),
  corners: indices('eight nodes per cell: corner n is at bits x = 1, y = 2, z = 4 of n'),
  fullness: v.optional(numbers('share of each cell that is solid; default 1')),
  skin: v.strictObject({
    positions: numbers('x,y,z per vertex [m]'),
    triangles: skinTriangles,
    cells: indices('the cell each vertex follows'),
  }),
  bones: v.optional(
    v.array(
      v.strictObject({
        ...treeBone,
        nodes: indices('nodes it holds'),
        kinematic: v.optional(flag('true: its pose is set from outside')),
      } satisfies Fields<LatticeBoneDef>),
    ),
  ),
  materials: v.optional(v.array(material)),
  regions: v.optional(indices('material of each cell')),
} satisfies Fields<LatticeDef>);

const layer = v.strictObject({
  kind: v.literal('layer'),
  name,
  positions: numbers('nodes of the skin at rest, x,y,z each [m]'),
  triangles: skinTriangles,
  bones: v.array(
    v.strictObject({
      ...treeBone,
      kinematic: v.optional(
        said(
          v.union([v.boolean(), v.literal('tracked')]),
          'true: its pose is set from outside; "tracked": it follows one',
        ),
      ),
    } satisfies Fields<LayerBoneDef>),
  ),
  owners: indices('four bones per node'),
  weights: numbers('their weights, which add up to 1'),
  material: v.optional(material),
  depth: v.optional(said(v.union([finite(), numbers('one per node')]), 'of the soft layer [m]; default from the skin')),
  bulges: v.optional(said(v.boolean(), 'whether skin bulges beside a dent')),
  wobble: v.optional(
    said(
      v.union([v.boolean(), finite()]),
      'whether flesh lags behind its bones, or by how many modes; default 8 in fat',
    ),
  ),
  pins: v.optional(indices('nodes that stay where they are at rest')),
  relaxation: v.optional(number('time in which a dent goes back to a third [s]; default 0.03')),
  contactSpacing: v.optional(number('nodes nearer than this share of the depth touch as one; default 0.8')),
  meetingSpacing: v.optional(number('the same between characters; default 1')),
} satisfies Fields<LayerDef>);

const fromFile = v.strictObject({
  file: word('a rigged model or a character, beside the scene file'),
  hang: v.optional(word('bone it is held by; default its root')),
});

export const BODY = v.union([flesh, rigid, fromFile, cloth, lattice, layer]);

const KINDS: Readonly<Record<string, v.GenericSchema>> = { flesh, rigid, cloth, lattice, layer };

/** What a body is meant to be: a union of schemas cannot say what is wrong with it, the one that was meant can. */
export function bodyMeant(body: unknown): v.GenericSchema {
  if (typeof body !== 'object' || body === null) return flesh;
  if ('file' in body) return fromFile;
  const kind = 'kind' in body ? String(body.kind) : 'flesh';
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : v.object({ kind: v.picklist(Object.keys(KINDS)) });
}
