/** How far the joints of bodies may still go, measured where the bodies are now and handed to the blocks that end their way. */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Joints } from '../../../body/joints/joints.js';
import { LimitRows } from '../../../body/joints/limit-rows.js';
import { multiplyTransposeMat3 } from '../../../math/mat3-product.js';
import { quatToMat3 } from '../../../math/quat.js';
import { type JointBlocks, LIMIT } from './joint-blocks.js';
import type { RigidBodies } from './rigid-bodies.js';

/** The joints of a body that have limits, in the frames of its bones. */
export interface LimitedBody {
  readonly joints: Joints;
  /** Number of its first joint in the core, and rigid body of each bone, of the world last. */
  readonly firstJoint: number;
  readonly parts: readonly number[];
  /** Rotation of each part's frame in its bone, x, y, z, w, 4 each. */
  readonly turns: ArrayLike<number>;
}

/** One body's rows with the blocks they belong to. */
interface Rows {
  readonly body: LimitedBody;
  readonly rows: LimitRows;
  readonly poses: BonePoses;
  readonly turn: Float64Array;
  readonly firstBlock: Int32Array;
}

/** Limits of all bodies. */
export class LimitBlocks {
  readonly #all: readonly Rows[];
  readonly #blocks: JointBlocks;

  constructor(bodies: readonly LimitedBody[], blocks: JointBlocks) {
    this.#blocks = blocks;
    this.#all = bodies.map((body) => {
      const { parts, joints, firstJoint, turns } = body;
      const n = parts.length;
      const poses = new BonePoses(n, new Float64Array(n * 4), new Float64Array(n * 9), new Float64Array(n * 3));
      const turn = new Float64Array(n * 9);
      for (let bone = 0; bone < n; bone++) quatToMat3(turn, bone * 9, turns, bone * 4);
      // blocks of limits come in the order of their rows
      const own = Array.from(blocks.role.keys()).filter((i) => {
        const j = blocks.joint[i] - firstJoint;
        return blocks.role[i] === LIMIT && j >= 0 && j < joints.count;
      });
      return { body, rows: new LimitRows(joints, n - 1), poses, turn, firstBlock: Int32Array.from(own) };
    });
  }

  /** Fills direction and way left of every limit block. */
  measure({ rotation }: RigidBodies): void {
    for (let n = 0; n < this.#all.length; n++) {
      const { body, poses, turn, rows } = this.#all[n];
      for (let bone = 0; bone < body.parts.length; bone++) {
        multiplyTransposeMat3(poses.rotations, bone * 9, rotation, body.parts[bone] * 9, turn, bone * 9);
      }
      rows.measure(poses);
      this.#hand(this.#all[n]);
    }
  }

  #hand({ body: { joints, parts }, rows, firstBlock }: Rows): void {
    const { axis, left, locked } = this.#blocks;
    const { limits, boneB } = joints;
    for (let row = 0; row < limits.count; row++) {
      const block = firstBlock[row];
      const { slope, value } = rows;
      const o = row * 3;
      const steep = Math.sqrt(slope[o] * slope[o] + slope[o + 1] * slope[o + 1] + slope[o + 2] * slope[o + 2]);
      // the second of a pair turns, and A is the first, except against the world
      const sign = boneB[limits.pair[row]] === parts.length - 1 ? 1 : -1;
      const scale = steep > 0 ? sign / steep : 0;
      for (let k = 0; k < 3; k++) axis[block * 3 + k] = scale * slope[o + k];
      left[block] = steep > 0 ? value[row] / steep : Number.POSITIVE_INFINITY;
      locked[block] = limits.locked[row];
    }
  }
}
