/** What hangs on each joint of a body as it is now, and the torque that carries it. Made for tracking, filled once before each step. */
import { MOTOR } from '../../body/joints/motor-state.js';
import { levelMoments, type Subtrees } from '../../body/joints/subtrees.js';
import { unrotateVec3 } from '../../math/quat.js';
import { crossVec3, lengthVec3 } from '../../math/vec3.js';
import type { World, WorldBody } from '../world.js';

/** Where there is no gravity, what is level counts as it would on the ground [m/s²]. */
const STANDARD_GRAVITY = 9.81;

/** Weights of one body. */
export class HangingWeight {
  /** What holds level what hangs on each bone's joint, at rest [N m]. */
  readonly level: Float64Array;
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #tree: Subtrees;
  /** Mass times place, and mass, of everything from each bone outwards. */
  readonly #hanging: Float64Array;
  readonly #moment = new Float64Array(3);
  readonly #arm = new Float64Array(3);

  constructor(world: World, body: WorldBody, tree: Subtrees) {
    this.#world = world;
    this.#body = body;
    this.#tree = tree;
    this.#hanging = new Float64Array(body.model.bones.count * 4);
    const gravity = lengthVec3(world.gravity, 0) || STANDARD_GRAVITY;
    this.level = levelMoments(body.model, tree, gravity);
  }

  /** Takes everything as it is now. */
  measure(): void {
    const { order, parent, mass, centre } = this.#tree;
    const { bones } = this.#body.model;
    const { rotations, translations } = this.#body.state.poses;
    const hanging = this.#hanging;
    for (let bone = 0; bone < bones.count; bone++) {
      for (let k = 0; k < 3; k++) {
        let at = translations[bone * 3 + k];
        for (let p = 0; p < 3; p++)
          at += rotations[bone * 9 + k * 3 + p] * (centre[bone * 3 + p] - bones.centre[bone * 3 + p]);
        hanging[bone * 4 + k] = mass[bone] * at;
      }
      hanging[bone * 4 + 3] = mass[bone];
    }
    for (let n = order.length - 1; n >= 0; n--) {
      const bone = order[n];
      for (let k = 0; parent[bone] >= 0 && k < 4; k++) hanging[parent[bone] * 4 + k] += hanging[bone * 4 + k];
    }
  }

  /** Writes the torque that carries `share` of what hangs on a bone's joint, in the axes of its first bone, to the motor at `o`. */
  feed(bone: number, motors: Float64Array, o: number, share: number): void {
    const { joints } = this.#body.model;
    const { rotations, translations, quats } = this.#body.state.poses;
    const pair = this.#tree.pairOf[bone];
    const a = joints.boneA[pair];
    const arm = this.#arm;
    const mass = this.#hanging[bone * 4 + 3];
    for (let k = 0; k < 3; k++) {
      let anchor = translations[a * 3 + k];
      for (let p = 0; p < 3; p++) anchor += rotations[a * 9 + k * 3 + p] * joints.anchorA[pair * 3 + p];
      arm[k] = this.#hanging[bone * 4 + k] - mass * anchor;
    }
    crossVec3(this.#moment, 0, arm, 0, this.#world.gravity, 0);
    // minus the moment of the weight, on the part that hangs; motors count what they do to the second bone
    const sign = joints.boneB[pair] === bone ? -share : share;
    for (let k = 0; k < 3; k++) this.#moment[k] *= sign;
    unrotateVec3(motors, o + MOTOR.feed, quats, a * 4, this.#moment, 0);
  }
}
