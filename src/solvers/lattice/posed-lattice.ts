/**
 * Flesh that follows a skeleton: a lattice whose nodes inside bones are where the bones are, exactly, and whose other nodes go
 * where the energy is least (quasistatic), or where inertia and energy together take them (backward Euler). A frame starts
 * where harmonic weights carry the last one. Called once per step by whoever poses the bones.
 */
import type { KernelTable } from '../../kernels/kernel-table.js';
import { nodePositions } from '../../mesh/hexes/hex-lattice.js';
import { BoneCarry } from './bones/bone-carry.js';
import { type BoneHold, BoneTies } from './bones/bone-ties.js';
import { restTransforms } from './bones/bone-transforms.js';
import { findBoneWeights } from './bones/harmonic-weights.js';
import { DeadWeight } from './dead-weight.js';
import { Descent } from './descent.js';
import type { DescentResult, Preconditioner } from './descent-terms.js';
import type { LatticeBody } from './lattice-body.js';
import { resetRotations } from './lattice-body.js';
import type { Arithmetic, Vector } from './numbers/arithmetic.js';
import { QUAD_FLOATS } from './numbers/quad-layout.js';
import { PatchDescent } from './patch/patch-descent.js';

/** Which bone holds which node. */
export interface LatticeBones {
  readonly count: number;
  /** -1 for free nodes. */
  readonly ofNode: Int32Array;
  /** How bones that are not exact hold the nodes that are tied to them; default 'soft'. */
  readonly hold?: BoneHold;
}

/** How a frame is solved. */
export interface FrameOptions {
  /** Most iterations. */
  readonly iterations: number;
  /** Largest move of the last iteration, in cells. */
  readonly tolerance: number;
  /** How far a node may come against its bones, in cells; what snaps takes several frames for what is farther. Default: any way. */
  readonly mostDrift?: number;
  readonly preconditioner?: Preconditioner;
}

/** The paper of record stops at a hundredth of a cell; twenty iterations are enough but where a crease buckles. */
export const FRAME_DEFAULTS: FrameOptions = { iterations: 20, tolerance: 0.01 };
/** Iterations between two looks for contacts. */
const REFRESH = 3;

/** A part of the energy that looks around itself now and then. */
export interface Surroundings {
  /** Looks for what is near at x; called before the first and then every third iteration. True where the energy is another one now. */
  refresh(x: Vector): boolean;
  /** Called before a step with inertia, with where the body is. */
  begin?(before: Vector): void;
}

/** One posed body. */
export class PosedLattice {
  readonly body: LatticeBody;
  readonly bones: LatticeBones;
  readonly descent: Descent;
  /** Where the nodes are [m]. */
  readonly x: Vector;
  /** Where they were before the last step [m]: only with inertia. */
  readonly before: Vector;
  /** How they moved against their bones in the last step [m]: only without inertia. */
  readonly drift: Vector | undefined;
  /** Transform of each bone at the end of the last step. */
  readonly transforms: Float64Array;
  /** Length of the last step, 0 before the first [s]. */
  readonly clock = new Float64Array(1);
  /** What is looked for during a step. */
  readonly surroundings: Surroundings[] = [];
  readonly #arithmetic: Arithmetic;
  readonly #rest: Float64Array;
  readonly #carry: BoneCarry;
  /** Where inertia alone would take the nodes. */
  readonly #target: Vector;
  readonly #inertia = { scale: 1 };
  readonly #sums = new Float64Array(4);
  readonly #weight: DeadWeight;
  /** No bone holds anything. */
  readonly #isLoose: boolean;

  constructor(arithmetic: Arithmetic, body: LatticeBody, bones: LatticeBones) {
    this.#arithmetic = arithmetic;
    this.body = body;
    this.bones = bones;
    this.descent = new Descent(arithmetic, body);
    // a body with inertia hardly creases within a step, and friction that is looked for anew slips when parts move alone
    const patch = body.nodeInertia ? undefined : arithmetic.lookAtParts?.(this.descent.lent);
    if (patch) this.descent.parts = new PatchDescent(patch, body);
    this.x = arithmetic.vector();
    this.before = body.nodeInertia ? arithmetic.vector() : this.x;
    this.#target = body.nodeInertia ? arithmetic.vector() : this.x;
    this.transforms = restTransforms(bones.count);
    this.drift = body.nodeInertia ? undefined : arithmetic.vector();
    this.#rest = nodePositions(body.lattice);
    this.#carry = new BoneCarry(body, this.#rest, bones, this.drift);
    this.#weight = new DeadWeight(body);
    this.#isLoose = bones.ofNode.every((bone) => bone < 0);
    if (body.filling.ties) this.descent.terms.push(new BoneTies(body, bones, this.#rest, this.transforms));
    if (body.nodeInertia) {
      const scale = this.#inertia;
      this.descent.terms.push({ add: (x, gradient) => arithmetic.addInertia(x, this.#target, gradient, scale.scale) });
    } else if (body.filling.mass) this.descent.terms.push(this.#weight);
  }

  /** Finds the harmonic weights, and the metric of bones that move by themselves; once the memory exists. */
  start(kernels?: KernelTable): void {
    const { cycle } = this.descent;
    this.#carry.weights = this.descent.borrow((room) =>
      findBoneWeights(this.#arithmetic, cycle, this.body, this.bones.ofNode, this.bones.count, room),
    );
    if (kernels) this.descent.bones?.start(kernels, this.#rest, this.#carry.weights);
    this.reset();
  }

  /** Puts the nodes where these transforms (default: the rest shape) take them, at rest; `loose`: the one of them for nodes that no bone reaches. */
  reset(transforms: Float64Array = restTransforms(this.bones.count), loose?: number): void {
    this.transforms.set(transforms);
    this.clock[0] = 0;
    const { placeOfNode } = this.body.layout;
    const x = this.x.view;
    for (let node = 0; node < placeOfNode.length; node++) {
      const at = floatIndex(placeOfNode[node]);
      for (let k = 0; k < 3; k++) x[at + 4 * k] = this.#rest[3 * node + k];
    }
    resetRotations(this.body.layout, this.#arithmetic.rotations.view);
    this.#carry.forget();
    this.#carry.run(this.x, restTransforms(this.bones.count), transforms);
    if (loose !== undefined) this.#carry.placeLoose(this.x, transforms, loose);
    this.#carry.forget();
    if (this.before !== this.x) this.before.view.set(x);
  }

  /** Sets everything free moving as one: velocity [m/s] and spin [rad/s] about a centre [m]. Only with inertia. */
  launch(velocity: ArrayLike<number>, spin: ArrayLike<number>, centre: ArrayLike<number>): void {
    const dt = this.body.filling.dt ?? 0;
    if (this.before === this.x) return;
    const [x, before] = [this.x.view, this.before.view];
    for (const place of this.body.layout.placeOfNode) {
      const at = floatIndex(place);
      const [a, b, c] = [x[at] - centre[0], x[at + 4] - centre[1], x[at + 8] - centre[2]];
      before[at] = x[at] - dt * (velocity[0] + spin[1] * c - spin[2] * b);
      before[at + 4] = x[at + 4] - dt * (velocity[1] + spin[2] * a - spin[0] * c);
      before[at + 8] = x[at + 8] - dt * (velocity[2] + spin[0] * b - spin[1] * a);
    }
    this.clock[0] = dt;
  }

  /**
   * Moves bones to `transforms` and the flesh after them. `push`: acceleration of everything free [m/s²]. `h`: length of the step
   * [s]; one that differs from what the levels were built for is a little slower. `isAlone`: nothing else acts on the body.
   */
  step(
    transforms: Float64Array,
    options: FrameOptions,
    push: ArrayLike<number> = NO_PUSH,
    h = this.body.filling.dt ?? 0,
    isAlone = true,
  ): DescentResult {
    if (this.before !== this.x) {
      for (const place of this.surroundings) place.begin?.(this.x);
      this.#predict(push, h);
    } else this.#weight.push = push;
    if (this.#isLoose && this.before !== this.x) this.#arithmetic.copy(this.x, this.#target);
    else this.#carry.run(this.x, this.transforms, transforms);
    this.transforms.set(transforms);
    const result = this.descent.run(this.x, {
      maxIterations: options.iterations,
      tolerance: options.tolerance * this.body.lattice.cellSize,
      refresh: this.#refresh,
      preconditioner: options.preconditioner,
    });
    if (this.drift) this.#keepDrift(this.drift, options.mostDrift ?? Infinity);
    const isLoose = this.descent.bones?.areLoose ?? this.#isLoose;
    if (isLoose && this.before !== this.x && isAlone) this.#keepMomentum();
    return result;
  }

  /** How nodes moved against their bones; what touches something is stopped by it, and would be driven into it if it went on. */
  #keepDrift(drift: Vector, mostCells: number): void {
    const a = this.#arithmetic;
    const most = mostCells * this.body.lattice.cellSize;
    a.addScaled(drift, 1, this.x);
    if (a.largest(drift) > most) this.#holdBack(most);
    for (const { count } of this.descent.terms) if (count !== undefined && count > 0) this.#carry.forget();
  }

  /** Leaves nodes that came farther than `most` on their way, unless that turns cells inside out. */
  #holdBack(most: number): void {
    const a = this.#arithmetic;
    const [end] = this.descent.lent;
    a.copy(end, this.x);
    this.#carry.holdBack(this.x, most);
    if (a.volumes(this.x).inverted === 0) return;
    a.copy(this.x, end);
    this.#carry.forget();
  }

  /** Goes on downhill from where the last step ended, without looking around. */
  settle(options: FrameOptions): DescentResult {
    const { iterations: maxIterations, preconditioner } = options;
    const tolerance = options.tolerance * this.body.lattice.cellSize;
    return this.descent.run(this.x, { maxIterations, tolerance, preconditioner });
  }

  /**
   * Shifts a body that nothing touches so that its momentum is what it was, however far the descent came: shifting costs no
   * elastic energy, and inertia wants the centre of mass exactly where it would have gone.
   */
  #keepMomentum(): void {
    const { nodeInertia, layout } = this.body;
    const { bones } = this.descent;
    const [x, target] = [this.x.view, this.#target.view];
    const sums = this.#sums.fill(0);
    const dt = this.body.filling.dt ?? 1;
    layout.placeOfNode.forEach((place, node) => {
      const weight = dt * dt * (nodeInertia?.[node] ?? 0);
      const at = floatIndex(place);
      for (let k = 0; k < 3; k++) sums[k] += weight * (x[at + 4 * k] - target[at + 4 * k]);
      sums[3] += weight;
    });
    bones?.addMomentum(sums);
    for (let k = 0; k < 3; k++) sums[k] /= -sums[3];
    bones?.shift(sums);
    for (const place of layout.placeOfNode) {
      for (let k = 0; k < 3; k++) x[floatIndex(place) + 4 * k] += sums[k];
    }
  }

  /** Momentum of everything that bones do not hold [kg m/s]; only with inertia. */
  momentum(out: Float64Array): void {
    const { nodeInertia, layout, filling } = this.body;
    const scale = this.clock[0] > 0 ? ((filling.dt ?? 0) * (filling.dt ?? 0)) / this.clock[0] : 0;
    const [x, before] = [this.x.view, this.before.view];
    out.fill(0);
    layout.placeOfNode.forEach((place, node) => {
      const at = floatIndex(place);
      const weight = scale * (nodeInertia?.[node] ?? 0);
      for (let k = 0; k < 3; k++) out[k] += weight * (x[at + 4 * k] - before[at + 4 * k]);
    });
  }

  #refresh = (iteration: number, x: Vector): boolean => {
    if (iteration % REFRESH !== 0) return false;
    let changed = false;
    for (const place of this.surroundings) if (place.refresh(x)) changed = true;
    return changed;
  };

  /** target = x + h v + h² push: where inertia takes the nodes; then x counts as before. */
  #predict(push: ArrayLike<number>, h: number): void {
    const a = this.#arithmetic;
    const last = this.clock[0] > 0 ? this.clock[0] : h;
    a.move(this.#target, this.x, -1, this.before);
    a.move(this.#target, this.x, h / last, this.#target);
    const target = this.#target.view;
    const { placeOfNode } = this.body.layout;
    for (let node = 0; node < placeOfNode.length; node++) {
      const at = floatIndex(placeOfNode[node]);
      for (let k = 0; k < 3; k++) target[at + 4 * k] += h * h * push[k];
    }
    a.copy(this.before, this.x);
    const dt = this.body.filling.dt ?? h;
    this.#inertia.scale = (dt * dt) / (h * h);
    this.clock[0] = h;
  }
}

const NO_PUSH = [0, 0, 0];

/** Where the first number of a place is in a vector; the other two are four and eight further. */
function floatIndex(place: number): number {
  return QUAD_FLOATS * (place >> 2) + (place & 3);
}
