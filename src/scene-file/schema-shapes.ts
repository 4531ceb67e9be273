/** Shapes of rigid parts and of obstacles in scene files, and obstacles themselves. */
import * as v from 'valibot';
import type { ObstacleDef } from '../collision/obstacles/obstacle-def.js';
import type { ObstaclePath } from '../collision/obstacles/obstacle-path.js';
import type { Fields } from './schema-words.js';
import { flag, indices, number, numbers, pair, quaternion, said, vector, word } from './schema-words.js';

const container = v.optional(flag('true: it keeps things in instead of out'));
const radius = number('[m]');
const halfLength = number('half of its length along y [m]');
const halfExtents = vector('half of its sides [m]');
const mesh = {
  kind: v.literal('mesh'),
  positions: numbers('x,y,z per vertex [m]'),
  triangles: indices('three vertices each, anticlockwise from outside'),
};

/** What a rigid part looks like. */
export const RIGID_SHAPE = v.variant('kind', [
  v.strictObject({ kind: v.literal('sphere'), radius }),
  v.strictObject({ kind: v.literal('box'), halfExtents }),
  v.strictObject({ kind: v.literal('capsule'), radius, halfLength }),
  v.strictObject({ kind: v.literal('cylinder'), radius, halfLength }),
  v.strictObject({
    kind: v.literal('torus'),
    radius: number('to the middle of the tube, about y [m]'),
    tubeRadius: number('of the tube [m]'),
  }),
  v.strictObject(mesh),
]);

const OBSTACLE_SHAPE = v.variant('kind', [
  v.strictObject({ kind: v.literal('plane') }),
  v.strictObject({ kind: v.literal('sphere'), radius, container }),
  v.strictObject({ kind: v.literal('box'), halfExtents, container }),
  v.strictObject({ kind: v.literal('capsule'), radius, halfLength, container }),
  v.strictObject({ kind: v.literal('cylinder'), radius, halfLength, container }),
  v.strictObject({
    kind: v.literal('heightField'),
    heights: numbers('columns of them along x, then the next row along z [m]'),
    rows: number('along z, at least 2'),
    columns: number('along x, at least 2'),
    cell: pair('from one column and one row to the next [m]'),
  }),
  v.strictObject({
    ...mesh,
    cell: v.optional(number('of its distance field [m]; default a 48th of the longest side')),
    container,
  }),
]);

const path = v.strictObject({
  times: numbers('since the start of the world, ascending [s]'),
  positions: v.optional(said(v.array(vector('[m]')), 'one per time; straight lines in between')),
  rotations: v.optional(said(v.array(quaternion('x,y,z,w')), 'one per time, less than half a turn apart')),
  loop: v.optional(flag('begins again; the last pose must be the first one')),
} satisfies Fields<ObstaclePath>);

/** What bodies cannot enter. */
export const OBSTACLE = v.strictObject({
  name: word('name of the obstacle'),
  shape: said(OBSTACLE_SHAPE, 'in its own frame; see also tendon-obstacle.schema.json'),
  position: v.optional(vector('[m]')),
  rotation: v.optional(quaternion('x,y,z,w')),
  velocity: v.optional(vector('constant [m/s]')),
  angularVelocity: v.optional(vector('constant [rad/s]')),
  path: v.optional(path),
  friction: v.optional(number("Coulomb's coefficient; default 0.5")),
  restitution: v.optional(number('share of the approach speed given back, 0 to 1')),
} satisfies Fields<ObstacleDef>);
