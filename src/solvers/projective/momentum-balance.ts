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
import type { SideList } from '../../contact/side-list.js';
import type { WholeBody } from '../../contact/whole-bodies.js';
import { addOuterMat3, multiplyMat3Vec3, setMat3, traceMat3 } from '../../math/mat3.js';
import { invertMat3 } from '../../math/mat3-inverse.js';
import { multiplyTransposeMat3 } from '../../math/mat3-product.js';
import { identityQuat, multiplyQuat, normaliseQuat, quatToMat3 } from '../../math/quat.js';
import { turnQuat } from '../../math/rotation.js';
import { lengthSqVec3, setVec3 } from '../../math/vec3.js';
import type { BoneMotion } from './bones/bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';

/** Share of the trace added to what resists turning: a body that is a line says nothing of turns about itself. */
const LINE = 1e-8;
/** Newton steps for the turn, at most: the first leaves its square. */
const TURNS = 8;
/** A turn that is rounding [rad²]. */
const ROUNDING = 1e-32;

/** Shifts and turns one body; owns the scratch for it. */
export class MomentumBalance {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #centre = new Float64Array(3);
  readonly #inertial = new Float64Array(9);
  readonly #turned = new Float64Array(9);
  readonly #resistance = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #moment = new Float64Array(3);
  readonly #step = new Float64Array(3);
  readonly #quat = new Float64Array(4);
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
    if (this.#findTurn()) this.#turn(rows, motion);
  }

  /** The body as one piece where it is now: what moves it, and the force and moment that are left; `acceleration`: a [s²]. */
  weigh(rows: FleshRows, motion: BoneMotion, acceleration: number, out: WholeBody): void {
    this.#findCentre(rows, motion);
    this.#gather(rows, motion);
    const m = this.#inertial;
    out.centre.set(this.#centre);
    out.shiftPerForce = acceleration / this.#model.totalMass;
    this.#turned.set(m);
    this.#setResistance();
    if (!invertMat3(this.#inverse, 0, this.#resistance, 0)) this.#inverse.fill(0);
    for (let i = 0; i < 9; i++) out.turnPerMoment[i] = acceleration * this.#inverse[i];
    setVec3(out.moment, 0, (m[7] - m[5]) / acceleration, (m[2] - m[6]) / acceleration, (m[3] - m[1]) / acceleration);
    this.#step.fill(0);
    this.#addMissing(rows, motion);
    for (let k = 0; k < 3; k++) out.force[k] = this.#step[k] / acceleration;
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

  /** Finds the turn that leaves no moment; false where there is none to make. */
  #findTurn(): boolean {
    identityQuat(this.#quat, 0);
    for (let n = 0; n < TURNS; n++) {
      const square = this.#nextTurn();
      // beyond a radian the linearisation says nothing
      if (!(square > ROUNDING && square < 1)) return n > 0;
      turnQuat(this.#quat, 0, this.#step, 0);
    }
    return true;
  }

  /** One Newton step from the turn so far: (tr M − M) ω = the moment that is left. Returns |ω|², 0 where there is nothing to turn. */
  #nextTurn(): number {
    const m = this.#turned;
    quatToMat3(this.#rotation, 0, this.#quat, 0);
    multiplyTransposeMat3(m, 0, this.#inertial, 0, this.#rotation, 0);
    setVec3(this.#moment, 0, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
    this.#setResistance();
    if (!invertMat3(this.#inverse, 0, this.#resistance, 0)) return 0;
    multiplyMat3Vec3(this.#step, 0, this.#inverse, 0, this.#moment, 0);
    return lengthSqVec3(this.#step, 0);
  }

  /** tr M − M, symmetric. */
  #setResistance(): void {
    const m = this.#turned;
    const trace = traceMat3(m, 0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) this.#resistance[i * 3 + j] = -0.5 * (m[i * 3 + j] + m[j * 3 + i]);
      this.#resistance[i * 4] += (1 + LINE) * trace;
    }
  }

  /** x̄ + Q (x − x̄) of everything, as what is added: far from the origin digits stay. */
  #turn(rows: FleshRows, { poses, count }: BoneMotion): void {
    const x = this.#quat[0];
    const y = this.#quat[1];
    const z = this.#quat[2];
    const w = this.#quat[3];
    const e = this.#rotation;
    e[0] = -2 * (y * y + z * z);
    e[4] = -2 * (x * x + z * z);
    e[8] = -2 * (x * x + y * y);
    e[1] = 2 * (x * y - w * z);
    e[3] = 2 * (x * y + w * z);
    e[2] = 2 * (x * z + w * y);
    e[6] = 2 * (x * z - w * y);
    e[5] = 2 * (y * z - w * x);
    e[7] = 2 * (y * z + w * x);
    const at = rows.x.view;
    this.#addTurn(at, 4, at.length);
    this.#addTurn(poses.translations, 3, count * 3);
    for (let bone = 0; bone < count; bone++) {
      multiplyQuat(poses.quats, bone * 4, this.#quat, 0, poses.quats, bone * 4);
      normaliseQuat(poses.quats, bone * 4, poses.quats, bone * 4);
      poses.updateRotation(bone);
    }
  }

  /** Turns the points that begin at every `stride`-th of `length` numbers. */
  #addTurn(at: Float64Array, stride: number, length: number): void {
    const r = this.#rotation;
    const cx = this.#centre[0];
    const cy = this.#centre[1];
    const cz = this.#centre[2];
    for (let o = 0; o < length; o += stride) {
      const x = at[o] - cx;
      const y = at[o + 1] - cy;
      const z = at[o + 2] - cz;
      at[o] += r[0] * x + r[1] * y + r[2] * z;
      at[o + 1] += r[3] * x + r[4] * y + r[5] * z;
      at[o + 2] += r[6] * x + r[7] * y + r[8] * z;
    }
  }
}
