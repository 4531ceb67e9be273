/**
 * The equations that the end of a body's step satisfies, linearised there and transposed, for flesh rows (4 numbers each) and then bones (turn and shift in
 * their own axes, 6 each):
 *
 *     M/h² (x − y) + ∂E/∂x = 0          Jᵀ (C/h² (T − Y) + flesh) − motors + joints = 0          joints closed
 *
 * `multiply` is exact: the true stiffness of flesh, and what really resists bones being turned. `solve` solves with the constant matrix, its
 * factor and the bones' problem in the metric that flesh leaves them; joints stay closed in it. What contacts keep is in touching-system.ts.
 */

import { pullOnBone } from '../../../body/joints/bone-metric.js';
import type { Model } from '../../../body/model.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Layout } from '../layout.js';
import { addInertia, CarriedVertices, liftBone } from './bone-lift.js';
import { BoneLinear } from './bone-linear.js';
import { ContactForces } from './contact-forces.js';
import { ElasticProduct } from './elastic/elastic-product.js';
import { FibreSlopes } from './elastic/fibre-slopes.js';
import type { TapedStep } from './taped-step.js';

/** The linearised step of one body. */
export class StepSystem {
  readonly size: number;
  readonly elastic: ElasticProduct;
  readonly fibres: FibreSlopes | undefined;
  readonly bones: BoneLinear;
  readonly contacts: ContactForces;
  /** Moves of all vertices in the last product, 3 each. */
  readonly moves: Float64Array;
  /** Changes of the transforms in the last product, 12 per bone. */
  readonly change: Float64Array;
  readonly #model: Model;
  readonly #matrix: ConstantMatrix;
  readonly #carried: CarriedVertices;
  /** Flesh vertices, where their rows begin, and their masses over the time squared. */
  readonly #flesh: Int32Array;
  readonly #rows: Int32Array;
  readonly #weights: Float64Array;
  readonly #first: number;
  /** End of the rows that are not flesh. */
  readonly #last: number;
  readonly #boneCount: number;
  readonly #forces: Float64Array;
  readonly #pull: Float64Array;
  readonly #right: Float64Array;
  readonly #six: Float64Array;
  #end!: TapedStep;

  /** `body`: its number in its world. */
  constructor(model: Model, layout: Layout, rows: FleshRows, matrix: ConstantMatrix, body: number) {
    const { bones, muscles, vertexCount } = model;
    this.#model = model;
    this.#matrix = matrix;
    this.#flesh = layout.fleshVertices;
    this.#rows = this.#flesh.map((v) => rows.rowOfVertex[v] * 4);
    this.#weights = new Float64Array(this.#flesh.length);
    this.#first = rows.fleshCount * 4;
    this.#last = rows.carriedRow * 4;
    this.#boneCount = bones.count;
    this.size = this.#first + bones.count * 6;
    this.elastic = new ElasticProduct(model, layout, rows.sharesStrains);
    this.fibres = muscles && new FibreSlopes(model, layout, muscles);
    this.bones = new BoneLinear(model, matrix.metric, this.#first);
    this.contacts = new ContactForces(model, rows, this.bones.fixed, body);
    this.moves = new Float64Array(vertexCount * 3);
    this.change = new Float64Array(bones.count * 12);
    this.#carried = new CarriedVertices(model, layout);
    this.#forces = new Float64Array(vertexCount * 3);
    this.#pull = new Float64Array(bones.count * 12);
    this.#right = new Float64Array(this.size);
    this.#six = new Float64Array(bones.count * 6);
  }

  /** Linearises at the end of a step; `start` is the one before it. */
  prepare(start: TapedStep, end: TapedStep): void {
    this.#end = end;
    this.#matrix.setInertia(1 / end.weights.acceleration);
    this.#flesh.forEach((v, i) => {
      this.#weights[i] = this.#model.masses[v] / end.weights.acceleration;
    });
    this.#forces.fill(0);
    this.elastic.prepare(end.positions, this.#forces);
    this.fibres?.prepare(end.positions, end.activations, this.#forces);
    this.bones.begin(start, end);
    this.contacts.begin(end);
    this.#findPull();
    // the joints' forces are those that balance what is out of balance at the end of the step
    this.#fillUnbalanced();
    this.solve(this.#right, this.#right);
    this.bones.finish(end, this.#pull, this.contacts);
  }

  /** Pull of flesh and inertia on the transforms. */
  #findPull(): void {
    const { poses, boneTarget, weights } = this.#end;
    const way = this.change;
    this.#pull.fill(0);
    this.#carried.gather(this.#forces, -1, this.#pull);
    for (let bone = 0; bone < this.#boneCount; bone++) {
      poses.writeAffine(bone, way, bone * 12);
      for (let k = bone * 12; k < bone * 12 + 12; k++) way[k] = boneTarget[k] - way[k];
      addInertia(this.#model, bone, 1 / weights.acceleration, way, this.#pull, bone * 12);
    }
  }

  #fillUnbalanced(): void {
    const { target, positions, poses, jointTorques } = this.#end;
    const right = this.#right.fill(0);
    for (let i = 0; i < this.#flesh.length; i++) {
      const v = this.#flesh[i] * 3;
      const row = this.#rows[i];
      for (let k = 0; k < 3; k++)
        right[row + k] = this.#weights[i] * (target[row + k] - positions[v + k]) - this.#forces[v + k];
    }
    for (let bone = 0; bone < this.#boneCount; bone++)
      pullOnBone(right, this.#first + bone * 6, this.#pull, bone * 12, poses.rotations, bone);
    this.bones.addMoments(jointTorques, right);
    this.contacts.addForces(right);
  }

  /** out = Hᵀ v, contacts left out but for what their forces do as bones turn. */
  multiply(v: Float64Array, out: Float64Array): void {
    const { poses, weights } = this.#end;
    const forces = this.#forces.fill(0);
    this.lift(v);
    this.elastic.addProduct(this.moves, forces);
    this.fibres?.addProduct(this.moves, forces);
    for (let i = 0; i < this.#flesh.length; i++) {
      const vertex = this.#flesh[i] * 3;
      const row = this.#rows[i];
      for (let k = 0; k < 3; k++) out[row + k] = this.#weights[i] * v[row + k] + forces[vertex + k];
    }
    this.#pull.fill(0);
    this.#carried.gather(forces, 1, this.#pull);
    for (let bone = 0; bone < this.#boneCount; bone++) {
      addInertia(this.#model, bone, 1 / weights.acceleration, this.change, this.#pull, bone * 12);
      pullOnBone(out, this.#first + bone * 6, this.#pull, bone * 12, poses.rotations, bone);
    }
    this.bones.addTransposedProduct(v, out);
  }

  /** Changes a vector as little as it takes to keep joints closed: solutions of another step are a start only then. */
  close(v: Float64Array): void {
    this.bones.closeJoints(v);
  }

  /** Fills `moves` and `change` for unknowns. */
  lift(v: Float64Array): void {
    const { rotations } = this.#end.poses;
    for (let bone = 0; bone < this.#boneCount; bone++)
      liftBone(this.change, bone * 12, rotations, bone, v, this.#first + bone * 6);
    this.#carried.carry(this.change, this.moves);
    for (let i = 0; i < this.#flesh.length; i++) {
      const vertex = this.#flesh[i] * 3;
      const row = this.#rows[i];
      for (let k = 0; k < 3; k++) this.moves[vertex + k] = v[row + k];
    }
  }

  /** Solves as if nothing touched; takes out of z what that does not see. */
  solve(z: Float64Array, out: Float64Array): void {
    const { solve } = this.#matrix;
    this.#matrix.setInertia(1 / this.#end.weights.acceleration);
    const { rotations } = this.#end.poses;
    const first = this.#first;
    const y = solve.y.view;
    for (let i = 0; i < first; i++) y[i] = z[i];
    y.fill(0, first, this.#last);
    solve.forward();
    for (let bone = 0; bone < this.#boneCount; bone++) {
      for (let i = 0; i < 12; i++) this.change[bone * 12 + i] = y[first + (bone * 4 + Math.floor(i / 3)) * 4 + (i % 3)];
      pullOnBone(this.#six, bone * 6, this.change, bone * 12, rotations, bone);
      for (let k = 0; k < 6; k++) this.#six[bone * 6 + k] += z[first + bone * 6 + k];
    }
    this.bones.solve(this.#six, z, out);
    // regions of flesh do not turn by themselves here
    y.fill(0, first + this.#boneCount * 16, this.#last);
    for (let bone = 0; bone < this.#boneCount; bone++) {
      liftBone(this.change, bone * 12, rotations, bone, out, first + bone * 6);
      for (let i = 0; i < 12; i++) y[first + (bone * 4 + Math.floor(i / 3)) * 4 + (i % 3)] = this.change[bone * 12 + i];
    }
    solve.backward();
    for (let i = 0; i < first; i++) out[i] = y[i];
  }
}
