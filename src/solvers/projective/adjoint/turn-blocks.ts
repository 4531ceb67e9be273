/**
 * What resists the bones of a body being turned, beyond their inertia and the flesh around them, as it really is: neither made positive nor made
 * symmetric as in the bone step. One 3x3 block per bone and two per pair, in the axes of the bones; the adjoint of the step multiplies by their
 * transpose. A torque τ that turns with the first bone of a pair and changes by −K with a turn of the second against it adds, in the
 * exponential coordinates of both,
 *
 *     K − ½[τ]   to each bone        −K   to row A, column B        [τ] − K   to row B, column A
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { JOINT_TABLE, JOINT_TYPES, POINT_ROWS } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { crossMat3 } from '../../../math/mat3.js';
import { multiplyMat3, multiplyTransposeMat3, transposeMultiplyMat3 } from '../../../math/mat3-product.js';

/** Blocks of one body. */
export class TurnBlocks {
  /** Of each bone, 9 per bone. */
  readonly own: Float64Array;
  readonly #joints: Joints;
  readonly #boneCount: number;
  readonly #scale: number;
  /** Row of the first bone and column of the second, and the other way round, 9 each per pair. */
  readonly #across: Float64Array;
  readonly #back: Float64Array;
  readonly #spin = new Float64Array(9);
  readonly #block = new Float64Array(9);
  readonly #turned = new Float64Array(9);
  readonly #axis = new Float64Array(9);

  /** `scale`: the length that makes gaps of angles metres. */
  constructor(joints: Joints, boneCount: number, scale: number) {
    this.#joints = joints;
    this.#boneCount = boneCount;
    this.#scale = scale;
    this.own = new Float64Array(boneCount * 9);
    this.#across = new Float64Array(joints.count * 9);
    this.#back = new Float64Array(joints.count * 9);
  }

  /** Nothing but these blocks, 9 per bone. */
  start(own: Float64Array): void {
    this.own.set(own);
    this.#across.fill(0);
    this.#back.fill(0);
  }

  /** Adds a torque (at torque[t], world axes) that turns with the first bone `a` of a pair, and K (at k[o], world axes). */
  addTorque(
    poses: BonePoses,
    pair: number,
    a: number,
    b: number,
    torque: Float64Array,
    t: number,
    k: Float64Array,
    o: number,
  ): void {
    const [spin, block] = [this.#spin, this.#block];
    crossMat3(spin, 0, torque, t);
    for (let i = 0; i < 9; i++) block[i] = k[o + i] - 0.5 * spin[i];
    this.#addOwn(poses, a, block);
    this.#addOwn(poses, b, block);
    if (a === this.#boneCount || b === this.#boneCount) return;
    const isFirst = this.#joints.boneA[pair] === a;
    for (let i = 0; i < 9; i++) block[i] = -k[o + i];
    this.#addBetween(poses, isFirst ? this.#across : this.#back, pair, a, b, block);
    for (let i = 0; i < 9; i++) block[i] = spin[i] - k[o + i];
    this.#addBetween(poses, isFirst ? this.#back : this.#across, pair, b, a, block);
  }

  /** Adds a moment on one bone from outside, 3 numbers per bone, that keeps its direction in the world but for `turning`, 9 per bone, by which a turn lessens it. */
  addMoment(poses: BonePoses, bone: number, moments: Float64Array, turning: Float64Array): void {
    crossMat3(this.#spin, 0, moments, bone * 3);
    for (let i = 0; i < 9; i++) this.#block[i] = turning[bone * 9 + i] - 0.5 * this.#spin[i];
    this.#addOwn(poses, bone, this.#block);
  }

  /** Adds what the rows that keep directions at right angles, scale (R_A a)·(R_B b), do between two bones; their own blocks are in bone-curvature.ts. */
  addAngleRows({ rotations }: BonePoses, multipliers: Float64Array): void {
    const { count, boneA, boneB, rowStart, frame, types } = this.#joints;
    const [block, turned] = [this.#block, this.#turned];
    for (let pair = 0; pair < count; pair++) {
      if (boneB[pair] === this.#boneCount) continue;
      const { equal } = JOINT_TABLE[JOINT_TYPES[types[pair]]];
      transposeMultiplyMat3(turned, 0, rotations, boneA[pair] * 9, rotations, boneB[pair] * 9);
      for (let n = 0; n < equal.length; n++) {
        const force = multipliers[rowStart[pair] + POINT_ROWS + n] * this.#scale;
        // [a]ᵀ R_Aᵀ R_B [b]
        crossMat3(this.#axis, 0, frame, pair * 9 + equal[n][0] * 3);
        transposeMultiplyMat3(block, 0, this.#axis, 0, turned, 0);
        crossMat3(this.#axis, 0, frame, pair * 9 + equal[n][1] * 3);
        multiplyMat3(this.#spin, 0, block, 0, this.#axis, 0);
        for (let i = 0; i < 9; i++) {
          this.#across[pair * 9 + i] += force * this.#spin[i];
          this.#back[pair * 9 + i] += force * this.#spin[(i % 3) * 3 + Math.floor(i / 3)];
        }
      }
    }
  }

  /** out += the transpose of all blocks times s: six numbers per bone in both, of which the first three are turns. */
  addTransposedProduct(s: Float64Array, from: number, out: Float64Array): void {
    for (let bone = 0; bone < this.#boneCount; bone++) {
      addTransposed(out, from + bone * 6, this.own, bone * 9, s, from + bone * 6);
    }
    const { count, boneA, boneB } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      if (boneB[pair] === this.#boneCount) continue;
      addTransposed(out, from + boneB[pair] * 6, this.#across, pair * 9, s, from + boneA[pair] * 6);
      addTransposed(out, from + boneA[pair] * 6, this.#back, pair * 9, s, from + boneB[pair] * 6);
    }
  }

  #addOwn({ rotations }: BonePoses, bone: number, block: Float64Array): void {
    if (bone === this.#boneCount) return;
    multiplyMat3(this.#turned, 0, block, 0, rotations, bone * 9);
    transposeMultiplyMat3(this.#axis, 0, rotations, bone * 9, this.#turned, 0);
    for (let i = 0; i < 9; i++) this.own[bone * 9 + i] += this.#axis[i];
  }

  #addBetween(
    { rotations }: BonePoses,
    out: Float64Array,
    pair: number,
    j: number,
    k: number,
    block: Float64Array,
  ): void {
    multiplyMat3(this.#turned, 0, block, 0, rotations, k * 9);
    transposeMultiplyMat3(this.#axis, 0, rotations, j * 9, this.#turned, 0);
    for (let i = 0; i < 9; i++) out[pair * 9 + i] += this.#axis[i];
  }
}

/** out = R K Rᵀ: a matrix in the axes of a bone, in those of the world. */
export function turnedToWorld(out: Float64Array, rotations: Float64Array, r: number, k: Float64Array, o: number): void {
  const product = new Float64Array(9);
  multiplyMat3(product, 0, rotations, r, k, o);
  multiplyTransposeMat3(out, 0, product, 0, rotations, r);
}

function addTransposed(out: Float64Array, o: number, a: Float64Array, i: number, v: Float64Array, j: number): void {
  for (let k = 0; k < 3; k++) out[o + k] += a[i + k] * v[j] + a[i + 3 + k] * v[j + 1] + a[i + 6 + k] * v[j + 2];
}
