/**
 * The step of the layered solver over all its characters [Galoppo2007], top to bottom:
 *
 *     bones without contact -> where that leaves the skin -> contacts -> their forces -> bones and dents
 *
 * One linear solve for the bones of each character, one contact solve for all. No world, no clock, no files: plain classes over typed arrays.
 */
import type { ObstacleSet } from '../../collision/obstacles/obstacle.js';
import { advanceBones } from './bones/bone-advance.js';
import { commitBones } from './bones/bone-commit.js';
import { fillFronts } from './bones/bone-step.js';
import { BlockCompliance } from './compare/block-compliance.js';
import type { LayerBody } from './layer-body.js';
import type { LayerKernels } from './layer-kernels.js';
import { LAYERED_DEFAULTS, type LayeredOptions } from './options.js';
import { dentSkin, forgetForces, keepForce, keptShare, pushSkin } from './skin/skin-step.js';
import { skinMatrices } from './skin/skinning.js';
import { MeetingFinder } from './touch/find-meetings.js';
import { findPins } from './touch/find-pins.js';
import { ThinFinder } from './touch/find-thin.js';
import { TouchFinder } from './touch/find-touches.js';
import { JumpWatch } from './touch/jumped-over.js';
import { GapMeter } from './touch/measure-gaps.js';
import { TouchList } from './touch/touch-list.js';
import { TouchSolver } from './touch/touch-solver.js';

/** A step is begun anew at most so often for motors that reach their largest torque: every time there are fewer left. */
const MOST_BEGINNINGS = 4;

/** Characters that are stepped together. */
export class LayeredCore {
  readonly bodies: readonly LayerBody[];
  /** What bodies cannot enter; may be replaced between steps. */
  obstacles: ObstacleSet;
  readonly options: LayeredOptions;
  readonly touches: TouchList;
  readonly solver: TouchSolver;
  readonly finder: TouchFinder;
  readonly thin: ThinFinder;
  readonly meetings = new MeetingFinder();
  /** Coulomb's coefficient of each body against others and itself. */
  readonly friction: Float64Array;
  /** Body that the last step came to; the one to blame where it failed. */
  failed = 0;
  readonly #kernels: LayerKernels | undefined;
  readonly #gaps = new GapMeter();
  readonly #jumps = new JumpWatch();
  readonly #kept: Float64Array;
  readonly #skinShare: Float64Array;

  /** `kernels`: where the bodies have their rooms in a memory. */
  constructor(
    bodies: readonly LayerBody[],
    obstacles: ObstacleSet,
    options: Partial<LayeredOptions> = {},
    kernels?: LayerKernels,
  ) {
    this.bodies = bodies;
    this.#kernels = kernels;
    this.touches = kernels?.list ?? new TouchList();
    this.finder = new TouchFinder(kernels?.finder);
    this.thin = new ThinFinder(bodies);
    this.obstacles = obstacles;
    this.options = { ...LAYERED_DEFAULTS, ...options };
    if (this.options.contact === 'printed') {
      for (const body of bodies) body.compliance = new BlockCompliance(body.model.stiffness);
    }
    this.solver = new TouchSolver(this.options.contact === 'printed', kernels);
    this.friction = new Float64Array(bodies.length).fill(0.5);
    this.#kept = new Float64Array(bodies.length);
    this.#skinShare = new Float64Array(bodies.length);
  }

  /** Takes a step of h [s]; obstacles must have been predicted. False, with the state half changed, where it cannot be finished. */
  step(gravity: ArrayLike<number>, h: number): boolean {
    if (!this.moveFreely(gravity, h)) return false;
    this.findTouches(h);
    this.solveTouches(h);
    return this.boundMotors(gravity, h) && this.finish(h);
  }

  /**
   * Where contacts drive motors beyond their largest torque the step is begun anew, with bounds on those. Nothing of the state has moved so far. False
   * where it cannot be solved for.
   */
  boundMotors(gravity: ArrayLike<number>, h: number): boolean {
    for (let again = 0; again < MOST_BEGINNINGS && this.#findOverdriven(); again++) {
      if (!this.#moveFreely(gravity, h)) return false;
      this.findTouches(h);
      this.solveTouches(h);
    }
    return true;
  }

  #findOverdriven(): boolean {
    let any = false;
    for (const body of this.bodies) if (body.motors.findOverdriven(body)) any = true;
    return any;
  }

  /** Velocities and poses of all bones as they would be without contact. */
  moveFreely(gravity: ArrayLike<number>, h: number): boolean {
    for (const body of this.bodies) body.motors.forget();
    return this.#moveFreely(gravity, h);
  }

  #moveFreely(gravity: ArrayLike<number>, h: number): boolean {
    this.finder.gravity = gravity;
    for (const body of this.bodies) {
      skinMatrices(body.model, body.state.poses, body.startMatrices);
      fillFronts(body, gravity, h, this.options);
    }
    this.failed = this.#kernels ? this.#kernels.solveFronts() : this.#solveFronts();
    if (this.failed >= 0) return false;
    for (const body of this.bodies) {
      advanceBones(body, body.fronts.velocity, h, body.free, false);
      skinMatrices(body.model, body.free, body.freeMatrices);
    }
    return true;
  }

  /** Whether the free step takes a bone through an obstacle, or far into it: a shorter one would see it come. */
  hasJumped(): boolean {
    for (const body of this.bodies) if (this.#jumps.hasJumped(body, this.obstacles)) return true;
    return false;
  }

  /** The first body whose fronts cannot be factored, -1 where all could. */
  #solveFronts(): number {
    for (let b = 0; b < this.bodies.length; b++) {
      const { fronts } = this.bodies[b];
      if (!fronts.factor()) return b;
      fronts.solve();
    }
    return -1;
  }

  findTouches(h: number): void {
    const { touches, bodies, options } = this;
    touches.clear();
    for (let b = 0; b < bodies.length; b++) {
      this.#kept[b] = keptShare(bodies[b].model.relaxation, h);
      this.#skinShare[b] = (1 - this.#kept[b]) / h;
      findPins(b, bodies[b], this.#kept[b], touches);
      this.finder.find(b, bodies[b], this.obstacles, h, this.#kept[b], options.coreShare, touches);
      this.thin.find(b, bodies[b], this.obstacles, h, this.#kept[b], options.coreShare, touches);
    }
    if (bodies.length > 1 || options.selfContact) {
      this.meetings.find(bodies, this.#kept, this.friction, h, options.coreShare, options.selfContact, touches);
    }
  }

  solveTouches(h: number): void {
    for (const body of this.bodies) {
      body.needed.fill(0);
      body.rows.find(h);
    }
    this.solver.solve(this.touches, this.bodies, this.#skinShare, h, this.options.sweeps);
  }

  /** Bones and dents as the forces want them. */
  finish(h: number): boolean {
    const { touches, bodies } = this;
    for (const body of bodies) forgetForces(body);
    for (let c = 0; c < touches.count; c++) {
      for (let s = 2 * c; s < 2 * c + 2; s++) {
        if (touches.bodies[s] >= 0) pushSkin(bodies[touches.bodies[s]], touches, s, h);
      }
      keepForce(bodies[touches.bodies[2 * c]], touches, c, h);
    }
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b];
      dentSkin(body, this.#kept[b]);
      body.measureDents();
      const { velocity } = body.fronts;
      const { change } = body.mobility;
      if (body.needed[0] === 1) for (let i = 0; i < velocity.length; i++) velocity[i] += change[i];
      body.rows.writeTorques(velocity);
      body.wobble?.push(body, velocity, h);
      this.failed = b;
      if (!commitBones(body, velocity, h)) return false;
      body.wobble?.advance(body, h);
      body.state.earlierTargets.set(body.state.targets);
    }
    return true;
  }

  /** How deep nodes are in obstacles at the end of a step; before obstacles are there. For whoever reports it. */
  measureGaps(): void {
    this.#gaps.measure(this.bodies, this.obstacles, this.touches, this.thin);
  }
}
