/**
 * Soft bodies as flat arrays over all their vertices, and the elastic half of both tracks. One quasi-Newton pass with the constant
 * matrix A per track:
 *
 *     positions     A₂ (v½ − vₙ) = h/2 (M g + f(xₙ + h vₙ))
 *     velocities    A₄ (v − v½) = M (vₙ − v½) + h (M g + f(xₙ₊₁))
 *
 * Where A is stiffer than the body really is, the body moves as if it were heavier, and comes to rest where it should.
 *
 * Forces of a body sum to nothing and A leaves translations alone, so linear momentum is kept to rounding. Rotations are not
 * left alone by a constant matrix: the angular momentum of a soft body in free flight drifts.
 */
import { addSheetForces } from './forces/sheet-forces.js';
import { addElasticForces } from './forces/soft-forces.js';
import type { SoftKernels } from './soft-kernels.js';
import type { SoftModel, SoftTable } from './soft-model.js';

/** Where a soft body starts. */
export interface SoftStart {
  readonly model: SoftModel;
  /** Positions of its vertices [m] and their velocities [m/s]; default at rest. */
  readonly positions: Float64Array;
  readonly velocities?: Float64Array;
}

/** Soft bodies of a world. */
export class SoftBodies {
  readonly count: number;
  readonly vertexCount: number;
  readonly models: readonly SoftModel[];
  /** First vertex of each body; one more than `count`. */
  readonly firstVertex: Int32Array;
  /** State: positions [m] and velocities [m/s]; 3 per vertex. */
  readonly x: Float64Array;
  readonly v: Float64Array;
  /** Velocities of the track that is being solved. */
  readonly velocity: Float64Array;
  /** Velocities that took the positions along. */
  readonly half: Float64Array;
  readonly mass: Float64Array;
  /** 1 for vertices that nothing pushes: they go on with their velocity, which is none, or that of a bone that others move. */
  readonly pinned: Uint8Array;
  /** 1 for bodies that sleep: they have no velocity and get none. */
  readonly asleep: Uint8Array;
  /** Does the hot loops, where there are kernels and all flesh is corotated; without it they are done here, in f64. */
  kernels: SoftKernels | undefined;
  /** Outside forces [N], 3 per vertex. */
  readonly outside: Float64Array;
  /** Rotation of each element, as a quaternion from step to step: a warm start. */
  readonly #quats: Float64Array;
  readonly #firstTet: Int32Array;
  readonly #force: Float64Array;
  readonly #guess: Float64Array;
  #track: 0 | 1 = 0;

  constructor(starts: readonly SoftStart[]) {
    this.count = starts.length;
    this.models = starts.map(({ model }) => model);
    this.firstVertex = new Int32Array(starts.length + 1);
    this.#firstTet = new Int32Array(starts.length + 1);
    starts.forEach(({ model }, s) => {
      this.firstVertex[s + 1] = this.firstVertex[s] + model.size;
      this.#firstTet[s + 1] = this.#firstTet[s] + model.elements.tetCount;
    });
    this.asleep = new Uint8Array(starts.length);
    const n = this.firstVertex[starts.length];
    this.vertexCount = n;
    this.x = new Float64Array(n * 3);
    this.v = new Float64Array(n * 3);
    this.velocity = new Float64Array(n * 3);
    this.half = new Float64Array(n * 3);
    this.mass = new Float64Array(n);
    this.pinned = new Uint8Array(n);
    this.outside = new Float64Array(n * 3);
    this.#force = new Float64Array(n * 3);
    this.#guess = new Float64Array(n * 3);
    this.#quats = new Float64Array(this.#firstTet[starts.length] * 4);
    starts.forEach((start, s) => {
      this.mass.set(start.model.elements.masses, this.firstVertex[s]);
      this.pinned.set(start.model.elements.pinned, this.firstVertex[s]);
      this.place(s, start);
    });
  }

  /** Puts body s where it starts. */
  place(s: number, { positions, velocities }: SoftStart): void {
    const first = this.firstVertex[s] * 3;
    this.x.set(positions, first);
    if (velocities) this.v.set(velocities, first);
    else this.v.fill(0, first, this.firstVertex[s + 1] * 3);
    // no rotation is known: the first one is worked out from nothing
    this.#quats.fill(0, this.#firstTet[s] * 4, this.#firstTet[s + 1] * 4);
  }

  /** Whether kernels know all of the flesh. */
  get isCorotated(): boolean {
    return this.models.every(({ elements }) => !elements.neoHookean.includes(1));
  }

  /** Everything that the next step reads, for snapshots. */
  get arrays(): readonly (Float64Array | Float32Array)[] {
    return [this.x, this.v, this.kernels?.rotations ?? this.#quats];
  }

  /** Prepares the tables for steps of h. */
  prepare(h: number): void {
    for (let s = 0; s < this.count; s++) this.models[s].prepare(h);
  }

  /** The inverse table of the present track. */
  tableOf(s: number): SoftTable {
    const model = this.models[s];
    return this.#track === 0 ? model.first : model.second;
  }

  /** velocity = v½ without contacts. */
  predictHalf(gravity: ArrayLike<number>, h: number): void {
    this.#track = 0;
    const { x, v, velocity, mass, outside } = this;
    const guess = this.#guess;
    const force = this.#force;
    velocity.set(v);
    for (let o = 0; o < guess.length; o++) guess[o] = x[o] + h * v[o];
    this.#elastic(guess);
    for (let i = 0; i < this.vertexCount; i++) {
      for (let k = 0; k < 3; k++) {
        const o = i * 3 + k;
        force[o] = 0.5 * h * (mass[i] * gravity[k] + outside[o] + force[o]);
      }
    }
    this.#addAnswer(force, h);
  }

  /** Positions follow v½. */
  advance(h: number): void {
    const { x, velocity, half } = this;
    half.set(velocity);
    for (let o = 0; o < x.length; o++) x[o] += h * velocity[o];
  }

  /** velocity = v at the end of the step without contacts. */
  predictEnd(gravity: ArrayLike<number>, h: number): void {
    this.#track = 1;
    const { x, v, velocity, half, mass, outside } = this;
    const force = this.#force;
    this.#elastic(x);
    velocity.set(half);
    for (let i = 0; i < this.vertexCount; i++) {
      for (let k = 0; k < 3; k++) {
        const o = i * 3 + k;
        force[o] = mass[i] * (v[o] - half[o] + h * gravity[k]) + h * (force[o] + outside[o]);
      }
    }
    this.#addAnswer(force, h);
  }

  /** force = elastic forces at the given positions [N]. */
  #elastic(positions: Float64Array): void {
    if (this.kernels) this.kernels.elastic(positions, this.#force, this.asleep);
    else this.#force.fill(0);
    for (let s = 0; s < this.count; s++) {
      if (this.asleep[s] === 1) continue;
      const first = this.firstVertex[s];
      const { elements } = this.models[s];
      if (elements.sheet) addSheetForces(elements.sheet, positions, first, this.#force);
      else if (!this.kernels) addElasticForces(elements, positions, first, this.#quats, this.#firstTet[s], this.#force);
    }
  }

  /** velocity += A⁻¹ impulses. */
  #addAnswer(impulses: Float64Array, h: number): void {
    const { velocity } = this;
    if (this.kernels) {
      this.kernels.answer(impulses, velocity, this.#track, h, this.asleep);
      return;
    }
    for (let s = 0; s < this.count; s++) {
      if (this.asleep[s] === 1) continue;
      const { table, size } = this.tableOf(s);
      const first = this.firstVertex[s];
      for (let i = 0; i < size; i++) {
        const row = i * size;
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        for (let j = 0; j < size; j++) {
          const c = table[row + j];
          const o = (first + j) * 3;
          s0 += c * impulses[o];
          s1 += c * impulses[o + 1];
          s2 += c * impulses[o + 2];
        }
        const to = (first + i) * 3;
        velocity[to] += s0;
        velocity[to + 1] += s1;
        velocity[to + 2] += s2;
      }
    }
  }
}
