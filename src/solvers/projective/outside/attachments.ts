/**
 * Points of a body that are held somewhere: the pointer that drags it. Each is a weighted mean of vertices w·x pulled to a
 * target by a spring of any stiffness, solved together with everything else and with the same constant matrix: the few
 * extra rows are condensed onto the bones.
 *
 *     u = A_ff⁻¹ w_f     c = w_fᵀ u     K = c + 1/k     q = w_b − A_bf u          (once, when a point is taken hold of)
 *     (S + q K⁻¹ qᵀ) δT = b' + q K⁻¹ (e − uᵀ r_f)                                  bones
 *     φ = K⁻¹ (e − uᵀ r_f − qᵀ δT)       δ_f += u φ                                force of each point, then the flesh
 *
 * e is how far the point is from its target and r_f the residual of the flesh; the letters are those of
 * projective-solver.ts. With several points K is a small matrix.
 */
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import { SkylineLdlt } from '../../../linalg/skyline-ldlt.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { HeldPoint } from '../../solver.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import { heldPosition, heldStart } from './held-position.js';
import { borneShare, distanceBetween, pullGoal, strongestPull } from './pull-limits.js';

/** Compliance of the spring relative to that of the body at the point: a twentieth is firm and still forgiving. */
const SOFTNESS = 0.05;
/** A held point with what the factor knows about it. */
export interface Column {
  readonly point: HeldPoint;
  /** Response of the flesh rows to a unit force. */
  readonly u: Float32Array;
  /** q: how the bones move the point, flesh following. */
  readonly q: Float64Array;
  /** Where the point is pulled to in this step: its target, or as far towards it as a step may go [m]. */
  readonly goal: Float64Array;
  /** Force of the last iteration, and distance still to go [N, m]. */
  readonly force: Float64Array;
  readonly miss: Float64Array;
  /** Where the point was when that was last kept [m]. */
  readonly kept: Float64Array;
  /** Whether the last iteration pulled as hard as it may: the spring then gives way, and pulls no less where the point yields. */
  slack: boolean;
}

/** The held points of one body. */
export class Attachments {
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #columns: Column[] = [];
  readonly #metric: Float64Array;
  #gram = new SkylineLdlt(new Int32Array(0));
  #right = new Float64Array(0);
  /** 1/k of each spring [m/N]. */
  #softness = new Float64Array(0);
  /** Most each point is pulled with [N], and the share of it that the flesh still bears in this step. */
  #strength = new Float64Array(0);
  #borne = 1;
  /** Share of a full step that the iteration takes; 0 while it answers contacts. */
  #scale = 1;

  constructor(model: Model, rows: FleshRows, solve: SolvePlan) {
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.#metric = new Float64Array(model.bones.count * 4 * model.bones.count * 4);
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** The bones' metric with the held points in it. */
  get metric(): Float64Array {
    return this.#metric;
  }

  /** Takes hold of these points and of no others; `schur` is the bones' metric without them. */
  hold(points: readonly HeldPoint[], schur: Float64Array): void {
    this.#columns.length = 0;
    for (const point of points) this.#columns.push(this.#respond(point));
    const count = points.length;
    this.#gram = new SkylineLdlt(new Int32Array(count));
    this.#right = new Float64Array(count);
    this.#softness = new Float64Array(count);
    this.#strength = new Float64Array(count);
    const { values, origin } = this.#gram;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) values[origin[i] + j] = this.#compliance(i, j);
      const own = values[origin[i] + i];
      // a point on a bone has as good as no compliance of its own: the bones' then stands for it. A grip with a millionth of its weight on flesh had a spring so stiff that joints were lost beside it
      this.#softness[i] = SOFTNESS * (Math.max(own, this.#boneCompliance(i, schur)) || 1);
      values[origin[i] + i] = own + this.#softness[i];
      this.#strength[i] = strongestPull(this.#model, this.#softness[i] / SOFTNESS);
    }
    this.#gram.factor();
    this.#addToMetric(schur);
  }

  /** At the start of a step: how far each point is pulled in it, and how hard. */
  begin(state: BodyState, h: number): void {
    this.#borne = borneShare(this.#model, state, h);
    for (const { point, goal, miss } of this.#columns) {
      heldStart(point, state, miss);
      pullGoal(goal, miss, point.target, this.#rows.origin.view, this.#model.size, h);
    }
  }

  /**
   * `scale` e − uᵀ r_f of every point at the current positions; call when the right-hand side holds the flesh's residual,
   * already scaled by the same number.
   */
  measure(motion: BoneMotion, scale: number): void {
    const y = this.#solve.y.view;
    this.#scale = scale;
    for (const { point, u, goal, miss } of this.#columns) {
      heldPosition(this.#model, this.#rows, motion, point, miss);
      for (let k = 0; k < 3; k++) {
        let response = 0;
        for (let row = 0; row < u.length; row++) response += u[row] * y[row * 4 + k];
        miss[k] = scale * (goal[k] - miss[k]) - response;
      }
    }
  }

  /** Energy in the springs at the current positions [J]. */
  springEnergy(motion: BoneMotion): number {
    let energy = 0;
    this.#columns.forEach(({ point, goal, miss }, g) => {
      heldPosition(this.#model, this.#rows, motion, point, miss);
      const way = distanceBetween(goal, miss);
      // as hard as it may, and no harder: beyond that the energy grows with the way and no longer with its square
      const elastic = Math.min(way, this.#borne * this.#strength[g] * this.#softness[g]);
      energy += (elastic * (way - elastic / 2)) / this.#softness[g];
    });
    return energy;
  }

  /** Remembers where the points are. */
  keepPlaces(motion: BoneMotion): void {
    for (const { point, kept } of this.#columns) heldPosition(this.#model, this.#rows, motion, point, kept);
  }

  /** What the springs do over the way from the places kept to the present ones, with the forces they have there [J]. */
  workBefore(motion: BoneMotion): number {
    return this.#work(motion, 0);
  }

  /** The same with the forces they have now [J]. */
  workAfter(motion: BoneMotion): number {
    return this.#work(motion, 1);
  }

  /** Work of springs that pull all the way as they do after a share of it. */
  #work(motion: BoneMotion, share: number): number {
    let work = 0;
    this.#columns.forEach(({ point, goal, miss, kept }, g) => {
      heldPosition(this.#model, this.#rows, motion, point, miss);
      let product = 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const way = miss[k] - kept[k];
        const left = goal[k] - kept[k] - share * way;
        product += left * way;
        square += left * left;
      }
      // as hard as it may, and no harder
      const most = this.#borne * this.#strength[g] * this.#softness[g];
      work += ((square > most * most ? most / Math.sqrt(square) : 1) * product) / this.#softness[g];
    });
    return work;
  }

  /** Force of a point's spring where the point is at `place` [m], to out[0..3) [N]: as hard as it may, and no harder. */
  pullAt(g: number, place: Float64Array, out: Float64Array): void {
    const { goal } = this.#columns[g];
    const softness = this.#softness[g];
    const stiffness = Math.min(1 / softness, (this.#borne * this.#strength[g]) / distanceBetween(goal, place));
    for (let k = 0; k < 3; k++) out[k] = stiffness * (goal[k] - place[k]);
  }

  /** q K⁻¹ (e − uᵀ r_f − qᵀ δT), added to the bones' pull: before they have changed, or after. */
  addPull(pull: Float64Array, change?: Float64Array): void {
    this.#findForces(change);
    for (const { q, force } of this.#columns) {
      for (let i = 0; i < q.length; i++) for (let k = 0; k < 3; k++) pull[i * 3 + k] += q[i] * force[k];
    }
  }

  /** Forces of the points once the bones have changed, and the flesh's response to them, added to the increments. */
  addResponse(change: Float64Array): void {
    this.#findForces(change);
    const y = this.#solve.y.view;
    for (const { u, force } of this.#columns) {
      for (let row = 0; row < u.length; row++) for (let k = 0; k < 3; k++) y[row * 4 + k] += u[row] * force[k];
    }
  }

  /** What the forces of the last iteration change about the sum of squares of the flesh's residual [N²]. */
  correctResidual(): number {
    const y = this.#solve.y.view;
    let change = 0;
    for (const { point, force } of this.#columns) {
      point.vertices.forEach((vertex, i) => {
        const row = this.#rows.rowOfVertex[vertex];
        for (let k = 0; row >= 0 && row < this.#rows.fleshCount && k < 3; k++) {
          const f = point.weights[i] * force[k];
          change += f * f + 2 * f * y[row * 4 + k];
        }
      });
    }
    return change;
  }

  /** φ = K⁻¹ (miss − qᵀ change). */
  #findForces(change: Float64Array | undefined): void {
    for (let k = 0; k < 3; k++) {
      this.#columns.forEach(({ q, miss }, g) => {
        let value = miss[k];
        if (change) for (let i = 0; i < q.length; i++) value -= q[i] * change[i * 3 + k];
        this.#right[g] = value;
      });
      this.#gram.solve(this.#right);
      for (let g = 0; g < this.#columns.length; g++) this.#columns[g].force[k] = this.#right[g];
    }
    for (let g = 0; g < this.#columns.length; g++) this.#limitForce(this.#columns[g], this.#strength[g]);
  }

  /** Cuts a force down to what a point may be pulled with; while contacts are answered, one that was cut down stays as it is. */
  #limitForce(column: Column, strength: number): void {
    const { force } = column;
    const most = this.#scale * this.#borne * strength;
    const size = Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    if (this.#scale > 0) column.slack = size > most;
    if (!column.slack) return;
    for (let k = 0; k < 3; k++) force[k] *= most / size || 0;
  }

  /** Response of flesh and bones to a force on the point, by one solve with the factor. */
  #respond(point: HeldPoint): Column {
    const { fleshCount } = this.#rows;
    const bones = this.#model.bones;
    const y = this.#solve.y.view;
    const q = new Float64Array(bones.count * 4);
    y.fill(0);
    point.vertices.forEach((vertex, i) => {
      const row = this.#rows.rowOfVertex[vertex];
      const bone = bones.ofVertex[vertex];
      if (row >= 0 && row < fleshCount) y[row * 4] += point.weights[i];
      for (let p = 0; bone >= 0 && p < 4; p++) {
        const offset = p < 3 ? this.#model.positions[vertex * 3 + p] - bones.centre[bone * 3 + p] : 1;
        q[bone * 4 + p] += point.weights[i] * offset;
      }
    });
    this.#solve.forward();
    // the forward sweep leaves −A_bf u in the bones' rows
    for (let i = 0; i < q.length; i++) q[i] += y[(fleshCount + i) * 4];
    this.#rows.clearLast();
    this.#solve.backward();
    const u = new Float32Array(fleshCount);
    for (let row = 0; row < fleshCount; row++) u[row] = y[row * 4];
    y.fill(0);
    const [goal, force, miss, kept] = Array.from({ length: 4 }, () => new Float64Array(3));
    return { point, u, q, goal, force, miss, kept, slack: false };
  }

  /** w_iᵀ u_j. */
  #compliance(i: number, j: number): number {
    let sum = 0;
    const { point } = this.#columns[i];
    const { u } = this.#columns[j];
    point.vertices.forEach((vertex, n) => {
      const row = this.#rows.rowOfVertex[vertex];
      if (row >= 0 && row < this.#rows.fleshCount) sum += point.weights[n] * u[row];
    });
    return sum;
  }

  /** How far the bones alone let a point give way, qᵀ diag(S)⁻¹ q [m/N]. */
  #boneCompliance(i: number, schur: Float64Array): number {
    const { q } = this.#columns[i];
    let sum = 0;
    for (let n = 0; n < q.length; n++) sum += (q[n] * q[n]) / schur[n * q.length + n];
    return sum;
  }

  #addToMetric(schur: Float64Array): void {
    const rows = this.#model.bones.count * 4;
    this.#metric.set(schur);
    for (let j = 0; j < rows; j++) {
      this.#columns.forEach(({ q }, g) => {
        this.#right[g] = q[j];
      });
      this.#gram.solve(this.#right);
      this.#columns.forEach(({ q }, g) => {
        for (let i = 0; i < rows; i++) this.#metric[i * rows + j] += q[i] * this.#right[g];
      });
    }
  }
}
