/** What contacts do to one body in the linearised step: their forces on flesh and bones, and the moments these are. */
import type { Model } from '../../../body/model.js';
import { CONTACT_VERTICES } from '../../../collision/contact-buffer.js';
import { crossMat3, multiplyMat3Vec3 } from '../../../math/mat3.js';
import { multiplyMat3 } from '../../../math/mat3-product.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { crossVec3 } from '../../../math/vec3.js';
import type { FleshRows } from '../flesh-rows.js';
import { findPivots } from '../outside/pivots.js';
import type { OutsideMoments } from './bone-linear.js';
import { type ContactGround, writePushedArm } from './contact-rows.js';
import { massMoment } from './contact-slopes.js';
import type { TapedStep } from './taped-step.js';

/** Contacts of one body. */
export class ContactForces implements OutsideMoments {
  /** Where contacts of the step push; undefined where none does. */
  ground: ContactGround | undefined;
  /** Moment of the contacts on each bone, world axes, 3 each [N m]. */
  readonly moments: Float64Array;
  /** How much less these moments become as the bone turns, world axes, 9 each [N m/rad]. */
  readonly turning: Float64Array;
  readonly #pivots: Float64Array;
  readonly #model: Model;
  readonly #body: number;
  readonly #firstBone: number;
  readonly #fixed: Uint8Array;
  readonly #unknownOf: (vertex: number) => number;
  readonly #inertial: Float64Array;
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  readonly #arm = new Float64Array(3);
  #step!: TapedStep;

  /** `body`: its number in its world. */
  constructor(model: Model, { rowOfVertex, fleshCount }: FleshRows, fixed: Uint8Array, body: number) {
    this.#model = model;
    this.#body = body;
    this.#firstBone = fleshCount * 4;
    this.#fixed = fixed;
    this.#unknownOf = (v) => (rowOfVertex[v] >= 0 && rowOfVertex[v] < fleshCount ? rowOfVertex[v] * 4 : -1);
    this.#inertial = new Float64Array(model.bones.count * 9);
    this.#pivots = findPivots(model);
    this.turning = new Float64Array(model.bones.count * 9);
    this.moments = new Float64Array(model.bones.count * 3);
  }

  /** Takes up the contacts of a step, and finds their moments. */
  begin(step: TapedStep): void {
    this.#step = step;
    this.moments.fill(0);
    this.turning.fill(0);
    this.ground = undefined;
    if (step.contacts.count === 0) return;
    const moment = new Float64Array(9);
    for (let bone = 0; bone < this.#model.bones.count; bone++) {
      massMoment(moment, step.inertial, this.#model, bone);
      polarRotation(this.#inertial, bone * 9, moment, 0, this.#scratch, 0);
    }
    const ground: ContactGround = {
      model: this.#model,
      body: this.#body,
      first: 0,
      unknownOf: this.#unknownOf,
      firstBone: this.#firstBone,
      fixed: this.#fixed,
      end: step.poses,
      inertial: this.#inertial,
      pivots: this.#pivots,
    };
    this.ground = ground;
    this.#eachVertex((v, bone, weight, at) => {
      if (bone < 0) return;
      writePushedArm(this.#arm, ground, v, bone);
      crossVec3(this.#arm, 0, this.#arm, 0, step.contacts.force, at);
      for (let k = 0; k < 3; k++) this.moments[bone * 3 + k] += weight * this.#arm[k];
      this.#addTurning(bone, weight, at);
    });
  }

  /** A force f moves along with the pivot P of its bone as that turns by ω: its moment changes by (ω × P) × f = [f][P] ω. */
  #addTurning(bone: number, weight: number, at: number): void {
    const [spin, pivot, product] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
    multiplyMat3Vec3(this.#arm, 0, this.#step.poses.rotations, bone * 9, this.#pivots, bone * 3);
    crossMat3(spin, 0, this.#step.contacts.force, at);
    crossMat3(pivot, 0, this.#arm, 0);
    multiplyMat3(product, 0, spin, 0, pivot, 0);
    for (let i = 0; i < 9; i++) this.turning[bone * 9 + i] -= weight * product[i];
  }

  /** Adds the forces to a right-hand side. */
  addForces(right: Float64Array): void {
    const { contacts, poses } = this.#step;
    this.#eachVertex((v, bone, weight, at) => {
      const flesh = bone < 0 ? this.#unknownOf(v) : -1;
      for (let k = 0; flesh >= 0 && k < 3; k++) right[flesh + k] += weight * contacts.force[at + k];
      const own = this.#firstBone + bone * 6 + 3;
      for (let p = 0; bone >= 0 && p < 3; p++) {
        for (let k = 0; k < 3; k++)
          right[own + p] += weight * contacts.force[at + k] * poses.rotations[bone * 9 + k * 3 + p];
      }
    });
    for (let bone = 0; contacts.count > 0 && bone < this.#fixed.length; bone++) {
      for (let p = 0; p < 3; p++) {
        for (let k = 0; k < 3; k++)
          right[this.#firstBone + bone * 6 + p] += this.moments[bone * 3 + k] * poses.rotations[bone * 9 + k * 3 + p];
      }
    }
  }

  /** Calls with every vertex that is pushed, its bone or -1, its weight, and where the force is. */
  #eachVertex(call: (v: number, bone: number, weight: number, at: number) => void): void {
    const { vertices, weights } = this.#step.contacts;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] === 0) continue;
      call(vertices[i], this.#model.bones.ofVertex[vertices[i]], weights[i], Math.floor(i / CONTACT_VERTICES) * 3);
    }
  }
}
