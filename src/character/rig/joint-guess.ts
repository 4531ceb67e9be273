/**
 * Types and limits of joints, guessed: knees, elbows and finger joints are hinges by their names, unless the motions the
 * model came with turn them about several axes; everything else is a ball, unless its motion is that of a hinge.
 */
import type { JointDef, Vec3 } from '../../body/body-def.js';
import { eigenSymmetricMat3 } from '../../math/eigen3.js';
import { square } from '../../math/powers.js';
import { atan2 } from '../../math/trig.js';
import type { BoneInfo, CharacterClip, JointLimit } from '../character.js';
import { fitLeanEllipse } from './lean-ellipse.js';

/** A guessed joint. */
export interface JointGuess {
  readonly joint: JointDef;
  readonly limit: JointLimit;
}

const DEGREE = Math.PI / 180;
const HINGE_NAME = /knee|elbow|calf|shin|fore_?arm|lower_?(arm|leg)|(arm|leg)_?lower|(^|[^a-z])(intermediate|distal)/i;
const LIMB_NAME = /arm|leg/i;
/** Names that say what a joint is: its motion then only says how far it goes. */
const BODY_NAME =
  /tail|spine|torso|neck|head|hair|ear|tongue|root|hip|pelvis|arm|leg|hand|foot|feet|toe|finger|thumb|shoulder|chest|wrist|ankle/i;
/** A motion this small says nothing [rad]. */
const STILL = 10 * DEGREE;
/** Room beyond what a motion uses [rad]. */
const ROOM = 25 * DEGREE;

/** How a bone turned against its parent, over all clips. */
interface Motion {
  /** Rotation vectors, x,y,z each [rad]. */
  readonly turns: readonly number[];
  /** Largest angle [rad]. */
  readonly most: number;
  /** Axis most of the motion is about, and the largest angle about any other [rad]. */
  readonly axis: Vec3;
  readonly aside: number;
}

/** Guesses the joint between `bone` and its parent. */
export function guessJoint(
  skeleton: readonly BoneInfo[],
  bone: number,
  clips: readonly CharacterClip[],
  straight: Vec3,
): JointGuess {
  const { name, parent, place } = skeleton[bone];
  const bones = [skeleton[parent].name, name];
  const motion = measureMotion(skeleton.length, bone, parent, clips);
  const named = HINGE_NAME.test(name) || isSecondOfLimb(skeleton, bone);
  const moves = motion.most > STILL;
  const contradicted = moves && motion.aside > Math.max(12 * DEGREE, 0.35 * motion.most);
  const planar = !BODY_NAME.test(name) && motion.most > 30 * DEGREE && motion.aside < 3 * DEGREE;
  if ((named && !contradicted) || planar) {
    const usable = moves && motion.aside < 0.35 * motion.most;
    const axis = usable ? motion.axis : bendAxis(skeleton, bone, straight);
    const angles = usable ? anglesAbout(motion.turns, axis) : { min: 0, max: 0 };
    const limit: JointLimit = usable
      ? { joint: name, min: angles.min - ROOM, max: angles.max + ROOM, from: 'clip' }
      : { joint: name, min: -10 * DEGREE, max: 140 * DEGREE, from: 'name' };
    return { joint: { name, type: 'hinge', bones, anchor: place, axis }, limit };
  }
  const along = boneDirection(skeleton[bone]);
  const ball = { name, type: 'ball', bones, anchor: place, axis: along } as const;
  if (!moves) return { joint: ball, limit: { joint: name, swing: 60 * DEGREE, twist: 40 * DEGREE, from: 'default' } };
  const { secondAxis, middle, swing, swingAside, twist } = fitLeanEllipse(motion.turns, along, ROOM);
  const limit: JointLimit = { joint: name, swing, swingAside, twistRange: twist, middle, from: 'clip' };
  return { joint: { ...ball, secondAxis }, limit };
}

/** Where a bone points at rest; up where it has no length. */
function boneDirection({ place, tip }: BoneInfo): Vec3 {
  const along = minus(tip, place);
  const isPoint = square(along[0]) + square(along[1]) + square(along[2]) < 1e-16;
  return isPoint ? [0, 1, 0] : unit(along);
}

/** True for the second bone of an arm or leg, whatever their names say besides: it hangs on a knee or an elbow. */
function isSecondOfLimb(skeleton: readonly BoneInfo[], bone: number): boolean {
  const isLimb = (i: number): boolean =>
    i >= 0 && LIMB_NAME.test(skeleton[i].name) && !/shoulder|clavicle/i.test(skeleton[i].name);
  const { parent } = skeleton[bone];
  return isLimb(bone) && isLimb(parent) && !isLimb(skeleton[parent].parent);
}

function measureMotion(boneCount: number, bone: number, parent: number, clips: readonly CharacterClip[]): Motion {
  const turns: number[] = [];
  const moment = new Float64Array(9);
  let most = 0;
  for (const { rotations: q, frameCount } of clips) {
    for (let frame = 0; frame < frameCount; frame++) {
      const a = 4 * (frame * boneCount + parent);
      const b = 4 * (frame * boneCount + bone);
      const turn = relativeTurn(q, a, q, b);
      turns.push(turn[0], turn[1], turn[2]);
      most = Math.max(most, Math.sqrt(square(turn[0]) + square(turn[1]) + square(turn[2])));
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) moment[3 * i + j] += turn[i] * turn[j];
    }
  }
  const values = new Float64Array(3);
  const vectors = new Float64Array(9);
  eigenSymmetricMat3(values, 0, vectors, 0, moment, 0);
  const best = values[0] >= values[1] && values[0] >= values[2] ? 0 : values[1] >= values[2] ? 1 : 2;
  const axis: Vec3 = [vectors[best], vectors[3 + best], vectors[6 + best]];
  let aside = 0;
  for (let i = 0; i < turns.length; i += 3) {
    const along = turns[i] * axis[0] + turns[i + 1] * axis[1] + turns[i + 2] * axis[2];
    const rest = square(turns[i]) + square(turns[i + 1]) + square(turns[i + 2]) - along * along;
    aside = Math.max(aside, Math.sqrt(Math.max(0, rest)));
  }
  return { turns, most, axis, aside };
}

/** Rotation vector of conj(p) q, in the frame of p: how the child is turned against its parent. */
function relativeTurn(p: ArrayLike<number>, i: number, q: ArrayLike<number>, j: number): [number, number, number] {
  const ax = -p[i];
  const ay = -p[i + 1];
  const az = -p[i + 2];
  const aw = p[i + 3];
  const bx = q[j];
  const by = q[j + 1];
  const bz = q[j + 2];
  const bw = q[j + 3];
  let x = aw * bx + ax * bw + ay * bz - az * by;
  let y = aw * by - ax * bz + ay * bw + az * bx;
  let z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  if (w < 0) [x, y, z] = [-x, -y, -z];
  const sine = Math.sqrt(x * x + y * y + z * z);
  const factor = sine > 1e-9 ? (2 * atan2(sine, Math.abs(w))) / sine : 2;
  return [x * factor, y * factor, z * factor];
}

function anglesAbout(turns: readonly number[], axis: Vec3): { min: number; max: number } {
  let [min, max] = [0, 0];
  for (let i = 0; i < turns.length; i += 3) {
    const angle = turns[i] * axis[0] + turns[i + 1] * axis[1] + turns[i + 2] * axis[2];
    min = Math.min(min, angle);
    max = Math.max(max, angle);
  }
  return { min, max };
}

/**
 * The axis a limb bends about: across the plane of its two bones, or, where they are in line, of the whole chain they
 * belong to; `straight` decides for limbs that are straight all along.
 */
function bendAxis(skeleton: readonly BoneInfo[], bone: number, straight: Vec3): Vec3 {
  const sum = [0, 0, 0];
  const along = minus(skeleton[bone].tip, skeleton[bone].place);
  // the bones next to this one count as well: a finger that is straight here is bent a little elsewhere
  const children = skeleton.map((_, i) => i).filter((i) => skeleton[i].parent === bone);
  const chain = [skeleton[bone].parent, bone, ...(children.length === 1 ? children : [])];
  for (const upper of chain) {
    if (upper < 0) continue;
    const lower = upper === bone ? children[0] : upper === chain[0] ? bone : -1;
    const first = minus(skeleton[upper].tip, skeleton[upper].place);
    const second = lower >= 0 && lower !== undefined ? minus(skeleton[lower].tip, skeleton[lower].place) : along;
    const bend = cross(unit(first), unit(second));
    for (let k = 0; k < 3; k++) sum[k] += bend[k];
  }
  const length = Math.sqrt(square(sum[0]) + square(sum[1]) + square(sum[2]));
  if (length > 0.08) return [sum[0] / length, sum[1] / length, sum[2] / length];
  const direction = unit(along);
  const overlap = straight[0] * direction[0] + straight[1] * direction[1] + straight[2] * direction[2];
  const across = unit([0, 1, 2].map((k) => straight[k] - overlap * direction[k]));
  if (square(across[0]) + square(across[1]) + square(across[2]) > 0.5) return across;
  return Math.abs(direction[0]) < 0.7 ? unit(cross(direction, [1, 0, 0])) : unit(cross(direction, [0, 1, 0]));
}

function minus(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v: ArrayLike<number>): Vec3 {
  const length = Math.sqrt(square(v[0]) + square(v[1]) + square(v[2])) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
