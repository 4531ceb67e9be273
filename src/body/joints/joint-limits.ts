/**
 * The limits of a body's joints as the solvers see them: one row per bounded angle, with the sines and cosines the step needs, so that it
 * needs no trigonometry itself. Checked and filled when a model is built.
 */
import { requireFinite, requireType, TendonError } from '../../errors.js';
import { normaliseQuat, quatToMat3 } from '../../math/quat.js';
import { cos, sin } from '../../math/trig.js';
import type { JointDef, JointLimitsDef } from '../body-def.js';
import { JOINT_TABLE, type LimitKind } from './joint-table.js';

/** Kinds of limit row in the order of their numbers. `lean` rows keep a cone without width in one direction. */
export const LIMIT_ROWS = ['range', 'secondRange', 'twist', 'cone', 'lean'] as const;
export type LimitRowKind = (typeof LIMIT_ROWS)[number];

/** A range narrower than this is locked [rad]. */
const LOCKED = 1e-6;
/** A cone narrower than this in one direction is a hinge there [rad]: 0.01 degrees. */
const NARROW = 1.745e-4;
const HALF_TURN = Math.PI;
const SLACK = 1e-9;

/** Rows of a cone: tangents of its ellipse. */
export const CONE_CUTS = 4;
/** Numbers per row in `numbers`. */
export const LIMIT_STRIDE = 6;

/** Limit rows of a body. */
export interface JointLimits {
  readonly count: number;
  /** Pair of bones each row belongs to. */
  readonly pair: Int32Array;
  /** Number in LIMIT_ROWS. */
  readonly kind: Uint8Array;
  /** 1 where the angle is held, not only bounded. */
  readonly locked: Uint8Array;
  /**
   * Range and twist: cosine and sine of the lower bound, the upper one and their middle. Cone: one over the sine of half of each angle (0
   * where that direction is held by a `lean` row), 1 where the second angle is the narrower, and which of its rows this is. Lean: which of the two it holds.
   */
  readonly numbers: Float64Array;
  /** Three directions of the first bone per pair, as `Joints.frame`, turned to the middle of the joint's limits. 9 per pair. */
  readonly frame: Float64Array;
}

/** Checks the limits of joints and flattens them. `ofPair`: joint of each pair; `frame`: 9 per pair. */
export function buildLimits(
  defs: readonly JointDef[],
  ofPair: Int32Array,
  frame: Float64Array,
  place: string,
): JointLimits {
  const rows: { pair: number; kind: LimitRowKind; locked: boolean; numbers: readonly number[] }[] = [];
  const turned = frame.slice();
  for (let joint = 0; joint < defs.length; joint++) checkLimits(defs[joint], `${place}/${joint}/limits`);
  ofPair.forEach((joint, pair) => {
    const { limits } = defs[joint];
    if (!limits) return;
    if (limits.middle) turnFrame(turned, pair * 9, limits.middle);
    const range = (kind: 'range' | 'secondRange' | 'twist') => {
      const bounds = limits[kind];
      if (!bounds || bounds[1] - bounds[0] >= 2 * HALF_TURN - SLACK) return;
      const [low, high] = bounds;
      const middle = (low + high) / 2;
      const numbers = [low, high, middle].flatMap((angle) => [cos(angle), sin(angle)]);
      rows.push({ pair, kind, locked: high - low < LOCKED, numbers });
    };
    range('range');
    range('secondRange');
    range('twist');
    if (limits.cone !== undefined) rows.push(...coneRows(pair, coneAngles(limits.cone)));
  });
  const numbers = new Float64Array(rows.length * LIMIT_STRIDE);
  rows.forEach((row, i) => {
    numbers.set(row.numbers, i * LIMIT_STRIDE);
  });
  return {
    count: rows.length,
    pair: Int32Array.from(rows, (row) => row.pair),
    kind: Uint8Array.from(rows, (row) => LIMIT_ROWS.indexOf(row.kind)),
    locked: Uint8Array.from(rows, (row) => (row.locked ? 1 : 0)),
    numbers,
    frame: turned,
  };
}

/** Throws where limits do not suit their joint. */
function checkLimits(def: JointDef, at: string): void {
  const { limits } = def;
  if (limits === undefined || limits === null) return;
  requireType(limits, 'object', at);
  const takes: readonly string[] = [...JOINT_TABLE[def.type].limit, ...(def.type === 'ball' ? ['middle'] : [])];
  for (const key of Object.keys(limits) as (keyof JointLimitsDef)[]) {
    if (limits[key] === undefined || takes.includes(key)) continue;
    const advice =
      takes.length > 0 ? `a ${def.type} joint takes ${takes.join(', ')}` : `a ${def.type} joint has no limits`;
    throw new TendonError('E_JOINT', `${at}/${key}`, def.name, advice);
  }
  for (const kind of ['range', 'secondRange', 'twist'] satisfies LimitKind[]) {
    const bounds = limits[kind];
    if (!bounds) continue;
    requireFinite(bounds, `${at}/${kind}`);
    const good = bounds[0] <= bounds[1] && bounds[0] >= -2 * HALF_TURN - SLACK && bounds[1] <= 2 * HALF_TURN + SLACK;
    if (!good) throw new TendonError('E_RANGE', `${at}/${kind}`, bounds, 'least, then largest angle [rad]');
  }
  if (limits.cone !== undefined) checkCone(limits.cone, at);
  if (limits.middle) {
    requireFinite(limits.middle, `${at}/middle`);
    if (!normaliseQuat(new Float64Array(4), 0, limits.middle, 0)) {
      throw new TendonError('E_RANGE', `${at}/middle`, limits.middle, 'a quaternion needs a length');
    }
  }
}

function checkCone(cone: number | readonly [number, number], at: string): void {
  const angles = coneAngles(cone);
  requireFinite(angles, `${at}/cone`);
  if (!angles.every((angle) => angle >= 0 && angle <= HALF_TURN + SLACK)) {
    throw new TendonError('E_RANGE', `${at}/cone`, cone, 'angles of a cone lie between 0 and π rad');
  }
}

function coneAngles(cone: number | readonly [number, number]): readonly [number, number] {
  return typeof cone === 'number' ? [cone, cone] : cone;
}

/** A cone that is a half turn wide everywhere says nothing; one without width in a direction is held there. */
function coneRows(pair: number, angles: readonly [number, number]) {
  const held = angles.map((angle) => angle < NARROW);
  const inverse = angles.map((angle, i) => (held[i] ? 0 : 1 / sin(Math.min(angle, HALF_TURN) / 2)));
  const leans = [0, 1].filter((i) => held[i]);
  const rows: { pair: number; kind: LimitRowKind; locked: boolean; numbers: number[] }[] = leans.map((i) => ({
    pair,
    kind: 'lean',
    locked: true,
    numbers: [i],
  }));
  const open = angles.every((angle) => angle > HALF_TURN - SLACK);
  if (leans.length < 2 && !open) {
    for (let cut = 0; cut < CONE_CUTS; cut++) {
      const numbers = [...inverse, angles[1] < angles[0] ? 1 : 0, cut];
      rows.push({ pair, kind: 'cone', locked: false, numbers });
    }
  }
  return rows;
}

/** Turns the three directions of a pair by a rotation given in the rest frame. */
function turnFrame(frame: Float64Array, o: number, middle: ArrayLike<number>): void {
  const quat = new Float64Array(4);
  const matrix = new Float64Array(9);
  normaliseQuat(quat, 0, middle, 0);
  quatToMat3(matrix, 0, quat, 0);
  for (let row = o; row < o + 9; row += 3) {
    const v = frame.slice(row, row + 3);
    for (let i = 0; i < 3; i++) {
      frame[row + i] = matrix[i * 3] * v[0] + matrix[i * 3 + 1] * v[1] + matrix[i * 3 + 2] * v[2];
    }
  }
}
