import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  intoObstacle,
  type ObstacleDef,
  ObstacleSet,
  outOfObstacle,
} from '../../../src/collision/obstacles/obstacle.js';
import { obstacleBounds, obstacleVelocity, setObstaclePose } from '../../../src/collision/obstacles/obstacle-motion.js';
import { shapeDistance } from '../../../src/collision/shapes/shape.js';
import { axisAngleQuat } from '../../../src/math/rotation.js';

type Vec3 = readonly [number, number, number];
type Quat = readonly [number, number, number, number];

const box: ObstacleDef = { name: 'box', shape: { kind: 'box', halfExtents: [0.3, 0.2, 0.5] } };
const vector = fc.tuple(coordinate(2), coordinate(2), coordinate(2));
const turn = fc.tuple(vector, coordinate(3)).map(([axis, angle]) => quatOf(axis, angle));
const STEP = 1 / 60;

/** Rotation by `angle` [rad] about an axis. */
function quatOf(axis: Vec3, angle: number): Quat {
  const q: [number, number, number, number] = [0, 0, 0, 1];
  axisAngleQuat(q, 0, axis, 0, angle);
  return q;
}

/** Everything that moves, as one list. */
function stateOf(set: ObstacleSet): number[] {
  return set.stateArrays().flatMap((array) => [...array]);
}

function take(set: ObstacleSet, h: number): void {
  set.predict(h);
  set.commit();
}

describe('frames of obstacles', () => {
  it('lead into an obstacle at rest and out of it to the same place', () => {
    fc.assert(
      fc.property(vector, turn, vector, (position, rotation, p) => {
        const set = new ObstacleSet([{ ...box, position, rotation }]);
        set.predict(STEP);
        const [local, back] = [new Float64Array(3), new Float64Array(3)];
        intoObstacle(set, 0, Float64Array.from(p), 0, local);
        outOfObstacle(set, 0, local, true, back, 0);
        for (let k = 0; k < 3; k++) expect(back[k]).toBeCloseTo(p[k], 12);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('carry what is stuck to a spinning obstacle with the velocity ω × r', () => {
    fc.assert(
      fc.property(vector, vector, vector, vector, (position, velocity, angularVelocity, p) => {
        const set = new ObstacleSet([{ ...box, position, velocity, angularVelocity }]);
        const h = 1e-5;
        set.predict(h);
        const out = new Float64Array(3);
        obstacleVelocity(set, 0, Float64Array.from(p), 0, out);
        const [x, y, z] = p.map((value, k) => value - position[k]);
        const [a, b, c] = angularVelocity;
        const rigid = [b * z - c * y, c * x - a * z, a * y - b * x].map((value, k) => value + velocity[k]);
        // the mean over the step differs from the start by half the acceleration ω² r times the step
        for (let k = 0; k < 3; k++) expect(Math.abs(out[k] - rigid[k])).toBeLessThan(0.5 * 12 * 7 * h + 1e-9);
        const [local, next] = [new Float64Array(3), new Float64Array(3)];
        intoObstacle(set, 0, Float64Array.from(p), 0, local);
        outOfObstacle(set, 0, local, true, next, 0);
        for (let k = 0; k < 3; k++) expect(p[k] + h * out[k]).toBeCloseTo(next[k], 12);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

describe('obstacles on a path', () => {
  const quarter = quatOf([0, 1, 0], Math.PI / 2);
  const path = {
    times: [1, 2, 4],
    positions: [
      [0, 0, 0],
      [1, 0, 0],
      [1, 2, 0],
    ] as const,
    rotations: [[0, 0, 0, 1], [0, 0, 0, -1], quarter] as const,
  };

  it('are on straight lines and turn at constant speed, exactly where the closed form has them', () => {
    const set = new ObstacleSet([{ ...box, path }]);
    const expected: [number, Vec3, number][] = [
      [0.5, [0, 0, 0], 0],
      [1.25, [0.25, 0, 0], 0],
      [2, [1, 0, 0], 0],
      [3, [1, 1, 0], Math.PI / 4],
      [3.5, [1, 1.5, 0], (Math.PI * 3) / 8],
      [9, [1, 2, 0], Math.PI / 2],
    ];
    for (const [time, position, angle] of expected) {
      set.reset();
      take(set, time);
      const q = quatOf([0, 1, 0], angle);
      const sign = q[3] * set.poses[3] < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) expect(sign * set.poses[k]).toBeCloseTo(q[k], 14);
      expect([...set.poses.subarray(4)]).toEqual(position);
    }
  });

  it('do not drift: many steps end where one does', () => {
    const [many, once] = [new ObstacleSet([{ ...box, path }]), new ObstacleSet([{ ...box, path }])];
    for (let n = 0; n < 224; n++) take(many, 1 / 64);
    take(once, 3.5);
    expect([...many.poses]).toEqual([...once.poses]);
  });

  it('begin again in a loop', () => {
    const loop = {
      times: [0, 1, 2],
      positions: [
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ] as const,
      loop: true,
    };
    const set = new ObstacleSet([{ ...box, path: loop }]);
    for (const [time, y] of [
      [0.25, 0.25],
      [1.5, 0.5],
      [2, 0],
      [7.25, 0.75],
      [2000.5, 0.5],
    ]) {
      set.reset();
      take(set, time);
      expect(set.poses[5]).toBeCloseTo(y, 12);
    }
  });

  it('turn by a velocity of their own where the path only says where they are', () => {
    const def = {
      ...box,
      path: { times: [0, 1], positions: path.positions.slice(0, 2) },
      angularVelocity: [0, 1, 0] as const,
    };
    const [set, free] = [new ObstacleSet([def]), new ObstacleSet([{ ...box, angularVelocity: [0, 1, 0] }])];
    for (let n = 0; n < 30; n++) for (const each of [set, free]) take(each, STEP);
    expect([...set.poses.subarray(0, 4)]).toEqual([...free.poses.subarray(0, 4)]);
    expect(set.poses[4]).toBeCloseTo(0.5, 12);
  });

  it.each<[string, object, string, string]>([
    ['no times', { times: [], positions: [] }, 'E_EMPTY', '/times'],
    [
      'times that stand still',
      {
        times: [0, 0],
        positions: [
          [0, 0, 0],
          [1, 0, 0],
        ],
      },
      'E_RANGE',
      '/times/1',
    ],
    ['nothing but times', { times: [0, 1] }, 'E_EMPTY', ''],
    ['a position too few', { times: [0, 1], positions: [[0, 0, 0]] }, 'E_RANGE', '/positions'],
    ['a place in the plane', { times: [0], positions: [[0, 0]] }, 'E_RANGE', '/positions/0'],
    ['a number that is none', { times: [0], positions: [[0, 0, Number.NaN]] }, 'E_NOT_FINITE', '/positions/0/2'],
    ['a rotation without length', { times: [0], rotations: [[0, 0, 0, 0]] }, 'E_RANGE', '/rotations/0'],
    [
      'a loop that is open',
      {
        times: [0, 1],
        positions: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        loop: true,
      },
      'E_RANGE',
      '/positions/1',
    ],
  ])('are refused with %s', (_name, wrong, code, place) => {
    const def = { ...box, path: wrong } as unknown as ObstacleDef;
    expect(() => new ObstacleSet([def])).toThrow(
      expect.objectContaining({ code, place: `scene/obstacles/0/path${place}` }),
    );
  });

  it('are refused with a velocity beside it', () => {
    const place = 'scene/obstacles/0/path';
    expect(() => new ObstacleSet([{ ...box, path, velocity: [1, 0, 0] }])).toThrow(expect.objectContaining({ place }));
    expect(() => new ObstacleSet([{ ...box, path, velocity: [0, 0, 0] }])).not.toThrow();
  });
});

describe('obstacles moved by the user', () => {
  it('are there at the end of the step, in one or in parts, and stay', () => {
    fc.assert(
      fc.property(vector, turn, vector, fc.integer({ min: 1, max: 8 }), (from, rotation, to, parts) => {
        const set = new ObstacleSet([{ ...box, position: from, velocity: [1, 0, 0] }]);
        setObstaclePose(set, 0, to, rotation);
        const h = STEP / parts;
        for (let part = 0; part < parts; part++) {
          set.predict(h, STEP - part * h);
          const share = (part + 1) / parts;
          for (let k = 0; k < 3; k++) expect(set.next[4 + k]).toBeCloseTo(from[k] + share * (to[k] - from[k]), 12);
          set.commit();
        }
        take(set, STEP);
        for (let k = 0; k < 3; k++) expect(set.poses[4 + k]).toBeCloseTo(to[k], 12);
        for (let k = 0; k < 4; k++) expect(set.poses[k]).toBeCloseTo(rotation[k], 12);
        set.reset();
        take(set, STEP);
        expect(set.poses[4]).toBeCloseTo(from[0] + STEP, 12);
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it('refuses poses that are none', () => {
    const set = new ObstacleSet([box]);
    const before = stateOf(set);
    expect(() => setObstaclePose(set, 1, [0, 0, 0], [0, 0, 0, 1])).toThrow(
      expect.objectContaining({ code: 'E_INDEX' }),
    );
    expect(() => setObstaclePose(set, 0, [0, Number.NaN, 0], [0, 0, 0, 1])).toThrow(
      expect.objectContaining({ code: 'E_NOT_FINITE' }),
    );
    expect(() => setObstaclePose(set, 0, [0, 0, 0], [0, 0, 0, 0])).toThrow(
      expect.objectContaining({ code: 'E_RANGE' }),
    );
    expect(stateOf(set)).toEqual(before);
  });
});

describe('ObstacleSet', () => {
  const defs: ObstacleDef[] = [
    { ...box, velocity: [0.3, 0, 0], angularVelocity: [0, 2, 1], restitution: 0.25 },
    {
      ...box,
      path: {
        times: [0, 1],
        positions: [
          [0, 0, 0],
          [0, 3, 0],
        ],
      },
    },
    box,
  ];

  it('goes on from a saved state, or a copy of it, bit for bit', () => {
    const set = new ObstacleSet(defs);
    setObstaclePose(set, 2, [1, 2, 3], [0, 1, 0, 0]);
    for (let n = 0; n < 5; n++) take(set, STEP);
    set.save();
    const copy = new ObstacleSet(defs);
    copy.stateArrays().forEach((array, i) => {
      array.set(set.stateArrays()[i]);
    });
    for (let n = 0; n < 5; n++) take(set, STEP);
    const after = stateOf(set);
    set.restore();
    for (let n = 0; n < 5; n++) for (const each of [set, copy]) take(each, STEP);
    expect(stateOf(set)).toEqual(after);
    expect(stateOf(copy)).toEqual(after);
    expect([...copy.rotations]).toEqual([...set.rotations]);
  });

  it('repeats itself after a reset', () => {
    const set = new ObstacleSet(defs);
    const first = stateOf(set);
    for (let n = 0; n < 5; n++) take(set, STEP);
    set.reset();
    expect(stateOf(set)).toEqual(first);
  });

  it('keeps restitution, 0 unless given', () => {
    expect([...new ObstacleSet(defs).restitution]).toEqual([0.25, 0, 0]);
    expect(() => new ObstacleSet([{ ...box, restitution: 1.1 }])).toThrow(
      expect.objectContaining({ place: 'scene/obstacles/0/restitution' }),
    );
  });

  it('refuses vectors of two numbers', () => {
    const velocity = [1, 2] as unknown as Vec3;
    expect(() => new ObstacleSet([{ ...box, velocity }])).toThrow(
      expect.objectContaining({ code: 'E_RANGE', place: 'scene/obstacles/0/velocity' }),
    );
  });
});

describe('obstacleBounds', () => {
  it('holds what is solid at any moment of the step', () => {
    fc.assert(
      fc.property(
        vector,
        turn,
        vector,
        vector,
        vector,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (position, rotation, velocity, spin, sample, share) => {
          const def = { ...box, position, rotation, velocity, angularVelocity: spin };
          const h = 0.3;
          const [set, moment] = [new ObstacleSet([def]), new ObstacleSet([def])];
          set.predict(h);
          const bounds = new Float64Array(6);
          obstacleBounds(set, 0, bounds);
          // a corner of the box, part of the way
          const corner = Float64Array.from([0.3, 0.2, 0.5], (half, k) => (sample[k] < 0 ? -half : half));
          moment.predict(share * h);
          const p = new Float64Array(3);
          outOfObstacle(moment, 0, corner, true, p, 0);
          for (let k = 0; k < 3; k++) {
            expect(p[k]).toBeGreaterThanOrEqual(bounds[k] - 1e-12);
            expect(p[k]).toBeLessThanOrEqual(bounds[3 + k] + 1e-12);
          }
        },
      ),
      { numRuns: 500, seed: 4 },
    );
  });

  it('holds the tip of a rod that passes its farthest place within the step', () => {
    const shape = { kind: 'box', halfExtents: [1, 0.01, 0.01] } as const;
    // a rotation vector of length 1 turns by 2 atan(1/2)
    const rotation = quatOf([0, 0, 1], -Math.atan(0.5));
    const set = new ObstacleSet([{ name: 'rod', shape, rotation, angularVelocity: [0, 0, 1] }]);
    set.predict(1);
    const bounds = new Float64Array(6);
    obstacleBounds(set, 0, bounds);
    expect(bounds[3]).toBeGreaterThan(1);
    expect(bounds[3]).toBeLessThan(1.25);
  });

  it('has no end for planes and containers', () => {
    const bounds = new Float64Array(6);
    for (const shape of [{ kind: 'plane' }, { kind: 'sphere', radius: 1, container: true }] as const) {
      obstacleBounds(new ObstacleSet([{ name: 'a', shape }]), 0, bounds);
      expect([...bounds]).toEqual([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]);
    }
  });

  it('is tight for a ball at rest', () => {
    const bounds = new Float64Array(6);
    const shape = { kind: 'sphere', radius: 0.5 } as const;
    obstacleBounds(new ObstacleSet([{ name: 'ball', shape, position: [1, 2, 3] }]), 0, bounds);
    expect([...bounds]).toEqual([0.5, 1.5, 2.5, 1.5, 2.5, 3.5]);
    expect(shapeDistance(shape, Float64Array.of(0.5, 0, 0), 0, new Float64Array(3), 0)).toBe(0);
  });
});

function coordinate(most: number) {
  return fc.double({ min: -most, max: most, noNaN: true });
}
