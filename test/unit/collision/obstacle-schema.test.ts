import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ObstacleDef, ObstacleSet } from '../../../src/collision/obstacles/obstacle.js';
import { shapeDistance } from '../../../src/collision/shapes/shape.js';
import { boxSurface } from '../../support/models/surfaces.js';

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, { readonly const?: string }>>;
  readonly $defs: Readonly<Record<string, Schema & { readonly oneOf?: readonly { readonly $ref: string }[] }>>;
}

const schema = JSON.parse(
  readFileSync(new URL('../../../schema/tendon-obstacle.schema.json', import.meta.url), 'utf8'),
) as Schema;

const cube = boxSurface([-1, -1, -1], [1, 1, 1]);
/** One obstacle of every kind, with all that can be said of one, as plain JSON. */
const OBSTACLES: ObstacleDef[] = [
  { name: 'floor', shape: { kind: 'plane' }, friction: 0.3, restitution: 0.5 },
  { name: 'ball', shape: { kind: 'sphere', radius: 1, container: true }, position: [0, 1, 0] },
  { name: 'box', shape: { kind: 'box', halfExtents: [1, 2, 3], container: false }, rotation: [0, 1, 0, 0] },
  { name: 'capsule', shape: { kind: 'capsule', radius: 1, halfLength: 1, container: true }, velocity: [1, 0, 0] },
  {
    name: 'drum',
    shape: { kind: 'cylinder', radius: 1, halfLength: 1, container: true },
    angularVelocity: [0, 1, 0],
    path: {
      times: [0, 1],
      positions: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      loop: true,
    },
  },
  { name: 'hills', shape: { kind: 'heightField', heights: [0, 1, 2, 3], rows: 2, columns: 2, cell: [1, 2] } },
  {
    name: 'cube',
    shape: {
      kind: 'mesh',
      positions: [...cube.positions],
      triangles: [...cube.triangles],
      cell: 0.2,
      container: false,
    },
    path: { times: [0], rotations: [[0, 0, 0, 1]] },
  },
];

describe('schema of obstacles', () => {
  it('knows every kind of shape and what is said of it', () => {
    const kinds = schema.$defs.shape.oneOf!.map(({ $ref }) => $ref.slice('#/$defs/'.length));
    expect(OBSTACLES.map(({ shape }) => shape.kind)).toEqual(kinds);
    for (const { shape } of OBSTACLES) {
      const { properties, required } = schema.$defs[shape.kind];
      expect(Object.keys(shape).sort()).toEqual(Object.keys(properties).sort());
      expect(properties.kind.const).toBe(shape.kind);
      for (const name of required ?? []) expect(shape).toHaveProperty(name);
    }
  });

  it('knows everything said of an obstacle and its path', () => {
    const said = new Set(OBSTACLES.flatMap((def) => Object.keys(def)));
    expect([...said].sort()).toEqual(Object.keys(schema.properties).sort());
    const paths = new Set(OBSTACLES.flatMap(({ path }) => Object.keys(path ?? {})));
    expect([...paths].sort()).toEqual(Object.keys(schema.$defs.path.properties).sort());
  });

  it('describes obstacles that are the same after a trip through JSON', () => {
    const read = new ObstacleSet(JSON.parse(JSON.stringify(OBSTACLES)) as ObstacleDef[]);
    const written = new ObstacleSet(OBSTACLES);
    const point = Float64Array.of(0.3, 0.4, 0.2);
    written.defs.forEach(({ shape }, i) => {
      const distances = [shape, read.defs[i].shape].map((each) =>
        shapeDistance(each, point, 0, new Float64Array(3), 0),
      );
      expect(distances[1]).toBe(distances[0]);
    });
    expect(read.poses).toEqual(written.poses);
  });
});
