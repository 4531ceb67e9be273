/**
 * What a free body owes to nobody but gravity, contacts and the user's forces: its momentum and its angular momentum. The exact solution
 * has both right, because forces of flesh and joints come in opposite pairs. Iterations have the first one right to f32, the second
 * only once they have converged; a common shift and a common turn put them right at any iteration count:
 *
 *     Σ m (x − y) = a Σ f               the shift is what is missing, divided by the mass
 *     Σ m (x − x̄) × (y − x̄) + a Σ (p − x̄) × f = 0     the turn about the middle x̄, by Newton's method
 *
 * with y where inertia leads, f the contact forces and a a time squared. Neither changes anything else: the energies of flesh and joints do
 * not know where a body is or how it is turned, and of all turned positions these cost least. Without the turn, motors of 58 N m inside a
 * free body turned it as 10 N m from outside would. With contacts their moments belong to the
 * balance, with the points turned along; forces have been corrected for that before (docs/decisions/0042). Called at the end of a step.
 */
import type { Model } from '../../body/model.js';
import type { GroupMember } from '../../contact/free-groups.js';
import type { SideList } from '../../contact/side-list.js';
import type { WholeBody } from '../../contact/whole-bodies.js';
import { WholeTurn } from '../../contact/whole-turn.js';
import { addOuterMat3, setMat3 } from '../../math/mat3.js';
import { multiplyQuat, normaliseQuat } from '../../math/quat.js';
import { lengthSqVec3, setVec3 } from '../../math/vec3.js';
import type { StepReport } from '../step-report.js';
import type { BoneMotion } from './bones/bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';

/** Shifts and turns one body; owns the scratch for it. */
export class MomentumBalance {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #own = new WholeTurn();
  readonly #centre = this.#own.centre;
  readonly #inertial = this.#own.inertial;
  readonly #step = new Float64Array(3);
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);

  constructor(model: Model, layout: Layout) {
    this.#model = model;
    this.#layout = layout;
  }

  /** Turns flesh and bones about their middle so that no moment is left beside that of the contact forces on `touches`, whose points turn along; `acceleration`: a [s²]. */
  turn(rows: FleshRows, motion: BoneMotion, acceleration: number, touches: SideList | undefined): void {
    this.#findCentre(rows, motion);
    this.#gather(rows, motion);
    touches?.addMoments(this.#inertial, this.#centre, acceleration);
    if (this.#own.find()) this.apply(this.#own, rows, motion);
  }

  /** Fills the report with the moment that is left beside that of the contact forces on `touches`, for as long as forces act in the step; `acceleration`: a [s²]. */
  measure(
    rows: FleshRows,
    motion: BoneMotion,
    acceleration: number,
    touches: SideList | undefined,
    report: StepReport,
  ): void {
    this.#findCentre(rows, motion);
    this.#gather(rows, motion);
    touches?.addMoments(this.#inertial, this.#centre, acceleration);
    this.#own.moment(this.#step);
    // a is a time squared with both integrators, and forces change momentum for that time: h, or 2h/3 with BDF2
    report.angularDrift = Math.sqrt(lengthSqVec3(this.#step, 0) / acceleration);
  }

  /** The body as one piece where it is now: what moves it, and the force and moment that are left; `acceleration`: a [s²]. */
  weigh(rows: FleshRows, motion: BoneMotion, acceleration: number, out: WholeBody): void {
    this.#findCentre(rows, motion);
    this.#gather(rows, motion);
    out.centre.set(this.#centre);
    out.shiftPerForce = acceleration / this.#model.totalMass;
    this.#own.giveWay(out.turnPerMoment);
    for (let i = 0; i < 9; i++) out.turnPerMoment[i] *= acceleration;
    this.#own.moment(out.moment);
    for (let k = 0; k < 3; k++) out.moment[k] /= acceleration;
    this.#step.fill(0);
    this.#addMissing(rows, motion);
    for (let k = 0; k < 3; k++) out.force[k] = this.#step[k] / acceleration;
  }

  /** The body as part of a group that is turned as one; `acceleration`: a [s²]. */
  join(rows: FleshRows, motion: BoneMotion, acceleration: number, out: GroupMember): void {
    const { totalMass } = this.#model;
    this.#findCentre(rows, motion);
    this.#gather(rows, motion);
    this.#step.fill(0);
    this.#addMissing(rows, motion);
    out.weight = totalMass / acceleration;
    out.time = Math.sqrt(acceleration);
    for (let k = 0; k < 3; k++) {
      out.centre[k] = this.#centre[k];
      out.target[k] = this.#centre[k] + this.#step[k] / totalMass;
    }
    for (let i = 0; i < 9; i++) out.inertial[i] = this.#inertial[i] / acceleration;
  }

  /** Shifts flesh and bones so that their momentum is what gravity and the contact forces `outside` [N] make it; `acceleration`: a [s²]. */
  shift(rows: FleshRows, motion: BoneMotion, acceleration: number, outside: ArrayLike<number>): void {
    const { totalMass } = this.#model;
    setVec3(this.#step, 0, acceleration * outside[0], acceleration * outside[1], acceleration * outside[2]);
    this.#addMissing(rows, motion);
    const sx = this.#step[0] / totalMass;
    const sy = this.#step[1] / totalMass;
    const sz = this.#step[2] / totalMass;
    const x = rows.x.view;
    const { translations } = motion.poses;
    for (let i = 0; i < x.length; i += 4) {
      x[i] += sx;
      x[i + 1] += sy;
      x[i + 2] += sz;
    }
    for (let i = 0; i < motion.count * 3; i += 3) {
      translations[i] += sx;
      translations[i + 1] += sy;
      translations[i + 2] += sz;
    }
  }

  /** #step += Σ m (y − x). */
  #addMissing(rows: FleshRows, motion: BoneMotion): void {
    const { masses, bones } = this.#model;
    const { fleshVertices } = this.#layout;
    const x = rows.x.view;
    const y = rows.target.view;
    let sx = this.#step[0];
    let sy = this.#step[1];
    let sz = this.#step[2];
    for (let i = 0; i < fleshVertices.length; i++) {
      const at = rows.rowOfVertex[fleshVertices[i]] * 4;
      const mass = masses[fleshVertices[i]];
      sx += mass * (y[at] - x[at]);
      sy += mass * (y[at + 1] - x[at + 1]);
      sz += mass * (y[at + 2] - x[at + 2]);
    }
    const { translations } = motion.poses;
    for (let bone = 0; bone < bones.count; bone++) {
      const mass = bones.mass[bone];
      sx += mass * (motion.target[bone * 12 + 9] - translations[bone * 3]);
      sy += mass * (motion.target[bone * 12 + 10] - translations[bone * 3 + 1]);
      sz += mass * (motion.target[bone * 12 + 11] - translations[bone * 3 + 2]);
    }
    setVec3(this.#step, 0, sx, sy, sz);
  }

  #findCentre(rows: FleshRows, motion: BoneMotion): void {
    const { masses, bones, totalMass } = this.#model;
    const { fleshVertices } = this.#layout;
    const origin = rows.origin.view;
    const x = rows.x.view;
    const ox = origin[0];
    const oy = origin[1];
    const oz = origin[2];
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let i = 0; i < fleshVertices.length; i++) {
      const at = rows.rowOfVertex[fleshVertices[i]] * 4;
      const mass = masses[fleshVertices[i]];
      sx += mass * (x[at] - ox);
      sy += mass * (x[at + 1] - oy);
      sz += mass * (x[at + 2] - oz);
    }
    const { translations } = motion.poses;
    for (let bone = 0; bone < bones.count; bone++) {
      const mass = bones.mass[bone];
      sx += mass * (translations[bone * 3] - ox);
      sy += mass * (translations[bone * 3 + 1] - oy);
      sz += mass * (translations[bone * 3 + 2] - oz);
    }
    setVec3(this.#centre, 0, ox + sx / totalMass, oy + sy / totalMass, oz + sz / totalMass);
  }

  /** Σ m (y − x̄)(x − x̄)ᵀ: its antisymmetric part is the moment that is left. */
  #gather(rows: FleshRows, motion: BoneMotion): void {
    const { masses } = this.#model;
    const { fleshVertices } = this.#layout;
    const centre = this.#centre;
    const cx = centre[0];
    const cy = centre[1];
    const cz = centre[2];
    const x = rows.x.view;
    const y = rows.target.view;
    let xx = 0;
    let xy = 0;
    let xz = 0;
    let yx = 0;
    let yy = 0;
    let yz = 0;
    let zx = 0;
    let zy = 0;
    let zz = 0;
    for (let i = 0; i < fleshVertices.length; i++) {
      const at = rows.rowOfVertex[fleshVertices[i]] * 4;
      const mass = masses[fleshVertices[i]];
      const px = x[at] - cx;
      const py = x[at + 1] - cy;
      const pz = x[at + 2] - cz;
      const qx = mass * (y[at] - cx);
      const qy = mass * (y[at + 1] - cy);
      const qz = mass * (y[at + 2] - cz);
      xx += qx * px;
      xy += qx * py;
      xz += qx * pz;
      yx += qy * px;
      yy += qy * py;
      yz += qy * pz;
      zx += qz * px;
      zy += qz * py;
      zz += qz * pz;
    }
    setMat3(this.#inertial, 0, xx, xy, xz, yx, yy, yz, zx, zy, zz);
    for (let bone = 0; bone < motion.count; bone++) this.#addBone(motion, bone);
  }

  /** m (y − x̄)(t − x̄)ᵀ + Y C Rᵀ: the vertices of a bone, whose places are Y r + y inertially and R r + t in fact. */
  #addBone({ target, poses }: BoneMotion, bone: number): void {
    const { mass, secondMoment } = this.#model.bones;
    for (let k = 0; k < 3; k++) {
      this.#x[k] = poses.translations[bone * 3 + k] - this.#centre[k];
      this.#y[k] = mass[bone] * (target[bone * 12 + 9 + k] - this.#centre[k]);
    }
    addOuterMat3(this.#inertial, 0, this.#y, 0, this.#x, 0, 1);
    for (let i = 0; i < 3; i++) {
      for (let q = 0; q < 3; q++) {
        let spread = 0;
        for (let p = 0; p < 3; p++) spread += target[bone * 12 + p * 3 + i] * secondMoment[bone * 9 + p * 3 + q];
        for (let j = 0; j < 3; j++) this.#inertial[i * 3 + j] += spread * poses.rotations[bone * 9 + j * 3 + q];
      }
    }
  }

  /** x̄ + Q (x − x̄) of everything. */
  apply(turn: WholeTurn, rows: FleshRows, { poses, count }: BoneMotion): void {
    turn.turnPoints(rows.x.view, 4, rows.x.view.length);
    turn.turnPoints(poses.translations, 3, count * 3);
    for (let bone = 0; bone < count; bone++) {
      multiplyQuat(poses.quats, bone * 4, turn.quat, 0, poses.quats, bone * 4);
      normaliseQuat(poses.quats, bone * 4, poses.quats, bone * 4);
      poses.updateRotation(bone);
    }
  }
}
