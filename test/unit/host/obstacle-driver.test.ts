import { describe, expect, it } from 'vitest';
import { ObstacleDriver } from '../../../host/world/obstacle-driver.js';
import { ObstacleSet } from '../../../src/collision/obstacles/obstacle.js';
import type { ObstacleWorld } from '../../../src/world/obstacle-control.js';

const DT = 1 / 60;
const HALF_TURN = [0, 1, 0, 0] as const;
const UNTURNED = [0, 0, 0, 1] as const;

function setUp() {
  const shape = { kind: 'sphere', radius: 1 } as const;
  const set = new ObstacleSet([
    { name: 'still', shape },
    { name: 'rising', shape, velocity: [0, 6, 0] },
  ]);
  const driver = new ObstacleDriver({ obstacles: set } as ObstacleWorld);
  const take = (steps: number) => {
    for (let left = steps; left > 0; left--) {
      driver.beforeStep(left);
      set.predict(DT);
      set.commit();
    }
  };
  const pose = (i: number) => Array.from(set.poses.subarray(7 * i, 7 * i + 7));
  return { set, driver, take, pose };
}

describe('ObstacleDriver', () => {
  it('spreads a move evenly over the steps of a picture and ends where it was sent', () => {
    const { driver, set, pose } = setUp();
    driver.move(0, [4, 0, 0], HALF_TURN);
    const places: number[] = [];
    for (let left = 4; left > 0; left--) {
      driver.beforeStep(left);
      set.predict(DT);
      set.commit();
      places.push(pose(0)[4]);
      expect(Math.hypot(...pose(0).slice(0, 4))).toBeCloseTo(1, 12);
    }
    places.forEach((x, i) => {
      expect(x).toBeCloseTo(i + 1, 12);
    });
    expect(pose(0)).toEqual([...HALF_TURN, 4, 0, 0]);
  });

  it('leaves what was moved where it is, also what has a velocity of its own', () => {
    const { driver, take, pose } = setUp();
    take(1);
    expect(pose(1)[5]).toBeCloseTo(0.1, 12);
    driver.move(1, [0, 2, 0], UNTURNED);
    take(1);
    take(3);
    expect(pose(1)).toEqual([...UNTURNED, 0, 2, 0]);
  });

  it('jumps without a way between', () => {
    const { driver, set, pose } = setUp();
    driver.move(0, [0, 0, 9], UNTURNED, true);
    expect(pose(0)).toEqual([...UNTURNED, 0, 0, 9]);
    driver.beforeStep(1);
    set.predict(DT);
    expect(Array.from(set.next.subarray(0, 7))).toEqual(pose(0));
  });

  it('forgets with a reset', () => {
    const { driver, set, take, pose } = setUp();
    driver.move(1, [0, 2, 0], UNTURNED);
    driver.reset();
    set.reset();
    take(1);
    expect(pose(1)[5]).toBeCloseTo(0.1, 12);
  });

  it.each([
    [2, [0, 0, 0], UNTURNED, 'E_INDEX'],
    [0, [0, Number.NaN, 0], UNTURNED, 'E_NOT_FINITE'],
    [0, [0, 0, 0], [0, 0, 0, 0], 'E_RANGE'],
  ] as const)('refuses obstacle %i at %j turned by %j', (index, position, rotation, code) => {
    const { driver, take, pose } = setUp();
    expect(() => driver.move(index, position, rotation)).toThrow(expect.objectContaining({ code }));
    take(1);
    expect(pose(0)).toEqual([...UNTURNED, 0, 0, 0]);
  });
});
