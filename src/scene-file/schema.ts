/**
 * Scene files as a schema: what may stand in them, with units. The library checks files by it, and schema/tendon-scene.schema.json is
 * made from it (`node tools/scene-schema.mjs`). What numbers mean together (a bone that names vertices, a mesh that is closed) is checked when the world is built.
 */
import * as v from 'valibot';

/** Version of the format; files of another one are refused. */
export const SCENE_FILE_VERSION = 1;

const said = <Schema extends v.GenericSchema>(schema: Schema, text: string) => v.pipe(schema, v.description(text));
const number = (text: string) => said(v.pipe(v.number(), v.finite()), text);
const word = (text: string) => said(v.string(), text);
const flag = (text: string) => said(v.boolean(), text);
const numbers = (text: string) => said(v.array(v.pipe(v.number(), v.finite())), text);
const indices = (text: string) => said(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), text);
const vector = (text: string) => said(v.strictTuple([finite(), finite(), finite()]), text);
const quaternion = (text: string) => said(v.strictTuple([finite(), finite(), finite(), finite()]), text);
const finite = () => v.pipe(v.number(), v.finite());

const material = v.strictObject({
  model: said(v.picklist(['arap', 'corotated', 'stableNeoHookean']), 'energy density'),
  youngModulus: number("Young's modulus [Pa]"),
  poissonRatio: number('Poisson ratio, 0 to 0.49'),
  density: number('mass per volume [kg/m³]'),
});

const bone = v.strictObject({
  name: word('name of the bone'),
  vertices: indices('vertices of the body that belong to it'),
  kinematic: v.optional(flag('true: its pose is set from outside')),
});

/** Joints and their extras pass through as they are: the model's builder knows them. */
const joint = v.looseObject({
  name: word('name of the joint'),
  type: said(v.picklist(['ball', 'hinge', 'universal', 'fixed']), 'what it leaves free'),
  bones: said(v.array(v.string()), 'names of its bones; one: held to the world'),
  anchor: vector('where the bones meet, in the rest shape [m]'),
  axis: v.optional(vector('hinge, universal: axis in the first bone')),
  secondAxis: v.optional(vector('universal: axis in the second bone')),
});

const flesh = v.strictObject({
  kind: v.optional(v.literal('flesh')),
  name: word('name of the body'),
  positions: numbers('rest positions, x,y,z per vertex [m]'),
  tets: indices('four vertices per tetrahedron'),
  bones: v.optional(v.array(bone)),
  joints: v.optional(v.array(joint)),
  pins: v.optional(indices('vertices that stay where they are')),
  materials: said(v.array(material), 'one per region'),
  regions: v.optional(indices('region of each tetrahedron')),
});

const rigid = v.strictObject({
  kind: v.literal('rigid'),
  name: word('name of the body'),
  parts: v.array(
    v.strictObject({
      name: word('name of the part and of its bone'),
      shape: said(v.looseObject({ kind: v.string() }), 'sphere, box, capsule, cylinder, torus or mesh [m]'),
      position: v.optional(vector('of its frame in the rest shape [m]')),
      rotation: v.optional(quaternion('x,y,z,w')),
      density: v.optional(number('mass per volume [kg/m³]; default 1000')),
      mass: v.optional(number('mass [kg], instead of density')),
      kinematic: v.optional(flag('true: its pose is set from outside')),
    }),
  ),
  joints: v.optional(v.array(joint)),
});

const fromFile = v.strictObject({
  file: word('a rigged model or a character, beside the scene file'),
  hang: v.optional(word('bone it is held by; default its root')),
});

const other = v.looseObject({ kind: said(v.picklist(['cloth', 'lattice', 'layer']), 'a body only some solvers take') });

const placement = v.strictObject({
  body: word('key in bodyDefs'),
  name: v.optional(word('name in this scene; default the name of the body')),
  position: v.optional(vector('moves the body from its rest place [m]')),
  rotation: v.optional(quaternion('turns it about its rest origin, x,y,z,w')),
  velocity: v.optional(vector('at the start [m/s]')),
  angularVelocity: v.optional(vector('at the start, about the centre of mass [rad/s]')),
  startPositions: v.optional(numbers('positions at the start where they differ from the rest shape [m]')),
  friction: v.optional(number("Coulomb's coefficient; default 0.5")),
});

const obstacle = v.strictObject({
  name: word('name of the obstacle'),
  shape: said(v.looseObject({ kind: v.string() }), 'see tendon-obstacle.schema.json'),
  position: v.optional(vector('[m]')),
  rotation: v.optional(quaternion('x,y,z,w')),
  velocity: v.optional(vector('constant [m/s]')),
  angularVelocity: v.optional(vector('constant [rad/s]')),
  path: v.optional(v.looseObject({ times: numbers('[s]') })),
  friction: v.optional(number("Coulomb's coefficient; default 0.5")),
  restitution: v.optional(number('share of the approach speed given back, 0 to 1')),
});

export const SCENE_FILE = v.strictObject({
  $schema: v.optional(word('where the schema is')),
  tendonScene: said(v.literal(SCENE_FILE_VERSION), 'version of the format'),
  name: word('name of the scene'),
  description: word('one line for people'),
  bodyDefs: said(
    v.record(v.string(), v.union([flesh, rigid, fromFile, other])),
    'bodies by key; placements of one key share it',
  ),
  bodies: v.array(placement),
  obstacles: v.optional(v.array(obstacle)),
  drives: v.optional(said(v.array(v.looseObject({ kind: v.string() })), 'what moves bones by itself')),
  solver: v.optional(said(v.looseObject({ kind: v.string() }), 'what moves the bodies; default projective')),
  gravity: v.optional(vector('[m/s²]; default 0, -9.81, 0')),
  dt: v.optional(number('time step [s]; default 1/60')),
  iterations: v.optional(number('iterations per step; default 10')),
  contact: v.optional(v.picklist(['implicit', 'penalty', 'none'])),
  selfContact: v.optional(flag('whether bodies can touch themselves')),
});

/** What a scene file holds. */
export type SceneFile = v.InferOutput<typeof SCENE_FILE>;
