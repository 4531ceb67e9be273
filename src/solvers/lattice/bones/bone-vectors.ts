/** The bones' part of the vectors of L-BFGS: twelve numbers per bone, beside those of the nodes. Owned by free-bones.ts, used by the descent. */

/** Vectors of one body. */
export class BoneVectors {
  /** What pulls on the bones where they are, and at a trial. */
  pull: Float64Array;
  trialPull: Float64Array;
  /** What a direction is made from, and the direction. */
  readonly q: Float64Array;
  readonly d: Float64Array;
  /** The step that is about to be remembered. */
  readonly step: Float64Array;
  readonly #steps: readonly Float64Array[];
  readonly #changes: readonly Float64Array[];

  constructor(length: number, pairs: number) {
    this.pull = new Float64Array(length);
    this.trialPull = new Float64Array(length);
    this.q = new Float64Array(length);
    this.d = new Float64Array(length);
    this.step = new Float64Array(length);
    this.#steps = Array.from({ length: pairs }, () => new Float64Array(length));
    this.#changes = Array.from({ length: pairs }, () => new Float64Array(length));
  }

  /** q starts as the pull. */
  begin(): void {
    this.q.set(this.pull);
  }

  stepDotQ(pair: number): number {
    return dot(this.#steps[pair], this.q);
  }

  addChangeToQ(pair: number, scale: number): void {
    addScaled(this.q, scale, this.#changes[pair]);
  }

  changeDotD(pair: number): number {
    return dot(this.#changes[pair], this.d);
  }

  addStepToD(pair: number, scale: number): void {
    addScaled(this.d, scale, this.#steps[pair]);
  }

  pullDotD(): number {
    return dot(this.pull, this.d);
  }

  /** Keeps `step` and the change of the pull; returns their product. */
  remember(pair: number): number {
    const change = this.#changes[pair];
    this.#steps[pair].set(this.step);
    for (let n = 0; n < change.length; n++) change[n] = this.trialPull[n] - this.pull[n];
    return dot(this.step, change);
  }

  /** The pull at the trial is the pull. */
  accept(): void {
    [this.pull, this.trialPull] = [this.trialPull, this.pull];
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n] * b[n];
  return sum;
}

function addScaled(y: Float64Array, scale: number, x: Float64Array): void {
  for (let n = 0; n < y.length; n++) y[n] += scale * x[n];
}
