/**
 * The end of a step: positions and velocities from rows and poses, committed as the new state only if every number is finite. Fills what the certificate says about it.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import { FARTHEST_PUSH, TORN } from '../../constants.js';
import type { SideList } from '../../contact/side-list.js';
import type { StepReport } from '../step-report.js';
import { areFinite, measureRigidity } from './bones/bone-checks.js';
import type { BoneMotion, InertiaWeights } from './bones/bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';
import type { ProjectiveOptions } from './options.js';
import type { ProjectiveState } from './projective-state.js';

/** Commits steps of one model; owns the scratch for it. */
export class StepFinish {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #heldByModel: boolean;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  /** Sum of the contact forces [N]. */
  readonly #outside = new Float64Array(3);
  readonly #drift = new Float64Array(3);
  readonly #before = new Float64Array(12);
  readonly #after = new Float64Array(12);
  /**
   * One over the time that positions are differentiated by [1/s]. Velocity is a x + b x' + c x'' with x' one and x'' two
   * steps back; because the target y is made of the same terms, it is also `a` times what was added to positions to get
   * y, plus x − y. Written that way it has no difference of positions in it, and a body far away or long in free fall
   * keeps its velocity to the last digits (V01, after 500 m of fall: 2e-10 m with differences, 1e-11 m without).
   */
  #a = 0;
  /** Shares of the velocities one and two steps back that are left without forces: damping's, and the integrator's. */
  #kept = 1;
  #keptEarlier = 0;
  /** Whether the integrator looks back past the step before. */
  readonly #looksBack: boolean;

  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, options: ProjectiveOptions) {
    this.#rows = rows;
    this.#motion = motion;
    this.#model = model;
    this.#layout = layout;
    this.#looksBack = options.integrator === 'bdf2';
    this.#heldByModel = model.pinned.includes(1) || model.joints.boneB.includes(model.bones.count);
  }

  /** Whether the result of a step can be written: it is finite and plausible, and joints are as closed as they can be; `gap`: how far they are open [m]. */
  isSound(state: ProjectiveState, gap: number): boolean {
    return this.#isPlausible(this.#rows) && areFinite(this.#motion) && !this.#isTorn(state, gap);
  }

  /** Writes the result of a step that has settled to the state. */
  commit(
    state: ProjectiveState,
    weights: InertiaWeights,
    gravity: ArrayLike<number>,
    h: number,
    free: boolean,
    touches: SideList | undefined,
    report: StepReport,
  ): void {
    const rows = this.#rows;
    const motion = this.#motion;
    this.#outside.fill(0);
    touches?.addForces(this.#outside);
    // backward Euler: (x − x')/h; BDF2: (3x − 4x' + x'')/2h
    const second = weights.position !== 1;
    this.#a = second ? 1.5 / h : 1 / h;
    this.#kept = weights.velocity * this.#a;
    this.#keptEarlier = weights.earlierVelocity * this.#a;
    this.#drift.fill(0);
    this.#commitFlesh(rows, state, weights, gravity);
    this.#commitBones(motion, state, weights);
    state.clock[0]++;
    state.clock[1] = this.#looksBack && !free ? -h : h;
    report.momentumDrift = free ? this.#unexplained(state, gravity, weights.acceleration * this.#a) : 0;
    report.rigidity = measureRigidity(motion);
    report.inverted = rows.countInverted();
  }

  /**
   * False where a vertex is farther from where inertia would have taken it than forces can have pushed it: such a step has
   * diverged, and is finite only because it was not given more iterations. Nor is one that is not finite.
   */
  #isPlausible(rows: FleshRows): boolean {
    const farthest = FARTHEST_PUSH * this.#model.size;
    const x = rows.x.view;
    const y = rows.target.view;
    for (let i = 0; i < x.length; i++) if (!(Math.abs(x[i] - y[i]) <= farthest)) return false;
    return true;
  }

  /**
   * Whether joints gape that nothing holds open. At most one bone is given: then there are poses that close them all, and a step
   * that ends far from any has diverged. Where more are given they may contradict each other, and the gap is the user's.
   */
  #isTorn(state: ProjectiveState, gap: number): boolean {
    const { joints, bones, size } = this.#model;
    if (!(gap > TORN * size)) return false;
    let given = 0;
    for (let bone = 0; bone < bones.count; bone++) given += state.kinematic[bone];
    for (let pair = 0; pair < joints.count; pair++) if (joints.boneB[pair] === bones.count) given++;
    return given < 2;
  }

  /** Whether nothing but gravity, contacts and the user's forces acts on a body from outside. */
  isFree(state: BodyState, held: boolean): boolean {
    return !held && !this.#heldByModel && !state.kinematic.includes(1);
  }

  #commitFlesh(rows: FleshRows, state: ProjectiveState, weights: InertiaWeights, gravity: ArrayLike<number>): void {
    const { fleshVertices } = this.#layout;
    const { velocities, earlierVelocities, forces } = state;
    const { masses } = this.#model;
    const { velocity, earlierVelocity, acceleration } = weights;
    const x = rows.x.view;
    const y = rows.target.view;
    const a = this.#a;
    for (let i = 0; i < fleshVertices.length; i++) {
      const v = fleshVertices[i];
      const row = rows.rowOfVertex[v] * 4;
      for (let k = 0; k < 3; k++) {
        const at = v * 3 + k;
        const value = x[row + k];
        const added =
          velocity * velocities[at] +
          earlierVelocity * earlierVelocities[at] +
          acceleration * (gravity[k] + forces[at] / masses[v]);
        this.#place(state, masses[v], at, k, value, a * (added + (value - y[row + k])));
      }
    }
  }

  #place(state: ProjectiveState, mass: number, at: number, k: number, value: number, velocity: number): void {
    const { positions, velocities, earlierPositions, earlierVelocities } = state;
    const kept = this.#kept * velocities[at] + this.#keptEarlier * earlierVelocities[at];
    this.#drift[k] += mass * (velocity - kept);
    earlierPositions[at] = positions[at];
    earlierVelocities[at] = velocities[at];
    positions[at] = value;
    velocities[at] = velocity;
  }

  #commitBones(motion: BoneMotion, state: ProjectiveState, weights: InertiaWeights): void {
    const { bones } = this.#model;
    const { poses, push, target } = motion;
    const rates = state.boneRates;
    const before = this.#before;
    const after = this.#after;
    for (let bone = 0; bone < bones.count; bone++) {
      state.poses.writeAffine(bone, before, 0);
      poses.writeAffine(bone, after, 0);
      for (let k = 0; k < 12; k++) {
        const earlier = bone * 24 + k;
        const at = bone * 12 + k;
        const added =
          weights.velocity * rates[at] + weights.earlierVelocity * state.earlierBones[earlier + 12] + push[at];
        state.earlierBones[earlier] = before[k];
        state.earlierBones[earlier + 12] = rates[at];
        rates[at] = this.#a * (added + (after[k] - target[at]));
      }
      this.#commitVertices(bone, state);
    }
    state.poses.copy(poses);
  }

  /** Vertices of a bone go where its transform, `after`, takes them. Coordinate by coordinate, so that what is the same for all is read once. */
  #commitVertices(bone: number, state: ProjectiveState): void {
    const { bones, masses, positions: rest } = this.#model;
    const { positions, velocities, earlierPositions, earlierVelocities, boneRates: rates } = state;
    const { vertices, vertexStart, centre } = bones;
    const after = this.#after;
    const kept = this.#kept;
    const keptEarlier = this.#keptEarlier;
    const c0 = centre[bone * 3];
    const c1 = centre[bone * 3 + 1];
    const c2 = centre[bone * 3 + 2];
    for (let k = 0; k < 3; k++) {
      const a0 = after[k];
      const a1 = after[3 + k];
      const a2 = after[6 + k];
      const shift = after[9 + k];
      const r = bone * 12 + k;
      const r0 = rates[r];
      const r1 = rates[r + 3];
      const r2 = rates[r + 6];
      const speed = rates[r + 9];
      let drift = this.#drift[k];
      for (let n = vertexStart[bone]; n < vertexStart[bone + 1]; n++) {
        const v = vertices[n] * 3;
        const x = rest[v] - c0;
        const y = rest[v + 1] - c1;
        const z = rest[v + 2] - c2;
        const at = v + k;
        const velocity = speed + r0 * x + r1 * y + r2 * z;
        const before = velocities[at];
        drift += masses[vertices[n]] * (velocity - (kept * before + keptEarlier * earlierVelocities[at]));
        earlierPositions[at] = positions[at];
        earlierVelocities[at] = before;
        positions[at] = shift + a0 * x + a1 * y + a2 * z;
        velocities[at] = velocity;
      }
      this.#drift[k] = drift;
    }
  }

  /** Change of momentum that gravity, contacts and other outside forces, acting for `time` [s], do not explain [kg m/s]. */
  #unexplained(state: ProjectiveState, gravity: ArrayLike<number>, time: number): number {
    const { totalMass } = this.#model;
    const { forces } = state;
    const outside = this.#outside;
    let x = totalMass * gravity[0] + outside[0];
    let y = totalMass * gravity[1] + outside[1];
    let z = totalMass * gravity[2] + outside[2];
    for (let i = 0; i < forces.length; i += 3) {
      x += forces[i];
      y += forces[i + 1];
      z += forces[i + 2];
    }
    x = this.#drift[0] - time * x;
    y = this.#drift[1] - time * y;
    z = this.#drift[2] - time * z;
    return Math.sqrt(x * x + y * y + z * z);
  }
}
