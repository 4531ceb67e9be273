/**
 * Incompressible flesh: in both tracks velocities are brought to keep the volumes of all one-rings [Irving2007; Shinar2008 §3, §7],
 *
 *     positions    V(x + h v½) = V₀        velocities    B v = 0        by v += A⁻¹ Bᵀ p,  p by conjugate gradients on B A⁻¹ Bᵀ
 *
 * with the matrix of the track for A, not the masses alone as published: elasticity does not undo it. Contacts push through A⁻¹ and know nothing of volumes, so
 * the two take turns, each starting from what it was in the step before; contacts have the last word.
 */
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import { answerTo, RestPressures } from './rest-pressures.js';
import { RingVolumes } from './ring-volumes.js';

/** Turns that volumes and contacts take where something touches. */
const ROUNDS = 3;
/** Steps of conjugate gradients at most, and what they leave of what they find and of the volumes themselves in a step, squared. */
const STEPS = 80;
const ENOUGH = 1e-12;
const NOTHING = 1e-20;

interface KeptBody {
  /** Number among soft bodies. */
  readonly s: number;
  readonly rings: RingVolumes;
  readonly atRest: RestPressures;
}

/** Keeps the volumes of those bodies that are to keep them. */
export class VolumeKeeper {
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #bodies: readonly KeptBody[];
  readonly #baseRigid: Float64Array;
  readonly #baseSoft: Float64Array;
  readonly #pressure: readonly [Float64Array, Float64Array];
  readonly #p: Float64Array;
  readonly #r: Float64Array;
  readonly #z: Float64Array;
  readonly #d: Float64Array;
  readonly #q: Float64Array;
  readonly #force: Float64Array;
  readonly #answer: Float64Array;

  /** kept: numbers of the soft bodies whose volume is kept. */
  constructor(rigid: RigidBodies, soft: SoftBodies, kept: readonly number[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    const shared = new Map(kept.map((s) => [soft.models[s], new RestPressures(soft.models[s])]));
    this.#bodies = kept.map((s) => {
      const atRest = shared.get(soft.models[s]) as RestPressures;
      return { s, rings: new RingVolumes(soft.models[s].elements), atRest };
    });
    const most = Math.max(0, ...kept.map((s) => soft.models[s].size));
    this.#baseRigid = new Float64Array(kept.length > 0 ? rigid.velocity.length : 0);
    this.#baseSoft = new Float64Array(kept.length > 0 ? soft.velocity.length : 0);
    const room = kept.length > 0 ? soft.vertexCount : 0;
    this.#pressure = [new Float64Array(room), new Float64Array(room)];
    this.#p = new Float64Array(most);
    this.#r = new Float64Array(most);
    this.#z = new Float64Array(most);
    this.#d = new Float64Array(most);
    this.#q = new Float64Array(most);
    this.#force = new Float64Array(most * 3);
    this.#answer = new Float64Array(most * 3);
  }

  /** Pressures of both tracks [N s/m²], one per vertex: state, from step to step. */
  get arrays(): readonly Float64Array[] {
    return this.#pressure;
  }

  /** Makes ready for a track whose velocities are predicted, with the pressures of before; returns how many times rows are to be solved. `touched`: slots of each soft body. */
  begin(track: 0 | 1, h: number, touched: Int32Array): number {
    if (this.#bodies.length === 0) return 1;
    const { x, velocity, firstVertex, models, asleep } = this.#soft;
    this.#baseRigid.set(this.#rigid.velocity);
    this.#baseSoft.set(velocity);
    let rounds = 1;
    for (let n = 0; n < this.#bodies.length; n++) {
      const { s, rings } = this.#bodies[n];
      if (asleep[s] === 1) continue;
      this.#bodies[n].atRest.prepare(h);
      rings.measure(x, firstVertex[s], velocity, 0);
      for (let i = 0; i < models[s].size; i++) this.#p[i] = this.#pressure[track][firstVertex[s] + i];
      this.#addAnswer(s, rings);
      if (touched[s] > 0) rounds = ROUNDS;
    }
    velocity.set(this.#baseSoft);
    return rounds;
  }

  /** Brings the velocities of round n to keep volumes; those of before the rows, with what the rows did taken into account. */
  correct(round: number, track: 0 | 1, h: number, touched: Int32Array): void {
    if (this.#bodies.length === 0) return;
    const { x, velocity, firstVertex, models, asleep } = this.#soft;
    for (let n = 0; n < this.#bodies.length; n++) {
      const { s, rings } = this.#bodies[n];
      // what is touched has its pushes only after the first round
      if (asleep[s] === 1 || touched[s] > 0 !== round > 0) continue;
      const first = firstVertex[s];
      if (track === 0) {
        // where they would be at the end: what turns in a step does not grow by it
        rings.measure(x, first, velocity, h);
        for (let i = 0; i < models[s].size; i++) this.#r[i] = rings.lack[i] / h;
      } else {
        rings.rates(velocity, first, this.#q);
        for (let i = 0; i < models[s].size; i++) this.#r[i] = -this.#q[i];
      }
      this.#solve(this.#bodies[n], track, (NOTHING * rings.restSquare) / (h * h));
      for (let i = 0; i < models[s].size; i++) this.#pressure[track][first + i] += this.#p[i];
      this.#addAnswer(s, rings);
    }
    velocity.set(this.#baseSoft);
    if (round > 0) this.#rigid.velocity.set(this.#baseRigid);
  }

  /** p = (B A⁻¹ Bᵀ)⁻¹ r, until the square of what is left is below `nothing`. */
  #solve({ s, rings, atRest }: KeptBody, track: 0 | 1, nothing: number): void {
    const p = this.#p;
    const r = this.#r;
    const z = this.#z;
    const d = this.#d;
    const q = this.#q;
    const { size } = this.#soft.models[s];
    atRest.solve(track, r, z);
    let rr = 0;
    let rz = 0;
    for (let i = 0; i < size; i++) {
      p[i] = 0;
      d[i] = z[i];
      rr += r[i] * r[i];
      rz += r[i] * z[i];
    }
    const enough = Math.max(ENOUGH * rr, nothing);
    for (let n = 0; n < STEPS && rr > enough; n++) {
      this.#apply(s, rings, d, q);
      let dq = 0;
      for (let i = 0; i < size; i++) dq += d[i] * q[i];
      if (!(dq > 0)) return;
      const step = rz / dq;
      rr = 0;
      for (let i = 0; i < size; i++) {
        p[i] += step * d[i];
        r[i] -= step * q[i];
        rr += r[i] * r[i];
      }
      atRest.solve(track, r, z);
      let next = 0;
      for (let i = 0; i < size; i++) next += r[i] * z[i];
      const more = next / rz;
      rz = next;
      for (let i = 0; i < size; i++) d[i] = z[i] + more * d[i];
    }
  }

  /** out = B A⁻¹ Bᵀ p; `answer` is A⁻¹ Bᵀ p. */
  #apply(s: number, rings: RingVolumes, p: Float64Array, out: Float64Array): void {
    rings.forces(p, this.#force);
    answerTo(this.#soft.tableOf(s), this.#force, this.#answer);
    rings.rates(this.#answer, 0, out);
  }

  /** The base of body s takes up A⁻¹ Bᵀ p. */
  #addAnswer(s: number, rings: RingVolumes): void {
    rings.forces(this.#p, this.#force);
    answerTo(this.#soft.tableOf(s), this.#force, this.#answer);
    const first = this.#soft.firstVertex[s] * 3;
    for (let i = 0; i < this.#soft.models[s].size * 3; i++) this.#baseSoft[first + i] += this.#answer[i];
  }
}
