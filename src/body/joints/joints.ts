/** Joints as the solvers see them: pairs of bones with anchors and axes in the frames of the bones' centres of mass. */
import { requireList, requireNumbers, requireType, TendonError } from '../../errors.js';
import { crossVec3, normaliseVec3, perpendicularVec3 } from '../../math/vec3.js';
import type { JointDef, Vec3 } from '../body-def.js';
import type { Bones } from '../bones.js';
import { buildLimits, type JointLimits } from './joint-limits.js';
import { JOINT_TYPES, rowCount } from './joint-table.js';
import { buildMotors } from './motor-state.js';

/**
 * Times the radius of gyration of the widest of its bones that a joint may be away from their centres of mass: at 3e4 times joints still close to 1e-4 m, at 3e5 times
 * steps of both solvers fail.
 */
const MOST_ARM = 1e5;

/**
 * Joints between pairs. A joint of n bones is n-1 pairs that share its first bone (a star): all pairs would be
 * redundant and singular. Bone number `bones.count` stands for the world.
 */
export interface Joints {
  /** Number of pairs. */
  readonly count: number;
  /** Index of the joint each pair belongs to. */
  readonly ofPair: Int32Array;
  readonly names: readonly string[];
  readonly boneA: Int32Array;
  readonly boneB: Int32Array;
  /** Type of each pair, a number in JOINT_TYPES. */
  readonly types: Uint8Array;
  /** Rows of each pair that are always there: `rowCount` of its type. */
  readonly rows: Uint8Array;
  /** count+1 offsets: first row of each pair. */
  readonly rowStart: Int32Array;
  /** Anchor relative to the centre of mass of bone A and of bone B, 3 each per pair [m]. */
  readonly anchorA: Float64Array;
  readonly anchorB: Float64Array;
  /** Three orthonormal directions per pair, the same in both bones at rest: the first is the axis. 9 per pair. */
  readonly frame: Float64Array;
  /** How far they go. */
  readonly limits: JointLimits;
  /** Motors they start with, MOTOR_STRIDE numbers per pair. */
  readonly motors: Float64Array;
}

/** Checks joints against the bones and flattens them. */
export function buildJoints(defs: readonly JointDef[], bones: Bones, place: string): Joints {
  const pairs: { joint: number; a: number; b: number; frame: Float64Array }[] = [];
  requireList(defs, place).forEach((def, joint) => {
    const at = `${place}/${joint}`;
    if (defs.findIndex(({ name }) => name === requireType(def.name, 'string', `${at}/name`)) < joint)
      throw new TendonError('E_DUPLICATE', `${at}/name`, def.name, 'two joints carry this name');
    if (!JOINT_TYPES.includes(def.type))
      throw new TendonError('E_UNKNOWN', `${at}/type`, def.type, `use ${JOINT_TYPES.join(', ')}`);
    requireNumbers(def.anchor, 3, `${at}/anchor`);
    if (requireList(def.bones, `${at}/bones`).length === 0)
      throw new TendonError('E_JOINT', `${at}/bones`, def.name, 'a joint needs a bone');
    const members = def.bones.map((name, i) => {
      const bone = bones.names.indexOf(name);
      if (bone < 0) throw new TendonError('E_JOINT', `${at}/bones/${i}`, name, 'the body has no bone of this name');
      return bone;
    });
    if (new Set(members).size !== members.length) {
      throw new TendonError('E_JOINT', `${at}/bones`, def.name, 'a joint cannot connect a bone with itself');
    }
    requireNear(def, members, bones, `${at}/anchor`);
    const frame = jointFrame(def, at);
    if (members.length === 1) pairs.push({ joint, a: members[0], b: bones.count, frame });
    for (let i = 1; i < members.length; i++) pairs.push({ joint, a: members[0], b: members[i], frame });
  });
  const rows = Uint8Array.from(pairs, ({ joint }) => rowCount(defs[joint].type));
  const rowStart = new Int32Array(pairs.length + 1);
  rows.forEach((n, pair) => {
    rowStart[pair + 1] = rowStart[pair] + n;
  });
  const anchors = (side: 'a' | 'b') =>
    Float64Array.from(
      pairs.flatMap((pair) => {
        const bone = pair[side];
        const anchor = defs[pair.joint].anchor;
        // the world's frame is the rest frame itself
        return anchor.map((value, k) => (bone === bones.count ? value : value - bones.centre[bone * 3 + k]));
      }),
    );
  const ofPair = Int32Array.from(pairs, (pair) => pair.joint);
  const frame = Float64Array.from(pairs.flatMap((pair) => [...pair.frame]));
  return {
    count: pairs.length,
    ofPair,
    names: defs.map((def) => def.name),
    boneA: Int32Array.from(pairs, (pair) => pair.a),
    boneB: Int32Array.from(pairs, (pair) => pair.b),
    types: Uint8Array.from(pairs, ({ joint }) => JOINT_TYPES.indexOf(defs[joint].type)),
    rows,
    rowStart,
    anchorA: anchors('a'),
    anchorB: anchors('b'),
    frame,
    limits: buildLimits(defs, ofPair, frame, place),
    motors: buildMotors(defs, ofPair, frame, place),
  };
}

/** What is known of an arm grows less exact with its length. */
function requireNear({ anchor }: JointDef, members: readonly number[], bones: Bones, place: string): void {
  let farthest = 0;
  let widest = 0;
  for (const bone of members) {
    const o = bone * 9;
    const { centre, mass, secondMoment } = bones;
    const square = (secondMoment[o] + secondMoment[o + 4] + secondMoment[o + 8]) / mass[bone];
    widest = Math.max(widest, Math.sqrt(square));
    let way = 0;
    for (let k = 0; k < 3; k++) way += (anchor[k] - centre[bone * 3 + k]) * (anchor[k] - centre[bone * 3 + k]);
    farthest = Math.max(farthest, Math.sqrt(way));
  }
  // bones of one vertex have no width to compare with
  if (widest === 0 || farthest <= MOST_ARM * widest) return;
  const advice = `the joint must be within ${MOST_ARM * widest} m of its bones`;
  throw new TendonError('E_JOINT', place, farthest, advice);
}

function jointFrame(def: JointDef, at: string): Float64Array {
  const frame = new Float64Array(9);
  direction(frame, 0, def.axis ?? [0, 0, 1], `${at}/axis`);
  if ((def.type === 'universal' || def.type === 'ball') && def.secondAxis) {
    direction(frame, 3, def.secondAxis, `${at}/secondAxis`);
    const along = frame[0] * frame[3] + frame[1] * frame[4] + frame[2] * frame[5];
    if (Math.abs(along) > 1e-6) {
      throw new TendonError('E_JOINT', `${at}/secondAxis`, along, 'the two axes of a joint must be perpendicular');
    }
  } else {
    perpendicularVec3(frame, 3, frame, 0);
    normaliseVec3(frame, 3, frame, 3);
  }
  crossVec3(frame, 6, frame, 0, frame, 3);
  return frame;
}

function direction(out: Float64Array, o: number, given: Vec3, place: string): void {
  requireNumbers(given, 3, place);
  if (!(normaliseVec3(out, o, given, 0) > 0)) {
    throw new TendonError('E_JOINT', place, given, 'an axis needs a direction');
  }
}
