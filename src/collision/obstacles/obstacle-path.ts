/** Obstacles moved along a path: poses at given times, straight lines and shortest turns at constant speed in between. */
import { requireFinite, requireInRange, TendonError } from '../../errors.js';
import { normaliseQuat, setQuat } from '../../math/quat.js';
import { atan2, sin } from '../../math/trig.js';

/** What a user writes down about a path. Before its first time and after its last the obstacle stands still. */
export interface ObstaclePath {
  /** When the obstacle is where, since the start of the world [s]; each later than the one before. */
  readonly times: readonly number[];
  /** Where its origin is at these times [m]; without them it keeps its `position` and `velocity`. */
  readonly positions?: readonly (readonly [number, number, number])[];
  /** How it is turned, quaternions x, y, z, w, less than half a turn apart; without them `rotation` and `angularVelocity` hold. */
  readonly rotations?: readonly (readonly [number, number, number, number])[];
  /** Begins again after the last time; the last pose must be the first one. */
  readonly loop?: boolean;
}

const MAX_KEYS = 1_000_000;
/** Largest difference between the ends of a loop, in metres or of unit quaternions. */
const SAME = 1e-6;
/** Angle between quaternions below which a straight line is exact to the last bit [rad]. */
const STRAIGHT = 1e-8;

/** A path, checked and as flat numbers. Allocates nothing when asked. */
export class PathTrack {
  readonly #times: Float64Array;
  readonly #positions: Float64Array | undefined;
  /** Unit quaternions, each in the same half as the one before. */
  readonly #rotations: Float64Array | undefined;
  readonly #loop: boolean;

  constructor(path: ObstaclePath, place: string) {
    this.#times = checkTimes(path.times, `${place}/times`);
    this.#loop = path.loop === true;
    if (!path.positions && !path.rotations) {
      throw new TendonError('E_EMPTY', place, undefined, 'a path needs positions or rotations');
    }
    this.#positions = path.positions && flatten(path.positions, 3, this.#times.length, `${place}/positions`);
    this.#rotations = path.rotations && flatten(path.rotations, 4, this.#times.length, `${place}/rotations`);
    if (this.#rotations) alignQuats(this.#rotations, `${place}/rotations`);
    if (!this.#loop) return;
    if (this.#positions) requireClosed(this.#positions, 3, `${place}/positions`);
    if (this.#rotations) requireClosed(this.#rotations, 4, `${place}/rotations`);
  }

  get hasPositions(): boolean {
    return this.#positions !== undefined;
  }

  get hasRotations(): boolean {
    return this.#rotations !== undefined;
  }

  /** Writes what the path says at `time` [s] to a pose: quaternion at pose[o..o+4), position at pose[o+4..o+7). */
  poseAt(time: number, pose: Float64Array, o: number): void {
    const times = this.#times;
    const last = times.length - 1;
    let now = time;
    if (this.#loop) {
      const period = times[last] - times[0];
      now -= Math.floor((now - times[0]) / period) * period;
    }
    now = Math.max(times[0], Math.min(times[last], now));
    const from = Math.min(this.#keyBefore(now), Math.max(0, last - 1));
    const to = Math.min(last, from + 1);
    const share = to > from ? (now - times[from]) / (times[to] - times[from]) : 0;
    const positions = this.#positions;
    if (positions) {
      for (let k = 0; k < 3; k++) {
        pose[o + 4 + k] = (1 - share) * positions[3 * from + k] + share * positions[3 * to + k];
      }
    }
    if (this.#rotations) slerp(pose, o, this.#rotations, 4 * from, 4 * to, share);
  }

  /** The last key not later than `time`. */
  #keyBefore(time: number): number {
    let low = 0;
    let high = this.#times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}

/**
 * out = the rotation a `share` of the way from the unit quaternion at q[a] to that at q[b], at constant speed. Sine and atan2
 * are those with the same bits in every engine.
 */
function slerp(out: Float64Array, o: number, q: Float64Array, a: number, b: number, share: number): void {
  let cosine = 0;
  for (let k = 0; k < 4; k++) cosine += q[a + k] * q[b + k];
  let sineSq = 0;
  for (let k = 0; k < 4; k++) sineSq += (q[b + k] - cosine * q[a + k]) * (q[b + k] - cosine * q[a + k]);
  const angle = atan2(Math.sqrt(sineSq), cosine);
  const straight = angle < STRAIGHT;
  const s = straight ? 1 - share : sin((1 - share) * angle) / sin(angle);
  const t = straight ? share : sin(share * angle) / sin(angle);
  setQuat(
    out,
    o,
    s * q[a] + t * q[b],
    s * q[a + 1] + t * q[b + 1],
    s * q[a + 2] + t * q[b + 2],
    s * q[a + 3] + t * q[b + 3],
  );
  normaliseQuat(out, o, out, o);
}

function checkTimes(times: readonly number[], place: string): Float64Array {
  if (!(times?.length > 0)) throw new TendonError('E_EMPTY', place, times?.length, 'a path needs times');
  requireInRange(times.length, 1, MAX_KEYS, place);
  requireFinite(times, place);
  for (let i = 1; i < times.length; i++) {
    if (times[i] > times[i - 1]) continue;
    throw new TendonError(
      'E_RANGE',
      `${place}/${i}`,
      times[i],
      `must be later than the time before, ${times[i - 1]} s`,
    );
  }
  return Float64Array.from(times);
}

function flatten(keys: readonly (readonly number[])[], size: number, count: number, place: string): Float64Array {
  if (keys.length !== count) throw new TendonError('E_RANGE', place, keys.length, `one for each of ${count} times`);
  keys.forEach((key, i) => {
    if (key.length !== size)
      throw new TendonError('E_RANGE', `${place}/${i}`, key.length, `${size} numbers are needed`);
    requireFinite(key, `${place}/${i}`);
  });
  return Float64Array.from(keys.flat());
}

function alignQuats(q: Float64Array, place: string): void {
  for (let i = 0; i < q.length; i += 4) {
    if (!normaliseQuat(q, i, q, i)) {
      throw new TendonError('E_RANGE', `${place}/${i / 4}`, 0, 'a quaternion needs a length');
    }
    let same = 0;
    for (let k = 0; k < 4; k++) same += i > 0 ? q[i + k] * q[i - 4 + k] : 1;
    if (same < 0) for (let k = 0; k < 4; k++) q[i + k] = -q[i + k];
  }
}

/** Quaternions of opposite sign are the same rotation. */
function requireClosed(keys: Float64Array, size: number, place: string): void {
  const last = keys.length - size;
  let [apart, opposite] = [0, 0];
  for (let k = 0; k < size; k++) {
    apart = Math.max(apart, Math.abs(keys[last + k] - keys[k]));
    opposite = Math.max(opposite, Math.abs(keys[last + k] + keys[k]));
  }
  if (last > 0 && (apart <= SAME || (size === 4 && opposite <= SAME))) return;
  throw new TendonError('E_RANGE', `${place}/${last / size}`, apart, 'a loop must end as it begins');
}
