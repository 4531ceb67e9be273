/** Moves obstacles to where the user has put them, over all the steps of a picture, so that friction drags along what they touch. */
import type { Vec3 } from '../src/body/body-def.js';
import type { ObstacleSet } from '../src/collision/obstacle.js';
import { setObstaclePose } from '../src/collision/obstacle-motion.js';
import { POSE } from './frame-layout.js';
import type { Quat } from './protocol.js';

/** Sends the obstacles of a world somewhere; they stay there instead of following velocities of their own. */
export class ObstacleDriver {
  readonly #set: ObstacleSet;
  /** Poses that are still to be reached, by number of the obstacle. */
  readonly #goals = new Map<number, Float64Array>();
  readonly #way = new Float64Array(POSE);

  constructor(set: ObstacleSet) {
    this.#set = set;
  }

  /** Sends an obstacle to a pose. */
  move(index: number, position: Vec3, rotation: Quat): void {
    setObstaclePose(this.#set, index, position, rotation);
    this.#goals.set(index, this.#set.targets.slice(index * POSE, (index + 1) * POSE));
  }

  /** Puts an obstacle to where it was sent at once: nothing on the way is touched. */
  jump(index: number): void {
    // the step works out everything else from the poses
    this.#set.poses.set(this.#goals.get(index) ?? [], index * POSE);
  }

  /** Before each step: goals are reached at the end of the last of `steps` steps. */
  beforeStep(steps: number): void {
    for (const [index, goal] of this.#goals) {
      const way = this.#way;
      if (steps > 1) this.#partOfWay(index, goal, 1 / steps);
      else way.set(goal);
      setObstaclePose(this.#set, index, way.subarray(4), way);
      if (steps === 1) this.#goals.delete(index);
    }
  }

  /** Forgets goals; the world forgets where obstacles were sent when it is reset. */
  reset(): void {
    this.#goals.clear();
  }

  #partOfWay(index: number, goal: Float64Array, share: number): void {
    const way = this.#way;
    way.set(this.#set.poses.subarray(index * POSE, (index + 1) * POSE));
    let same = 0;
    for (let k = 0; k < 4; k++) same += way[k] * goal[k];
    for (let k = 0; k < POSE; k++) {
      // of the two quaternions of a rotation the one nearer to the present
      const end = k < 4 && same < 0 ? -goal[k] : goal[k];
      way[k] += share * (end - way[k]);
    }
  }
}
