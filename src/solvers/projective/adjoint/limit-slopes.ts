/**
 * Limits that push at the end of a step: the direction each pushes about, how hard, and how the torque changes when its bones turn. Directions of leans and
 * twists change with the lean, which counts: a narrow cone that pushes with 10 N m resists sliding along it as a spring does. Found by
 * nudging the second bone. Called by the adjoint of the step.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import { JOINT_TYPES } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { LimitRows } from '../../../body/joints/limit-rows.js';
import { turnQuat } from '../../../math/rotation.js';
import { dotVec3, lengthSqVec3 } from '../../../math/vec3.js';

/** A limit whose pair feels a torque counts where this little is left of it [rad]. */
const REACHED = 1e-4;
/** Turn of a bone that slopes of directions are taken over [rad]. */
const NUDGE = 1e-5;
const HINGE = JOINT_TYPES.indexOf('hinge');

/** The limits of one body. */
export class LimitSlopes {
  /** Rows that push, and how many. */
  count = 0;
  readonly row: Int32Array;
  readonly pair: Int32Array;
  /** Direction of each, world axes, 3 each. */
  readonly direction: Float64Array;
  /** Minus the change of its torque with a turn of the second bone, world axes, 9 each [N m/rad]. */
  readonly stiffness: Float64Array;
  readonly #torque: Float64Array;
  readonly #joints: Joints;
  readonly #limits: LimitRows;
  readonly #nudged: BonePoses;
  readonly #turn = new Float64Array(3);

  constructor(joints: Joints, world: number) {
    const most = joints.limits.count;
    this.#joints = joints;
    this.#limits = new LimitRows(joints, world);
    this.#nudged = new BonePoses(world + 1);
    this.row = new Int32Array(most);
    this.pair = new Int32Array(most);
    this.direction = new Float64Array(most * 3);
    this.stiffness = new Float64Array(most * 9);
    this.#torque = new Float64Array(most);
  }

  /** Finds them. `torques`: 6 per pair, those of limits first; `child`: the bone of a pair that hangs on the other. */
  prepare(poses: BonePoses, torques: Float64Array, child: (pair: number) => number): void {
    this.count = 0;
    if (this.row.length === 0) return;
    const { value, slope } = this.#limits;
    this.#limits.clearCuts();
    this.#limits.measure(poses);
    for (let row = 0; row < this.row.length; row++) {
      const pair = this.#joints.limits.pair[row];
      if (lengthSqVec3(torques, pair * 6) === 0 || !(Math.abs(value[row]) < REACHED)) continue;
      const n = this.count++;
      this.row[n] = row;
      this.pair[n] = pair;
      for (let k = 0; k < 3; k++) this.direction[n * 3 + k] = slope[row * 3 + k];
    }
    this.stiffness.fill(0, 0, this.count * 9);
    for (let n = 0; n < this.count; n++) this.#torque[n] = this.#share(n, torques);
    for (let n = 0; n < this.count; n++) {
      if (this.#joints.types[this.pair[n]] !== HINGE) this.#bend(n, poses, child(this.pair[n]));
    }
  }

  /** How hard a row pushes of those of its pair, at most two: what their directions make of the pair's torque. */
  #share(n: number, torques: Float64Array): number {
    const g = this.direction;
    const t = this.pair[n] * 6;
    const own = lengthSqVec3(g, n * 3);
    const along = dotVec3(g, n * 3, torques, t);
    for (const other of [n - 1, n + 1]) {
      if (other < 0 || other >= this.count || this.pair[other] !== this.pair[n]) continue;
      const across = dotVec3(g, n * 3, g, other * 3);
      const square = lengthSqVec3(g, other * 3);
      const determinant = own * square - across * across;
      if (determinant > 1e-6 * own * square)
        return (along * square - across * dotVec3(g, other * 3, torques, t)) / determinant;
    }
    return along / own;
  }

  #bend(n: number, poses: BonePoses, bone: number): void {
    const { slope } = this.#limits;
    const nudged = this.#nudged;
    for (let k = 0; k < 3; k++) {
      for (const sign of [1, -1]) {
        nudged.copy(poses);
        this.#turn.fill(0);
        this.#turn[k] = sign * NUDGE;
        turnQuat(nudged.quats, bone * 4, this.#turn, 0);
        nudged.updateRotation(bone);
        this.#limits.measure(nudged);
        for (let i = 0; i < 3; i++)
          this.stiffness[n * 9 + i * 3 + k] -= (sign * this.#torque[n] * slope[this.row[n] * 3 + i]) / (2 * NUDGE);
      }
    }
  }
}
