/**
 * Bones that move by themselves: pulled by flesh, inertia and gravity, rigid, their joints closed at every trial. They ride along with the
 * descent of the flesh: vectors of L-BFGS have twelve more numbers per bone (the change of its transform, and the pull on it), and the first matrix
 * is that of Schur's complement,
 *
 *     direction = C q + Q S⁻¹ Qᵀ q
 *
 * C the cycle of the flesh with bones held, Q how bones carry flesh (bone-spread.ts), S⁻¹ with joints in it (bone-saddle.ts). Trials are taken
 * back to rigid, jointed poses. The energy of a bone is that of its own nodes, with their masses M (4x4, rest places about the centre):
 * 1/2h² ⟨T − T_inertia, M (T − T_inertia)⟩.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import { BONE_BLOCK_LENGTH, fillBoneBlock } from '../../../body/joints/bone-metric.js';
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { mat3ToQuat, normaliseQuat } from '../../../math/quat.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Reals, Vector } from '../numbers/arithmetic.js';
import { BoneInertia } from './bone-inertia.js';
import { BoneSaddle } from './bone-saddle.js';
import { AFFINE, BoneSpread } from './bone-spread.js';
import { BoneStiffness } from './bone-stiffness.js';
import { BoneVectors } from './bone-vectors.js';
import type { BoneWeights } from './harmonic-weights.js';

/** Share of its mass that a bone weighs more in the metric: one whose nodes lie in a line can be turned about it for nothing else. */
const LIGHT = 1e-6;

/** The bones of one body. */
export class FreeBones {
  /** Where the bones are, and where a trial has them. */
  readonly poses: BonePoses;
  readonly trial: BonePoses;
  /** Largest joint gap of the last trial [m]. */
  gap = 0;
  readonly saddle: BoneSaddle;
  readonly inertia: BoneInertia;
  /** Their part of the vectors of L-BFGS. */
  readonly vectors: BoneVectors;
  readonly #model: Model;
  readonly #body: LatticeBody;
  readonly #ofNode: Int32Array;
  readonly #target: Float64Array;
  readonly #affine: Float64Array;
  readonly #before: Float64Array;
  readonly #now: Float64Array;
  readonly #gathered: Float64Array;
  readonly #turn = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  readonly #move = new Float64Array(6);
  readonly #block = new Float64Array(BONE_BLOCK_LENGTH);
  #spread!: BoneSpread;
  #flesh!: BoneStiffness;
  /** Masses of flesh and bones as moves of bones feel them, 4 m rows of 4 m numbers [kg, kg m, kg m²]. */
  #shared!: Float64Array;
  /** One over the square of the step [1/s²]. */
  #stiffness = 1;

  constructor(plan: MemoryPlan, model: Model, body: LatticeBody, ofNode: Int32Array, pairs: number) {
    const { count } = model.bones;
    this.#model = model;
    this.#body = body;
    this.#ofNode = ofNode;
    this.poses = new BonePoses(count + 1);
    this.trial = new BonePoses(count + 1);
    this.saddle = new BoneSaddle(plan, model);
    const room = (): Float64Array => new Float64Array(AFFINE * count);
    [this.#target, this.#affine, this.#before, this.#now] = [room(), room(), room(), room()];
    this.#gathered = room();
    this.vectors = new BoneVectors(AFFINE * count, pairs);
    this.inertia = new BoneInertia(model, body, ofNode);
  }

  /** Weighs the bones and builds their metric; once the memory exists and the weights are known. */
  start(kernels: KernelTable, rest: Float64Array, weights: BoneWeights): void {
    const { count, centre } = this.#model.bones;
    this.#spread = new BoneSpread(this.#body, count, this.#ofNode, rest, centre, weights);
    this.#flesh = new BoneStiffness(this.#body, count, this.#ofNode, weights);
    this.#shared = this.#spread.inertiaMetric(this.inertia.ofNodes);
    this.saddle.begin(kernels);
  }

  /** A step begins: driven bones are where they are sent, all others where inertia and gravity take them, joints closed. */
  begin({ poses, boneRates, boneTargets, kinematic }: BodyState, x: Reals, h: number, push: ArrayLike<number>): void {
    const { count } = this.#model.bones;
    this.poses.copy(poses);
    this.#stiffness = 1 / (h * h);
    this.#fillMetric(x);
    for (let bone = 0; bone < count; bone++) {
      this.saddle.fixed[bone] = kinematic[bone];
      const o = AFFINE * bone;
      poses.writeAffine(bone, this.#before, o);
      for (let n = 0; n < AFFINE; n++) this.#target[o + n] = this.#before[o + n] + h * boneRates[o + n];
      for (let k = 0; k < 3; k++) this.#target[o + 9 + k] += h * h * push[k];
      if (!kinematic[bone]) this.#placeByInertia(bone);
      else {
        for (let k = 0; k < 4; k++) this.poses.quats[4 * bone + k] = boneTargets[7 * bone + k];
        for (let k = 0; k < 3; k++) this.poses.translations[3 * bone + k] = boneTargets[7 * bone + 4 + k];
        this.poses.updateRotation(bone);
      }
    }
    this.gap = this.saddle.close(this.poses);
  }

  /** Metric of this step: inertia, and flesh where it is. */
  #fillMetric(x: Reals): void {
    const { count } = this.#model.bones;
    const { metric } = this.saddle;
    for (let j = 0; j < count; j++) {
      for (let k = 0; k < count; k++) {
        fillBoneBlock(this.#block, this.#shared, 4 * count, this.poses.rotations, j, k);
        for (let n = 0; n < 36; n++) {
          metric[(6 * j + Math.floor(n / 6)) * 6 * count + 6 * k + (n % 6)] = this.#stiffness * this.#block[n];
        }
      }
      // what holds nothing is light
      const own = this.#stiffness * this.inertia.massOf(j) * LIGHT;
      for (let k = 0; k < 6; k++)
        metric[(6 * j + k) * (6 * count + 1)] += own * (k < 3 ? this.#model.size * this.#model.size : 1);
    }
    this.#flesh.add(x, this.poses, metric);
  }

  #placeByInertia(bone: number): void {
    const o = AFFINE * bone;
    const { quats, translations } = this.poses;
    for (let p = 0; p < 3; p++) for (let k = 0; k < 3; k++) this.#turn[3 * k + p] = this.#target[o + 3 * p + k];
    if (polarRotation(this.#turn, 0, this.#turn, 0, this.#scratch, 0)) mat3ToQuat(quats, 4 * bone, this.#turn, 0);
    normaliseQuat(quats, 4 * bone, quats, 4 * bone);
    this.poses.updateRotation(bone);
    for (let k = 0; k < 3; k++) translations[3 * bone + k] = this.#target[o + 9 + k];
  }

  /** Nothing drives any of them, and no joint ties them to the world. */
  get areLoose(): boolean {
    const { joints, bones } = this.#model;
    for (let pair = 0; pair < joints.count; pair++) if (joints.boneB[pair] === bones.count) return false;
    for (let node = 0; node < this.#ofNode.length; node++) if (this.#ofNode[node] === bones.count) return false;
    return this.saddle.fixed.every((fixed) => fixed === 0);
  }

  /** The descent starts at the poses at hand. */
  settle(): void {
    this.trial.copy(this.poses);
  }

  /** Energy of the bones at the trial [J]; what pulls on them there is kept. `gradient`: of the flesh, with the nodes of bones. */
  evaluate(gradient: Vector): number {
    const { count } = this.#model.bones;
    const pull = this.vectors.trialPull;
    let energy = 0;
    pull.fill(0);
    this.#spread.gatherHeld(gradient, pull);
    for (let bone = 0; bone < count; bone++) {
      const o = AFFINE * bone;
      if (this.saddle.fixed[bone]) {
        pull.fill(0, o, o + AFFINE);
        continue;
      }
      this.trial.writeAffine(bone, this.#now, o);
      for (let n = 0; n < AFFINE; n++) this.#affine[o + n] = this.#now[o + n] - this.#target[o + n];
      energy += this.inertia.addPull(bone, this.#stiffness, this.#affine, pull);
    }
    return energy;
  }

  /** The trial is taken: bones are there now, and so is their pull. */
  accept(): void {
    this.poses.copy(this.trial);
    this.vectors.accept();
  }

  /** Adds Q S⁻¹ Qᵀ q to a direction of the flesh, and takes the moves of bones into their own. */
  direct(q: Vector, d: Vector): void {
    const { count } = this.#model.bones;
    this.#gathered.set(this.vectors.q);
    this.#spread.gather(q, this.#gathered);
    this.saddle.respond(this.poses, this.#gathered);
    for (let bone = 0; bone < count; bone++) this.#writeTangent(bone);
    this.#spread.scatter(this.vectors.d, d);
  }

  /** d = change of the transform by a turn and a shift in the bone's own axes: R (ω × e_p), R l. */
  #writeTangent(bone: number): void {
    const o = AFFINE * bone;
    const s = 6 * bone;
    const { moves, fixed } = this.saddle;
    const { rotations } = this.poses;
    for (let p = 0; p < 4; p++) {
      const [a, b] = [(p + 1) % 3, (p + 2) % 3];
      for (let k = 0; k < 3; k++) {
        const row = 9 * bone + 3 * k;
        let value = 0;
        // ω × e_p is ω_b along a and −ω_a along b, for p, a, b in cyclic order
        if (p < 3) value = rotations[row + a] * moves[s + b] - rotations[row + b] * moves[s + a];
        else for (let n = 0; n < 3; n++) value += rotations[row + n] * moves[s + 3 + n];
        this.vectors.d[o + 3 * p + k] = fixed[bone] ? 0 : value;
      }
    }
  }

  /** The trial: a share of the direction back, to the nearest rigid poses with their joints closed. Places the nodes of bones in x. */
  move(share: number, x: Vector): void {
    this.trial.copy(this.poses);
    const { rotations } = this.poses;
    const { d } = this.vectors;
    for (let bone = 0; bone < this.saddle.fixed.length; bone++) {
      if (this.saddle.fixed[bone]) continue;
      const o = AFFINE * bone;
      for (let i = 0; i < 3; i++) {
        const [a, b] = [(i + 1) % 3, (i + 2) % 3];
        let [turn, shift] = [0, 0];
        for (let k = 0; k < 3; k++) {
          const row = 9 * bone + 3 * k;
          // half of Σ e_p × Rᵀ δ_p
          turn += rotations[row + b] * d[o + 3 * a + k] - rotations[row + a] * d[o + 3 * b + k];
          shift += rotations[row + i] * d[o + 9 + k];
        }
        this.#move[i] = (-share * turn) / 2;
        this.#move[3 + i] = -share * shift;
      }
      this.trial.move(bone, this.#move, 0);
    }
    this.gap = this.saddle.close(this.trial);
    for (let bone = 0; bone < this.saddle.fixed.length; bone++) {
      this.trial.writeAffine(bone, this.#now, AFFINE * bone);
    }
    this.#spread.place(this.saddle.fixed, this.#now, x);
  }

  /** Keeps the step from the poses to the trial; returns its product with the change of the pull. */
  remember(pair: number): number {
    const { step } = this.vectors;
    for (let bone = 0; bone < this.saddle.fixed.length; bone++) {
      this.poses.writeAffine(bone, step, AFFINE * bone);
      this.trial.writeAffine(bone, this.#now, AFFINE * bone);
    }
    for (let n = 0; n < step.length; n++) step[n] = this.#now[n] - step[n];
    return this.vectors.remember(pair);
  }

  /** Adds the momentum of the bones against that of pure inertia, and their mass, to four sums [kg m, kg]. */
  addMomentum(sums: Float64Array): void {
    for (let bone = 0; bone < this.saddle.fixed.length; bone++) this.poses.writeAffine(bone, this.#now, AFFINE * bone);
    for (let n = 0; n < this.#now.length; n++) this.#affine[n] = this.#now[n] - this.#target[n];
    this.inertia.addMomentum(this.#affine, sums);
    sums[3] += this.inertia.total;
  }

  /** Shifts all bones. */
  shift(by: ArrayLike<number>): void {
    for (let n = 0; n < 3 * this.saddle.fixed.length; n++) this.poses.translations[n] += by[n % 3];
  }

  /** Forces of the joints at the end of a descent, one number per row [N]; `gradient`: what the flesh still lacks. */
  readMultipliers(gradient: Vector, out: Float64Array): void {
    this.#gathered.set(this.vectors.pull);
    this.#spread.gather(gradient, this.#gathered);
    this.saddle.respond(this.poses, this.#gathered);
    this.saddle.readMultipliers(out);
  }

  /** Writes poses, and rates as backward Euler has them, to the state. */
  commit(state: BodyState, h: number): void {
    state.poses.copy(this.poses);
    for (let bone = 0; bone < this.saddle.fixed.length; bone++) {
      this.poses.writeAffine(bone, this.#now, AFFINE * bone);
    }
    for (let n = 0; n < this.#now.length; n++) state.boneRates[n] = (this.#now[n] - this.#before[n]) / h;
  }
}
