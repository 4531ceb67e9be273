/** Joint limits as lines that go with bones: the rim of a cone, or the arc of a hinge, from the joint outwards. For pages that show what is inside a body. */
import type { JointDef } from '../../src/body/body-def.js';
import type { Model } from '../../src/body/model.js';
import { rotateVec3 } from '../../src/math/quat.js';
import { axisAngleQuat } from '../../src/math/rotation.js';
import { cos, sin } from '../../src/math/trig.js';
import { crossVec3, normaliseVec3, perpendicularVec3 } from '../../src/math/vec3.js';

/** Lines in the frame of a bone's centre of mass, two points per line [m]. */
export interface LimitLines {
  readonly bone: number;
  readonly lines: Float32Array;
}

const STEPS = 48;
/** Every so many points of a rim one line leads to the joint. */
const SPOKE = 6;
/** Length of the lines, as a share of the body's size. */
const REACH = 0.09;

/** Lines of all limited joints of a body. */
export function buildLimitLines(model: Model, defs: readonly JointDef[]): LimitLines[] {
  const { joints, bones } = model;
  const out: LimitLines[] = [];
  for (let pair = 0; pair < joints.count; pair++) {
    const def = defs[joints.ofPair[pair]];
    const rim = def?.limits && rimOf(model, pair, def);
    // what is pinned to the world hangs on nothing that is drawn
    if (!rim || joints.boneB[pair] === bones.count) continue;
    out.push({
      bone: joints.boneA[pair],
      lines: draw(rim.points, rim.closed, joints.anchorA, pair * 3, REACH * model.size),
    });
  }
  return out;
}

/** Directions to the rim of a joint's limit, in the rest frame. */
function rimOf(
  model: Model,
  pair: number,
  { type, limits }: JointDef,
): { points: number[][]; closed: boolean } | undefined {
  if (type === 'ball' && limits?.cone !== undefined) return { points: coneRim(model, pair, limits), closed: true };
  if (limits?.range === undefined) return undefined;
  const [low, high] = limits.range;
  const axis = model.joints.frame.subarray(pair * 9, pair * 9 + 3);
  const start = acrossAxis(model, pair, axis);
  const turn = new Float64Array(4);
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const point = new Float64Array(3);
    axisAngleQuat(turn, 0, axis, 0, low + ((high - low) * i) / STEPS);
    rotateVec3(point, 0, turn, 0, start, 0);
    return [...point];
  });
  return { points, closed: false };
}

/** The ellipse in the sines of half the lean, as directions. */
function coneRim({ joints }: Model, pair: number, { cone = 0, middle }: NonNullable<JointDef['limits']>): number[][] {
  const [first, second] = typeof cone === 'number' ? [cone, cone] : cone;
  const frame = joints.frame.subarray(pair * 9, pair * 9 + 9);
  return Array.from({ length: STEPS }, (_, i) => {
    const angle = (2 * Math.PI * i) / STEPS;
    const p = sin(first / 2) * cos(angle);
    const q = sin(second / 2) * sin(angle);
    const rest = 2 * Math.sqrt(Math.max(0, 1 - p * p - q * q));
    const [x, y, z] = [1 - 2 * (p * p + q * q), q * rest, -p * rest];
    const point = Float64Array.from([0, 1, 2], (k) => x * frame[k] + y * frame[3 + k] + z * frame[6 + k]);
    if (middle) rotateVec3(point, 0, middle, 0, point, 0);
    return [...point];
  });
}

/** Where the second bone of a hinge points at rest, across the axis. */
function acrossAxis({ joints }: Model, pair: number, axis: Float64Array): Float64Array {
  const out = new Float64Array(3);
  for (let k = 0; k < 3; k++) out[k] = -joints.anchorB[pair * 3 + k];
  crossVec3(out, 0, axis, 0, out, 0);
  crossVec3(out, 0, out, 0, axis, 0);
  if (normaliseVec3(out, 0, out, 0) === 0) perpendicularVec3(out, 0, axis, 0);
  return out;
}

function draw(rim: number[][], closed: boolean, anchor: Float64Array, at: number, reach: number): Float32Array {
  const centre = [anchor[at], anchor[at + 1], anchor[at + 2]];
  const place = (point: readonly number[]) => point.map((x, k) => centre[k] + reach * x);
  const lines: number[] = [];
  rim.forEach((point, i) => {
    const next = rim[i + 1] ?? (closed ? rim[0] : undefined);
    if (next) lines.push(...place(point), ...place(next));
    if (i % SPOKE === 0 || !next) lines.push(...centre, ...place(point));
  });
  return Float32Array.from(lines);
}
