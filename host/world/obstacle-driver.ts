/**
 * The obstacles of a world as the page knows them: they come and go, and are moved to where the user has put them over all the
 * steps of a picture, so that friction drags along what they touch. The page gives each a number of its own for good; the
 * world gives numbers out again.
 */
import type { Vec3 } from '../../src/body/body-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { setObstaclePose } from '../../src/collision/obstacles/obstacle-motion.js';
import { TendonError } from '../../src/errors.js';
import { addObstacle, type ObstacleWorld, removeObstacle } from '../../src/world/obstacle-control.js';
import { POSE } from '../frames/frame-layout.js';

type Quat = NonNullable<ObstacleDef['rotation']>;

/** The world's number of an obstacle that could not be added, which has been said: moving it does nothing. */
const REFUSED = -1;

/** Adds, removes and moves the obstacles of a world; those that were moved stay instead of following velocities of their own. */
export class ObstacleDriver {
  readonly #world: ObstacleWorld;
  /** From the page's numbers to the world's, and back, where a removed one stays until its number is given out again. */
  readonly #numbers = new Map<number, number>();
  readonly #ids: number[] = [];
  /** Poses that are still to be reached, by the world's number. */
  readonly #goals = new Map<number, Float64Array>();
  readonly #way = new Float64Array(POSE);

  constructor(world: ObstacleWorld) {
    this.#world = world;
    for (let i = 0; i < world.obstacles.count; i++) this.#bind(i, i);
  }

  /** Adds an obstacle that the page calls `id`. */
  add(id: number, def: ObstacleDef): void {
    this.#numbers.set(id, REFUSED);
    this.#bind(id, addObstacle(this.#world, def));
  }

  /** Removes an obstacle. */
  remove(id: number): void {
    const number = this.#numberOf(id);
    this.#numbers.delete(id);
    if (number === REFUSED) return;
    this.#goals.delete(number);
    removeObstacle(this.#world, number);
  }

  /** The page's number of the obstacle that the world calls `number`. */
  idOf(number: number): number {
    return this.#ids[number];
  }

  /** Sends an obstacle to a pose; `jump`: puts it there at once, and nothing on the way is touched. */
  move(id: number, position: Vec3, rotation: Quat, jump = false): void {
    const number = this.#numberOf(id);
    if (number === REFUSED) return;
    const { obstacles } = this.#world;
    setObstaclePose(obstacles, number, position, rotation);
    const goal = obstacles.targets.slice(number * POSE, (number + 1) * POSE);
    this.#goals.set(number, goal);
    // the step works out everything else from the poses
    if (jump) obstacles.poses.set(goal, number * POSE);
  }

  /** Before each step: goals are reached at the end of the last of `steps` steps. */
  beforeStep(steps: number): void {
    for (const [number, goal] of this.#goals) {
      const way = this.#way;
      if (steps > 1) this.#partOfWay(number, goal, 1 / steps);
      else way.set(goal);
      setObstaclePose(this.#world.obstacles, number, way.subarray(4), way.subarray(0, 4));
      if (steps === 1) this.#goals.delete(number);
    }
  }

  /** Forgets goals; the world forgets where obstacles were sent when it is reset. */
  reset(): void {
    this.#goals.clear();
  }

  #bind(id: number, number: number): void {
    this.#numbers.set(id, number);
    this.#ids[number] = id;
  }

  #numberOf(id: number): number {
    const number = this.#numbers.get(id);
    if (number === undefined) throw new TendonError('E_INDEX', 'obstacle', id, 'there is no obstacle of this number');
    return number;
  }

  #partOfWay(number: number, goal: Float64Array, share: number): void {
    const way = this.#way;
    way.set(this.#world.obstacles.poses.subarray(number * POSE, (number + 1) * POSE));
    let same = 0;
    for (let k = 0; k < 4; k++) same += way[k] * goal[k];
    for (let k = 0; k < POSE; k++) {
      // of the two quaternions of a rotation the one nearer to the present
      const end = k < 4 && same < 0 ? -goal[k] : goal[k];
      way[k] += share * (end - way[k]);
    }
  }
}
