/**
 * A creature: flesh with bones in it. What carries vertices along with bones, what holds bones together and what motors do is solved at once, so that rows are left for what touches and for limits alone:
 *
 *     (M + Jᵀ K J + motors) ΔV = Jᵀ K e + Lᵀ p + Gᵀ π        G ΔV + c π = what joints lack
 *
 * V: velocities and spins of the bones, J: what they make of the vertices they carry, e: how far those were from it, L = W J: how the rest of the flesh follows, p: pushes on it (see `FollowModel`).
 */
import { TWIST } from '../rigid/rigid-bodies.js';
import { pointVelocity, type RowSystem } from '../rows/row-system.js';
import { type CreatureBlock, CreatureJoints, isSolvedWithBones } from './creature-joints.js';
import { addSquare, factorLower, invertLower, mirror } from './dense.js';
import { type FollowModel, type FollowTables, SHARE } from './follow-model.js';
import { fillSkeleton, rotate } from './skeleton-matrix.js';

const U = new Float64Array(3);
const R = new Float64Array(3);

/** One creature. */
export class Creature {
  readonly model: FollowModel;
  /** Number of its flesh; its bones, as rigid bodies; its bindings, which are contacts of these numbers; its joint blocks. */
  readonly soft: number;
  readonly bones: Int32Array;
  readonly bindings: Int32Array;
  readonly blocks: readonly CreatureBlock[];
  /** 6 per bone; how bones answer pushes on bones. */
  readonly size: number;
  readonly answer: Float64Array;
  /** Pushes on the bones, and what comes of them. */
  readonly wrench: Float64Array;
  readonly motion: Float64Array;
  /** Of the track at hand. */
  tables: FollowTables;
  readonly #joints: CreatureJoints;
  /** Velocities of before, and pushes on the bones if nothing touched. */
  readonly #before: Float64Array;
  readonly #start: Float64Array;
  readonly #matrix: Float64Array;
  /** Of each carried vertex: how far its velocity is from where its bone should take it, and K times that. */
  readonly #slip: Float64Array;
  readonly #force: Float64Array;

  constructor(
    model: FollowModel,
    soft: number,
    bones: Int32Array,
    bindings: Int32Array,
    blocks: readonly CreatureBlock[],
  ) {
    this.model = model;
    this.soft = soft;
    this.bones = bones;
    this.bindings = bindings;
    this.blocks = blocks;
    this.tables = model.tracks[0];
    const n = bones.length * TWIST;
    this.size = n;
    this.answer = new Float64Array(n * n);
    this.wrench = new Float64Array(n);
    this.motion = new Float64Array(n);
    this.#joints = new CreatureJoints(blocks, n);
    this.#before = new Float64Array(n);
    this.#start = new Float64Array(n);
    this.#matrix = new Float64Array(n * n);
    this.#slip = new Float64Array(bindings.length * 3);
    this.#force = new Float64Array(bindings.length * 3);
  }

  /** Moves the bones as if nothing touched. Slots are left with what they have beside following the bones. */
  begin(system: RowSystem, track: 0 | 1): void {
    const { velocity } = system.rigid;
    this.tables = this.model.tracks[track];
    this.#measureSlip(system);
    for (let p = 0; p < this.bones.length; p++) {
      for (let k = 0; k < TWIST; k++) this.#before[p * TWIST + k] = velocity[this.bones[p] * TWIST + k];
    }
    fillSkeleton(system.rigid, this.bones, this.tables.pair, this.#matrix);
    this.#startWrench(system);
    this.#joints.begin(system, this.#matrix, this.#start);
    factorLower(this.#matrix, this.size);
    invertLower(this.#matrix, this.size);
    this.answer.fill(0);
    addSquare(this.#matrix, this.size, this.size, true, 1, this.answer);
    mirror(this.answer, this.size);
    this.#joints.hold(system.joints, this.answer);
    this.#restSlots(system);
    this.wrench.set(this.#start);
    this.respond();
    this.#joints.addStart(this.motion);
    this.addMotion(velocity);
  }

  /** All that pushes flesh and bones is known: what carries vertices and holds bones is worked out, and pushes both anew. */
  end(system: RowSystem): void {
    const { velocity } = system.rigid;
    this.wrench.set(this.#start);
    this.#gatherTouch(system);
    this.#gatherLimits(system);
    this.respond();
    this.#joints.addStart(this.motion);
    this.#joints.finish(system, this.wrench, this.motion);
    for (let p = 0; p < this.bones.length; p++) {
      for (let k = 0; k < TWIST; k++) velocity[this.bones[p] * TWIST + k] = this.#before[p * TWIST + k];
    }
    this.#pushCarried(system);
    for (let m = 0; m < this.blocks.length; m++) {
      const i = this.blocks[m].block;
      if (system.joints.active[i] === 0) continue;
      for (let k = 0; k < 3; k++) U[k] = system.jointPush[i * 3 + k];
      system.pushBlock(i, U);
    }
  }

  /** motion = what comes of the pushes on the bones, joints being held. */
  respond(): void {
    const { answer, wrench, motion, size } = this;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let k = i * size, j = 0; j < size; k++, j++) sum += answer[k] * wrench[j];
      motion[i] = sum;
    }
  }

  /** Velocities of rigid bodies += motion of the bones. */
  addMotion(velocity: Float64Array): void {
    for (let p = 0; p < this.bones.length; p++) {
      for (let k = 0; k < TWIST; k++) velocity[this.bones[p] * TWIST + k] += this.motion[p * TWIST + k];
    }
  }

  #measureSlip(system: RowSystem): void {
    const { contacts, bound } = system;
    const { normal } = contacts;
    const count = this.bindings.length;
    const slip = this.#slip;
    for (let k = 0; k < count; k++) {
      const c = this.bindings[k];
      system.contactVelocity(c, U);
      for (let i = 0; i < 3; i++) slip[k * 3 + i] = U[i] - bound[c] * normal[c * 3 + i];
    }
    const { stiffness } = this.tables;
    for (let k = 0; k < count; k++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let l = 0, at = k * count; l < count; l++, at++) {
        x += stiffness[at] * slip[l * 3];
        y += stiffness[at] * slip[l * 3 + 1];
        z += stiffness[at] * slip[l * 3 + 2];
      }
      this.#force[k * 3] = x;
      this.#force[k * 3 + 1] = y;
      this.#force[k * 3 + 2] = z;
    }
  }

  /** start = Jᵀ K e. */
  #startWrench({ contacts }: RowSystem): void {
    const { bone } = this.model.carried;
    this.#start.fill(0);
    for (let k = 0; k < this.bindings.length; k++) {
      for (let i = 0; i < 3; i++) {
        U[i] = this.#force[k * 3 + i];
        R[i] = contacts.armB[this.bindings[k] * 3 + i];
      }
      addWrench(this.#start, bone[k] * TWIST, 1, R, U);
    }
  }

  /** Slots keep v − W e − L V; those that are carried only what bones do not give them. */
  #restSlots({ soft, rigid, contacts }: RowSystem): void {
    const { velocity } = soft;
    const { follow, share } = this.tables;
    const m = this.bones.length;
    const count = this.bindings.length;
    const first = soft.bodies.firstVertex[this.soft];
    for (let k = 0; k < count; k++) {
      const c = this.bindings[k];
      pointVelocity(rigid.velocity, contacts.b[c] * TWIST, contacts.armB, c * 3, U);
      for (let i = 0; i < 3; i++) velocity[(first + k) * 3 + i] -= this.#slip[k * 3 + i] + U[i];
    }
    for (let j = count; j < soft.slotCount[this.soft]; j++) {
      const at = (first + j) * 3;
      const vertex = soft.slotVertex[first + j];
      for (let k = 0; k < count; k++) {
        const w = follow[vertex * count + k];
        for (let i = 0; i < 3; i++) velocity[at + i] -= w * this.#slip[k * 3 + i];
      }
      for (let p = 0; p < m; p++) {
        const o = (vertex * m + p) * SHARE;
        rotate(rigid.rotation, this.bones[p] * 9, share, o + 1, R);
        const v = p * TWIST;
        const b = this.#before;
        velocity[at] -= share[o] * b[v] + b[v + 4] * R[2] - b[v + 5] * R[1];
        velocity[at + 1] -= share[o] * b[v + 1] + b[v + 5] * R[0] - b[v + 3] * R[2];
        velocity[at + 2] -= share[o] * b[v + 2] + b[v + 3] * R[1] - b[v + 4] * R[0];
      }
    }
  }

  /** wrench += Lᵀ p, and force += Wᵀ p, of the pushes on slots. */
  #gatherTouch({ soft, rigid }: RowSystem): void {
    const { follow, share } = this.tables;
    const m = this.bones.length;
    const count = this.bindings.length;
    const force = this.#force;
    const first = soft.bodies.firstVertex[this.soft];
    for (let j = 0; j < soft.slotCount[this.soft]; j++) {
      for (let k = 0; k < 3; k++) U[k] = soft.impulse[(first + j) * 3 + k];
      if (U[0] === 0 && U[1] === 0 && U[2] === 0) continue;
      const vertex = soft.slotVertex[first + j];
      for (let p = 0; p < m; p++) {
        const o = (vertex * m + p) * SHARE;
        rotate(rigid.rotation, this.bones[p] * 9, share, o + 1, R);
        addWrench(this.wrench, p * TWIST, share[o], R, U);
      }
      for (let k = 0; k < count; k++) {
        const w = follow[vertex * count + k];
        force[k * 3] += w * U[0];
        force[k * 3 + 1] += w * U[1];
        force[k * 3 + 2] += w * U[2];
      }
    }
  }

  /** wrench += pushes of limits, and of motors that do what they can. */
  #gatherLimits({ joints, jointPush }: RowSystem): void {
    for (let n = 0; n < this.blocks.length; n++) {
      const { block, p, q } = this.blocks[n];
      if (joints.active[block] === 0 || isSolvedWithBones(joints, block)) continue;
      for (let k = 0; k < 3; k++) {
        if (p >= 0) this.wrench[p * TWIST + 3 + k] += jointPush[block * 3 + k];
        if (q >= 0) this.wrench[q * TWIST + 3 + k] -= jointPush[block * 3 + k];
      }
    }
  }

  /** Pushes of bindings: λ = K J ΔV − K e − Wᵀ p. */
  #pushCarried(system: RowSystem): void {
    const { rigid, soft, push } = system;
    const { pull } = this.tables;
    const { motion } = this;
    const m = this.bones.length;
    for (let k = 0; k < this.bindings.length; k++) {
      const o = this.bindings[k] * 3;
      for (let i = 0; i < 3; i++) U[i] = -this.#force[k * 3 + i];
      for (let p = 0; p < m; p++) {
        const at = (k * m + p) * SHARE;
        rotate(rigid.rotation, this.bones[p] * 9, pull, at + 1, R);
        const v = p * TWIST;
        U[0] += pull[at] * motion[v] + motion[v + 4] * R[2] - motion[v + 5] * R[1];
        U[1] += pull[at] * motion[v + 1] + motion[v + 5] * R[0] - motion[v + 3] * R[2];
        U[2] += pull[at] * motion[v + 2] + motion[v + 3] * R[1] - motion[v + 4] * R[0];
      }
      for (let i = 0; i < 3; i++) push[o + i] = U[i];
      system.notePush(this.bindings[k], U, rigid.velocity, soft.impulse);
    }
  }
}

/** A push at the place `arm` of a bone, of which it has a share: on its velocity and, at wrench[o + 3..], on its spin. The arm has its share in it. */
export function addWrench(wrench: Float64Array, o: number, share: number, arm: Float64Array, p: Float64Array): void {
  wrench[o] += share * p[0];
  wrench[o + 1] += share * p[1];
  wrench[o + 2] += share * p[2];
  wrench[o + 3] += arm[1] * p[2] - arm[2] * p[1];
  wrench[o + 4] += arm[2] * p[0] - arm[0] * p[2];
  wrench[o + 5] += arm[0] * p[1] - arm[1] * p[0];
}
