/**
 * The smallest value of ½ zᵀ W z + vᵀ z with every z between bounds, found exactly by an active set [Lawson1974, with bounds on both sides as
 * in Stark1995]: guess which z lie on their bounds, solve for the others, step as far as the bounds allow, and let go of a bound where that
 * goes downhill. W is small, symmetric and positive semidefinite. Used for joint limits and motors with a largest torque, where sweeps
 * (projected Gauss-Seidel) end with reactions ten times too small.
 */

/** Slope, relative to what it is made of, that is rounding. */
const FLAT = 1e-12;

/** Problems of up to `capacity` unknowns; allocates nothing after it is made. */
export class BoxQuadratic {
  readonly capacity: number;
  /** Row major, rows of `capacity` numbers. Filled by the caller, both triangles. */
  readonly matrix: Float64Array;
  readonly slope: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Where to start from, and the solution. Starts at 0 are always allowed. */
  readonly z: Float64Array;
  /** Changes of the active set in the last solve. */
  pivots = 0;
  readonly #free: Uint8Array;
  readonly #list: Int32Array;
  readonly #factor: Float64Array;
  readonly #next: Float64Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.matrix = new Float64Array(capacity * capacity);
    this.slope = new Float64Array(capacity);
    this.low = new Float64Array(capacity);
    this.high = new Float64Array(capacity);
    this.z = new Float64Array(capacity);
    this.#free = new Uint8Array(capacity);
    this.#list = new Int32Array(capacity);
    this.#factor = new Float64Array(capacity * capacity);
    this.#next = new Float64Array(capacity);
  }

  /** Solves for the first `count` unknowns; false where the active set did not settle (the z are then within bounds, and not the best). */
  solve(count: number): boolean {
    this.pivots = 0;
    this.#start(count);
    const most = 4 * count + 20;
    for (; this.pivots <= most; this.pivots++) {
      while (!this.#stepToFree(count) && this.pivots <= most) this.pivots++;
      const freed = this.#steepest(count);
      if (freed < 0) return true;
      this.#free[freed] = 1;
    }
    return false;
  }

  /** Puts the start within bounds; what is not on one is free. */
  #start(count: number): void {
    for (let i = 0; i < count; i++) {
      this.z[i] = Math.min(Math.max(this.z[i], this.low[i]), this.high[i]);
      this.#free[i] = this.z[i] > this.low[i] && this.z[i] < this.high[i] ? 1 : 0;
    }
  }

  /** Goes towards the solution for the free unknowns; false where a bound was in the way, which is then held. */
  #stepToFree(count: number): boolean {
    const free = this.#listFree(count);
    if (free === 0) return true;
    this.#solveFree(count, free);
    let share = 1;
    let blocking = -1;
    for (let n = 0; n < free; n++) {
      const i = this.#list[n];
      const way = this.#next[n] - this.z[i];
      const bound = way < 0 ? this.low[i] : this.high[i];
      if (!(way < 0 ? this.#next[n] < bound : this.#next[n] > bound)) continue;
      const part = (bound - this.z[i]) / way;
      if (part < share || blocking < 0) {
        share = Math.max(0, Math.min(share, part));
        blocking = n;
      }
    }
    for (let n = 0; n < free; n++) {
      const i = this.#list[n];
      this.z[i] += share * (this.#next[n] - this.z[i]);
    }
    if (blocking < 0) return true;
    const held = this.#list[blocking];
    this.z[held] = this.#next[blocking] < this.low[held] ? this.low[held] : this.high[held];
    this.#free[held] = 0;
    return false;
  }

  #listFree(count: number): number {
    let free = 0;
    for (let i = 0; i < count; i++) if (this.#free[i]) this.#list[free++] = i;
    return free;
  }

  /** Solves W_ff z_f = −v_f − W_fb z_b by Cholesky; a pivot that cancels leaves its unknown where it is. */
  #solveFree(count: number, free: number): void {
    const { capacity, matrix } = this;
    const l = this.#factor;
    const list = this.#list;
    for (let n = 0; n < free; n++) {
      const row = list[n] * capacity;
      let right = -this.slope[list[n]];
      for (let j = 0; j < count; j++) if (!this.#free[j]) right -= matrix[row + j] * this.z[j];
      for (let m = 0; m <= n; m++) {
        let sum = matrix[row + list[m]];
        for (let k = 0; k < m; k++) sum -= l[n * capacity + k] * l[m * capacity + k];
        if (m < n) l[n * capacity + m] = l[m * capacity + m] > 0 ? sum / l[m * capacity + m] : 0;
        else l[n * capacity + n] = sum > FLAT * matrix[row + list[n]] ? Math.sqrt(sum) : 0;
      }
      for (let m = 0; m < n; m++) right -= l[n * capacity + m] * this.#next[m];
      this.#next[n] = l[n * capacity + n] > 0 ? right / l[n * capacity + n] : 0;
    }
    for (let n = free - 1; n >= 0; n--) {
      const pivot = l[n * capacity + n];
      let sum = this.#next[n];
      for (let m = n + 1; m < free; m++) sum -= l[m * capacity + n] * this.#next[m];
      this.#next[n] = pivot > 0 ? sum / pivot : this.z[list[n]];
    }
  }

  /** The held unknown whose bound is most worth leaving, -1 where none is. */
  #steepest(count: number): number {
    let best = -1;
    let steepest = 0;
    for (let i = 0; i < count; i++) {
      if (this.#free[i] || this.low[i] === this.high[i]) continue;
      let slope = this.slope[i];
      let terms = Math.abs(slope);
      for (let j = 0; j < count; j++) {
        const term = this.matrix[i * this.capacity + j] * this.z[j];
        slope += term;
        terms += Math.abs(term);
      }
      // downhill is up from the lower bound, down from the upper one
      const gain = this.z[i] <= this.low[i] ? -slope : slope;
      if (!(gain > FLAT * terms)) continue;
      const worth = (gain * gain) / this.matrix[i * this.capacity + i];
      if (worth > steepest) {
        steepest = worth;
        best = i;
      }
    }
    return best;
  }
}
