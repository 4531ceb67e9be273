/**
 * From the slopes of contacts to those by where the step began: a contact that sticks keeps where it was, friction turns with the slip, and forces act on bones with
 * the arms inertia gave them. Called by the tape, once a step's slopes are solved for.
 */
import type { Model } from '../../../body/model.js';
import { CONTACT_VERTICES } from '../../../collision/contact-buffer.js';
import { crossMat3, multiplyMat3Vec3, traceMat3, transposeMultiplyMat3Vec3 } from '../../../math/mat3.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { multiplyMat3, multiplyTransposeMat3, transposeMultiplyMat3 } from '../../../math/mat3-product.js';
import { crossVec3 } from '../../../math/vec3.js';
import type { StateSlopes } from '../../step-slopes.js';
import { type ContactGround, type ContactRow, type RowSide, writeKeptArm } from './contact-rows.js';
import type { ContactSubspace } from './contact-subspace.js';
import type { TapedStep } from './taped-step.js';

/** Adds to the slopes by the state one body began a step with. `mu`: slopes by forces, of all bodies that were solved for together. */
export function pullContactsBack(
  subspace: ContactSubspace,
  ground: ContactGround,
  end: TapedStep,
  mu: Float64Array,
  slopes: StateSlopes,
): void {
  subspace.rows.forEach((row, i) => {
    if (!row.isTangent) return;
    const amount = row.give > 0 ? row.work(mu) / row.give : subspace.kept[i];
    for (const side of row.sides) if (side.ground === ground) addPlaces(row, side, amount, slopes);
  });
  for (let bone = 0; bone < ground.fixed.length; bone++) {
    const moment = ground.fixed[bone] ? undefined : momentOfArms(ground, end, bone, mu);
    if (moment) addInertial(ground, end, bone, moment, slopes);
  }
}

/** A slope by r at the start of the step, along a row. */
function addPlaces(row: ContactRow, { taped, ground, n, sign }: RowSide, amount: number, slopes: StateSlopes): void {
  const slope = new Float64Array(3);
  for (let i = n * CONTACT_VERTICES; i < (n + 1) * CONTACT_VERTICES; i++) {
    const factor = sign * amount * taped.weights[i];
    if (factor === 0) continue;
    for (let k = 0; k < 3; k++) slope[k] = factor * row.direction[k];
    addPlace(ground, taped.vertices[i], slope, slopes);
  }
}

/** Adds a slope by where a vertex is when the step begins; bones take those of their vertices. */
export function addPlace(ground: ContactGround, v: number, slope: Float64Array, slopes: StateSlopes): void {
  const { bones, positions } = ground.model;
  const bone = bones.ofVertex[v];
  if (bone >= 0 ? ground.fixed[bone] : ground.unknownOf(v) < 0) return;
  for (let k = 0; k < 3; k++) {
    if (bone < 0) slopes.positions[v * 3 + k] += slope[k];
    else slopes.bones[bone * 12 + 9 + k] += slope[k];
    for (let p = 0; bone >= 0 && p < 3; p++)
      slopes.bones[bone * 12 + p * 3 + k] += (positions[v * 3 + p] - bones.centre[bone * 3 + p]) * slope[k];
  }
}

/** Slope by a turn of the arms on a bone, world axes: Σ a × (f × μ); undefined where nothing pushes it. */
function momentOfArms(ground: ContactGround, { contacts }: TapedStep, bone: number, mu: Float64Array) {
  const { model, firstBone, end } = ground;
  const sum = new Float64Array(3);
  const [turn, arm, force] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  multiplyMat3Vec3(turn, 0, end.rotations, bone * 9, mu, ground.first + firstBone + bone * 6);
  let touched = false;
  for (let i = 0; i < contacts.weights.length; i++) {
    const weight = contacts.weights[i];
    const v = contacts.vertices[i];
    if (weight === 0 || model.bones.ofVertex[v] !== bone) continue;
    touched = true;
    writeKeptArm(arm, ground, v, bone);
    crossVec3(force, 0, contacts.force, Math.floor(i / CONTACT_VERTICES) * 3, turn, 0);
    crossVec3(force, 0, arm, 0, force, 0);
    for (let k = 0; k < 3; k++) sum[k] += weight * force[k];
  }
  return touched ? sum : undefined;
}

/**
 * From a slope by the turn of the rotation R nearest to the inertial transform A to slopes by what A is made of. With A C = R S, RᵀδA C − its transpose is
 * [(tr S − S) ω] for a turn ω in the bone's axes.
 */
function addInertial(ground: ContactGround, end: TapedStep, bone: number, moment: Float64Array, slopes: StateSlopes) {
  const { model, inertial } = ground;
  const { weights } = end;
  const [m, s, own] = [new Float64Array(9), new Float64Array(9), new Float64Array(3)];
  massMoment(m, end.inertial, model, bone);
  transposeMultiplyMat3(s, 0, inertial, bone * 9, m, 0);
  const trace = traceMat3(s, 0);
  for (let i = 0; i < 9; i++) s[i] = (i % 4 === 0 ? trace : 0) - s[i];
  transposeMultiplyMat3Vec3(own, 0, inertial, bone * 9, moment, 0);
  if (!invertMat3(m, 0, s, 0)) return;
  multiplyMat3Vec3(own, 0, m, 0, own, 0);
  crossMat3(s, 0, own, 0);
  multiplyMat3(m, 0, inertial, bone * 9, s, 0);
  // slopes by A: those by A C, times Cᵀ
  multiplyTransposeMat3(s, 0, m, 0, model.bones.secondMoment, bone * 9);
  for (let p = 0; p < 3; p++) {
    for (let k = 0; k < 3; k++) {
      const at = bone * 12 + p * 3 + k;
      const slope = s[k * 3 + p];
      slopes.bones[at] += weights.position * slope;
      slopes.boneRates[at] += weights.velocity * slope;
      slopes.earlierBones[at] += weights.earlierPosition * slope;
      slopes.earlierRates[at] += weights.earlierVelocity * slope;
    }
  }
}

/** out = A C: a bone's transform (four rows of three at its place in `transforms`) times its second moment of mass. */
export function massMoment(out: Float64Array, transforms: Float64Array, { bones }: Model, bone: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[i * 3 + j] = 0;
      for (let p = 0; p < 3; p++)
        out[i * 3 + j] += transforms[bone * 12 + p * 3 + i] * bones.secondMoment[bone * 9 + p * 3 + j];
    }
  }
}
