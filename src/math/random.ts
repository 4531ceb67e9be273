/**
 * Seeded random numbers for scenes and tests: xoshiro128** 1.1 of Blackman and Vigna (public domain), written from its
 * description, in 32-bit integer arithmetic, so that one seed gives one sequence everywhere. Never used in the step.
 */

import { requireInRange, TendonError } from '../errors.js';
import { type MutableNumbers, setVec3 } from './vec3.js';

/** A stream of random numbers. Two streams made from one seed are the same. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform in [low, high). */
  range(low: number, high: number): number;
  /** A whole number, uniform in [0, count); count from 1 to 2^32. */
  integer(count: number): number;
  /**
   * Nearly normal with mean 0 and deviation 1: the sum of twelve uniform numbers, minus 6. Needs no logarithm; its
   * tails end at +-6 and its kurtosis is 2.9 instead of 3.
   */
  normal(): number;
  /** out = a unit vector, uniform on the sphere. */
  unitVector(out: MutableNumbers, o: number): void;
  /** out = a unit quaternion x, y, z, w, uniform over all rotations. */
  unitQuaternion(out: MutableNumbers, o: number): void;
}

/** The next 32 bits of xoshiro128**, 0 to 2^32 - 1; `state` is four 32-bit numbers, not all zero, and moves on. */
export function nextXoshiro128(state: Uint32Array): number {
  const s1 = state[1];
  const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9);
  state[2] ^= state[0];
  state[3] ^= s1;
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= s1 << 9;
  state[3] = rotateLeft(state[3], 11);
  return result >>> 0;
}

/** A stream of random numbers from a seed, a whole number from 0 to 2^32 - 1. */
export function createRandom(seed: number): Random {
  requireInRange(seed, 0, 4294967295, 'seed');
  requireInteger(seed, 'seed');
  const state = seedState(seed);

  function next(): number {
    const high = nextXoshiro128(state) >>> 5;
    const low = nextXoshiro128(state) >>> 6;
    // 27 and 26 bits: (high 2^26 + low) / 2^53.
    return (high * 67108864 + low) / 9007199254740992;
  }

  function integer(count: number): number {
    requireInRange(count, 1, 4294967296, 'count');
    requireInteger(count, 'count');
    // The last, incomplete run of `count` numbers below 2^32 is thrown away: it would favour small results.
    const limit = 4294967296 - (4294967296 % count);
    let bits = nextXoshiro128(state);
    while (bits >= limit) bits = nextXoshiro128(state);
    return bits % count;
  }

  function normal(): number {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += next();
    return sum;
  }

  return {
    next,
    range: (low, high) => low + (high - low) * next(),
    integer,
    normal,
    unitVector: (out, o) => writeUnitVector(next, out, o),
    unitQuaternion: (out, o) => writeUnitQuaternion(next, out, o),
  };
}

/** A uniform direction from uniform numbers in [0, 1). */
function writeUnitVector(next: () => number, out: MutableNumbers, o: number): void {
  // Points of the cube that lie in the ball have no preferred direction; about half of the tries succeed.
  for (;;) {
    const x = 2 * next() - 1;
    const y = 2 * next() - 1;
    const z = 2 * next() - 1;
    const lengthSq = x * x + y * y + z * z;
    if (lengthSq > 1 || lengthSq < 1e-6) continue;
    const length = Math.sqrt(lengthSq);
    setVec3(out, o, x / length, y / length, z / length);
    return;
  }
}

/** A uniform rotation from uniform numbers in [0, 1). */
function writeUnitQuaternion(next: () => number, out: MutableNumbers, o: number): void {
  // The same in four dimensions: uniform directions there are uniform rotations. About three tries in ten succeed.
  for (;;) {
    const x = 2 * next() - 1;
    const y = 2 * next() - 1;
    const z = 2 * next() - 1;
    const w = 2 * next() - 1;
    const lengthSq = x * x + y * y + z * z + w * w;
    if (lengthSq > 1 || lengthSq < 1e-6) continue;
    const length = Math.sqrt(lengthSq);
    setVec3(out, o, x / length, y / length, z / length);
    out[o + 3] = w / length;
    return;
  }
}

/** Four well-mixed numbers from one: a counter with the golden ratio's step, through the finaliser of MurmurHash3. */
function seedState(seed: number): Uint32Array {
  const state = new Uint32Array(4);
  let counter = seed;
  for (let k = 0; k < 4; k++) {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    state[k] = mixed ^ (mixed >>> 16);
  }
  return state;
}

function rotateLeft(bits: number, count: number): number {
  return (bits << count) | (bits >>> (32 - count));
}

function requireInteger(value: number, place: string): void {
  if (!Number.isInteger(value)) throw new TendonError('E_RANGE', place, value, 'the number must be whole');
}
