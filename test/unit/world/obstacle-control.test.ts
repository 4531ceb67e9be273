/** Obstacles that come and go while a world runs. */
import { describe, expect, it } from 'vitest';
import {
  addObstacle,
  createWorld,
  hashWorld,
  type ObstacleDef,
  removeObstacle,
  resetWorld,
  restoreSnapshot,
  type SceneDef,
  setObstaclePose,
  stepWorld,
  takeSnapshot,
  trackContacts,
  type World,
} from '../../../src/index.js';
import { latticeBody } from '../../support/checks/penetration.js';

/** 20 cm of jelly with its underside at y = 0. */
const BLOCK = latticeBody({ cells: [2, 2, 2], cellSize: [0.1, 0.1, 0.1] });
const ALONE: SceneDef = { name: 'alone', description: 'a block', bodies: [{ body: BLOCK }] };
const FLOOR: ObstacleDef = { name: 'floor', shape: { kind: 'plane' }, position: [0, -0.3, 0] };

function run(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) expect(stepWorld(world)).toBe(true);
}

function lowest({ bodies: [{ state }] }: World): number {
  return state.positions.reduce((least, value, i) => (i % 3 === 1 ? Math.min(least, value) : least), 1e9);
}

describe('an obstacle that is added', () => {
  it('catches what falls, and lets it fall on when it is removed', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    run(world, 6);
    const floor = addObstacle(world, FLOOR);
    run(world, 114);
    expect(lowest(world)).toBeCloseTo(-0.3, 2);
    const wall = addObstacle(world, { ...FLOOR, name: 'wall', position: [0, -9, 0] });
    removeObstacle(world, floor);
    expect([floor, wall]).toEqual([0, 1]);
    run(world, 60);
    expect(lowest(world)).toBeLessThan(-2);
  });

  it('gives the same bits each time, and leaves those of a world without it alone', async () => {
    const play = async () => {
      const world = await createWorld(ALONE, { obstaclesLater: true });
      run(world, 10);
      const floor = addObstacle(world, FLOOR);
      run(world, 40);
      removeObstacle(world, floor);
      run(world, 10);
      return hashWorld(world);
    };
    expect(await play()).toBe(await play());
    const [ready, plain] = [await createWorld(ALONE, { obstaclesLater: true }), await createWorld(ALONE)];
    run(ready, 30);
    run(plain, 30);
    expect(ready.bodies[0].state.positions).toEqual(plain.bodies[0].state.positions);
  });

  it('does as one that was there from the start, and leaves the others where they were sent', async () => {
    const lift: ObstacleDef = {
      name: 'lift',
      shape: { kind: 'box', halfExtents: [1, 0.1, 1] },
      position: [0, -0.5, 0],
    };
    const [early, late] = [
      await createWorld({ ...ALONE, obstacles: [lift, FLOOR] }),
      await createWorld({ ...ALONE, obstacles: [lift] }),
    ];
    for (const world of [early, late]) setObstaclePose(world.obstacles, 0, [0, -0.4, 0], [0, 0, 0, 1]);
    addObstacle(late, FLOOR);
    run(early, 60);
    run(late, 60);
    expect(hashWorld(late)).toBe(hashWorld(early));
  });

  it('starts on its path where the path is by now', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    run(world, 30);
    const path = {
      times: [0, 1],
      positions: [
        [0, 0, 0],
        [10, 0, 0],
      ],
    } as const;
    const number = addObstacle(world, { name: 'ball', shape: { kind: 'sphere', radius: 0.1 }, path });
    expect(world.obstacles.poses[7 * number + 4]).toBeCloseTo(10 * world.time, 9);
  });

  it('stays when the world is reset, at its first place', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    const floor = addObstacle(world, FLOOR);
    run(world, 60);
    const hash = hashWorld(world);
    setObstaclePose(world.obstacles, floor, [0, 4, 0], [0, 0, 0, 1]);
    resetWorld(world);
    run(world, 60);
    expect(hashWorld(world)).toBe(hash);
  });
});

describe('numbers of obstacles', () => {
  it('are given out again after a step, so that touches end before others begin', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    const tracker = trackContacts(world);
    const follow = (steps: number) => {
      for (let i = 0; i < steps; i++) {
        run(world, 1);
        tracker.observe();
      }
      return tracker.take().map(({ phase, obstacle }) => `${phase} ${obstacle}`);
    };
    const under: ObstacleDef = { ...FLOOR, position: [0, 0, 0] };
    expect(addObstacle(world, under)).toBe(0);
    expect(follow(20)).toEqual(['begin 0']);
    removeObstacle(world, 0);
    expect(addObstacle(world, under)).toBe(1);
    expect(follow(2)).toEqual(['end 0', 'begin 1']);
    expect(addObstacle(world, FLOOR)).toBe(0);
  });

  it('that nothing has are refused', async () => {
    const world = await createWorld({ ...ALONE, obstacles: [FLOOR] });
    expect(() => removeObstacle(world, 1)).toThrow(/E_INDEX/);
    removeObstacle(world, 0);
    expect(() => removeObstacle(world, 0)).toThrow(/E_INDEX/);
    expect(() => setObstaclePose(world.obstacles, 0, [0, 0, 0], [0, 0, 0, 1])).toThrow(/E_INDEX/);
  });
});

describe('worlds', () => {
  it('that have no room for contacts say what to build them with', async () => {
    const world = await createWorld(ALONE);
    expect(() => addObstacle(world, FLOOR)).toThrow(/E_RANGE at options\/obstaclesLater/);
  });

  it('are left alone by an obstacle that makes no sense', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    const { obstacles } = world;
    expect(() => addObstacle(world, { ...FLOOR, friction: -1 })).toThrow(/E_RANGE/);
    expect(world.obstacles).toBe(obstacles);
  });

  it('refuse snapshots of the time before', async () => {
    const world = await createWorld(ALONE, { obstaclesLater: true });
    const before = takeSnapshot(world);
    const floor = addObstacle(world, FLOOR);
    run(world, 3);
    expect(() => restoreSnapshot(world, before)).toThrow(/E_SNAPSHOT/);
    const between = takeSnapshot(world);
    removeObstacle(world, floor);
    expect(() => restoreSnapshot(world, between)).toThrow(/E_SNAPSHOT/);
  });
});
