/** Obstacles that come and go while a world runs. Its solvers and its state stay as they are. */
import { ObstacleSet } from '../collision/obstacles/obstacle.js';
import { NO_OBSTACLE, type ObstacleDef } from '../collision/obstacles/obstacle-def.js';
import { requireGiven, TendonError } from '../errors.js';
import type { World } from './world.js';

/** What of a world is concerned. */
export type ObstacleWorld = Pick<World, 'obstacles' | 'options' | 'contacts'>;

/**
 * Adds an obstacle before the next step, where its description puts it at the present time, and returns its number. Numbers
 * of others stay; those of removed ones are given out again once a step was taken without them. Throws E_RANGE where the world
 * has no room for contacts: build it with `obstaclesLater`.
 *
 * @example
 * const ball = addObstacle(world, { name: 'ball', shape: { kind: 'sphere', radius: 0.2 }, position: [0, 1, 0] });
 */
export function addObstacle(world: ObstacleWorld, def: ObstacleDef): number {
  requireGiven(def, 'obstacle');
  if (world.options.contact === 'implicit' && world.contacts.capacity === 0) {
    const advice = 'the world was built with nothing to touch: build it with the option obstaclesLater';
    throw new TendonError('E_RANGE', 'options/obstaclesLater', false, advice);
  }
  const number = freeNumber(world.obstacles);
  replaceObstacle(world, number, def);
  return number;
}

/** Removes an obstacle before the next step: what rested on it falls. Throws E_INDEX where there is none of that number. */
export function removeObstacle(world: ObstacleWorld, number: number): void {
  if (!world.obstacles.has(number)) {
    throw new TendonError('E_INDEX', 'obstacle', number, 'there is no obstacle of this number');
  }
  replaceObstacle(world, number, NO_OBSTACLE);
  world.obstacles.removedAt[number] = world.obstacles.clock[0];
}

/** The lowest number that nothing has, and that nothing had in the last step: whoever follows touches has seen its end. */
function freeNumber(set: ObstacleSet): number {
  for (let i = 0; i < set.count; i++) {
    if (!set.has(i) && set.removedAt[i] < set.clock[0]) return i;
  }
  return set.count;
}

/** Nothing is changed where the description makes no sense. */
function replaceObstacle(world: ObstacleWorld, number: number, def: ObstacleDef): void {
  const defs = [...world.obstacles.defs];
  defs[number] = def;
  const set = new ObstacleSet(defs);
  set.takeOver(world.obstacles, number);
  world.obstacles = set;
}
