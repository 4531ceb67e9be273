/**
 * Scene files as a schema: what may stand in them, with units. The library checks files by it, and schema/tendon-scene.schema.json is
 * made from it (`node tools/scene-schema.mjs`). What numbers mean together (a bone that names vertices, a mesh that is closed) is checked when the world is built.
 */
import * as v from 'valibot';
import type { AttachmentDef, PlacementDef } from '../scene/scene-def.js';
import { BODY } from './schema-bodies.js';
import { CONTACT, DRIVE, SOLVER } from './schema-motion.js';
import { OBSTACLE } from './schema-shapes.js';
import type { Fields } from './schema-words.js';
import { flag, indices, number, numbers, quaternion, said, vector, word } from './schema-words.js';

/** Version of the format; files of another one are refused. */
export const SCENE_FILE_VERSION = 1;

const attachment = v.strictObject({
  to: word('name of the rigid body in the scene'),
  part: v.optional(word('name of its part; default the first')),
  vertices: indices('vertices of this body that it carries'),
} satisfies Fields<AttachmentDef>);

const placement = v.strictObject({
  body: word('key in bodyDefs'),
  name: v.optional(word('name in this scene; default the name of the body')),
  position: v.optional(vector('moves the body from its rest place [m]')),
  rotation: v.optional(quaternion('turns it about its rest origin, x,y,z,w')),
  velocity: v.optional(vector('at the start [m/s]')),
  angularVelocity: v.optional(vector('at the start, about the centre of mass [rad/s]')),
  startPositions: v.optional(numbers('positions at the start where they differ from the rest shape [m]')),
  friction: v.optional(number("Coulomb's coefficient; default 0.5")),
  restitution: v.optional(number('share of the approach speed given back, 0 to 1; default 0')),
  attachments: v.optional(said(v.array(attachment), 'what of it rigid bodies carry')),
} satisfies Fields<PlacementDef>);

export const SCENE_FILE = v.strictObject({
  $schema: v.optional(word('where the schema is')),
  tendonScene: said(v.literal(SCENE_FILE_VERSION), 'version of the format'),
  name: word('name of the scene'),
  description: word('one line for people'),
  bodyDefs: said(v.record(v.string(), BODY), 'bodies by key; placements of one key share it'),
  bodies: v.array(placement),
  obstacles: v.optional(v.array(OBSTACLE)),
  drives: v.optional(said(v.array(DRIVE), 'what moves bones by itself')),
  solver: v.optional(said(SOLVER, 'what moves the bodies; default projective')),
  gravity: v.optional(vector('[m/s²]; default 0, -9.81, 0')),
  dt: v.optional(number('time step [s]; default 1/60')),
  iterations: v.optional(number('iterations per step; default 10')),
  contact: v.optional(CONTACT),
  selfContact: v.optional(flag('whether bodies can touch themselves')),
});

/** What a scene file holds. */
export type SceneFile = v.InferOutput<typeof SCENE_FILE>;
