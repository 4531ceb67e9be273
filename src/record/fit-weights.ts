/**
 * How much of each vertex follows each bone, found from how they moved: the mix of at most four bones, with weights from 0
 * to 1 that add up to 1, that comes nearest to where the vertex went (the weight step of [Le2012], vertex by vertex).
 * Used by exporters for surfaces that have no weights of their own.
 */
import { CANDIDATES, INFLUENCES, mixBones } from './mix-bones.js';

/** Four bones per vertex and their weights. */
export interface FittedWeights {
  readonly bones: Uint16Array;
  readonly weights: Float32Array;
}

/** Numbers of a motion: rows of a 3x4 matrix. */
const MOTION = 12;
/** States that are looked at: more do not make the weights better. */
const MOST_STATES = 24;

/** `transforms[bone][state]`: 12 numbers, rows of a 3x4 matrix from the first state's space to where the bone took it. */
export function fitWeights(
  rest: Float32Array,
  states: readonly Float32Array[],
  transforms: readonly (readonly Float64Array[])[],
): FittedWeights {
  const fit = new WeightFit(rest, states);
  fit.add(transforms);
  return fit;
}

/** Weights that are found again as bones are added: only of those vertices that a new bone describes better than one of their candidates. */
export class WeightFit implements FittedWeights {
  readonly bones: Uint16Array;
  readonly weights: Float32Array;
  readonly #rest: Float32Array;
  /** States that are looked at, and where vertices are in them: x,y,z per state, vertex by vertex. */
  readonly #chosen: readonly number[];
  readonly #places: Float64Array;
  /** Of each bone, one motion per state that is looked at. */
  readonly #motions: Float64Array[] = [];
  /** The bones that describe each vertex best by themselves, best first (of equals the first), and how badly. */
  readonly #nearest: Uint16Array;
  readonly #errors: Float64Array;
  readonly #away: Float64Array;

  constructor(rest: Float32Array, states: readonly Float32Array[]) {
    const vertexCount = rest.length / 3;
    this.bones = new Uint16Array(INFLUENCES * vertexCount);
    this.weights = new Float32Array(INFLUENCES * vertexCount);
    this.#rest = rest;
    this.#chosen = sampleStates(states);
    const width = 3 * this.#chosen.length;
    this.#places = new Float64Array(width * vertexCount);
    for (let n = 0; n < this.#chosen.length; n++) {
      const state = states[this.#chosen[n]];
      for (let v = 0; v < vertexCount; v++) {
        for (let i = 0; i < 3; i++) this.#places[width * v + 3 * n + i] = state[3 * v + i];
      }
    }
    this.#nearest = new Uint16Array(CANDIDATES * vertexCount);
    this.#errors = new Float64Array(CANDIDATES * vertexCount).fill(Number.POSITIVE_INFINITY);
    this.#away = new Float64Array(CANDIDATES * width);
  }

  /** Adds bones, by their motions in all states; the vertices whose weights were found anew. */
  add(transforms: readonly (readonly Float64Array[])[]): number[] {
    const first = this.#motions.length;
    for (const states of transforms) {
      const motion = new Float64Array(MOTION * this.#chosen.length);
      for (let n = 0; n < this.#chosen.length; n++) motion.set(states[this.#chosen[n]], MOTION * n);
      this.#motions.push(motion);
    }
    const changed: number[] = [];
    for (let v = 0; v < this.#rest.length / 3; v++) {
      let isNearer = false;
      for (let bone = first; bone < this.#motions.length; bone++) if (this.#offer(v, bone)) isNearer = true;
      if (!isNearer) continue;
      this.#mix(v);
      changed.push(v);
    }
    return changed;
  }

  /** Makes a bone one of a vertex's candidates where it is better than the last of them. */
  #offer(v: number, bone: number): boolean {
    const errors = this.#errors;
    const o = CANDIDATES * v;
    const error = this.#errorOf(v, this.#motions[bone], errors[o + CANDIDATES - 1]);
    if (error >= errors[o + CANDIDATES - 1]) return false;
    let at = o + CANDIDATES - 1;
    for (; at > o && errors[at - 1] > error; at--) {
      errors[at] = errors[at - 1];
      this.#nearest[at] = this.#nearest[at - 1];
    }
    errors[at] = error;
    this.#nearest[at] = bone;
    return true;
  }

  /** How far a vertex is from where a motion takes it, squared and summed over all states; stops above `most`. */
  #errorOf(v: number, m: Float64Array, most: number): number {
    const x = this.#rest[3 * v];
    const y = this.#rest[3 * v + 1];
    const z = this.#rest[3 * v + 2];
    const places = this.#places;
    const first = 3 * this.#chosen.length * v;
    let sum = 0;
    for (let n = 0; n < this.#chosen.length && sum < most; n++) {
      const o = MOTION * n;
      const p = first + 3 * n;
      const dx = m[o] * x + m[o + 1] * y + m[o + 2] * z + m[o + 3] - places[p];
      const dy = m[o + 4] * x + m[o + 5] * y + m[o + 6] * z + m[o + 7] - places[p + 1];
      const dz = m[o + 8] * x + m[o + 9] * y + m[o + 10] * z + m[o + 11] - places[p + 2];
      sum += dx * dx + dy * dy + dz * dz;
    }
    return sum;
  }

  #mix(v: number): void {
    const width = 3 * this.#chosen.length;
    const count = Math.min(CANDIDATES, this.#motions.length);
    for (let k = 0; k < count; k++) this.#measureAway(v, this.#motions[this.#nearest[CANDIDATES * v + k]], k * width);
    const o = INFLUENCES * v;
    this.bones.fill(0, o, o + INFLUENCES);
    this.weights.fill(0, o, o + INFLUENCES);
    const mixed = mixBones(count, this.#away, width, this.bones, this.weights, o);
    for (let k = o; k < o + mixed; k++) this.bones[k] = this.#nearest[CANDIDATES * v + this.bones[k]];
  }

  /** From where a vertex is to where a motion takes it, x,y,z per state. */
  #measureAway(v: number, m: Float64Array, out: number): void {
    const x = this.#rest[3 * v];
    const y = this.#rest[3 * v + 1];
    const z = this.#rest[3 * v + 2];
    const places = this.#places;
    const first = 3 * this.#chosen.length * v;
    for (let n = 0; n < this.#chosen.length; n++) {
      const o = MOTION * n;
      for (let i = 0; i < 3; i++) {
        const r = o + 4 * i;
        const moved = m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3];
        this.#away[out + 3 * n + i] = moved - places[first + 3 * n + i];
      }
    }
  }
}

/** States spread evenly over the way that vertices go, the first and the last among them: a body that lies still says nothing new. */
export function sampleStates(states: readonly Float32Array[]): number[] {
  if (states.length <= MOST_STATES) return states.map((_, n) => n);
  const way = [0];
  for (let n = 1; n < states.length; n++) way.push(way[n - 1] + distance(states[n - 1], states[n]));
  const last = states.length - 1;
  const chosen = new Set([0, last]);
  for (let i = 1, n = 0; i < MOST_STATES - 1; i++) {
    while (n < last && way[n] < (i * way[last]) / (MOST_STATES - 1)) n++;
    chosen.add(n);
  }
  return [...chosen].sort((a, b) => a - b);
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return Math.sqrt(sum);
}
