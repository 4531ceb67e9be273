/**
 * Elasticity with constraints as a projection inside conjugate gradients [Shinar2008 §3, §7.1-7.3]. With B = δ + s M⁻¹S (s = h²/2 in the position track, h² in the velocity track; δ for rigid bodies), v° what
 * B makes of a body that nothing holds, and P the projection:
 *
 *     P B (v − v°) = 0,   v = P v°        by conjugate gradients in the metric of masses, every residual projected
 *
 * In the velocity track nothing but elastic forces is taken from it: v = v° − s M⁻¹S (v − v°), in which no constraint pushes, and contact, joints and friction come afterwards.
 */
import type { SparseMatrix } from '../../../linalg/sparse.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { SoftModel } from '../soft/soft-model.js';
import { assemble } from '../soft/soft-table.js';
import type { BareRows, Velocities } from './bare-rows.js';
import type { Projection } from './projection.js';

/** Steps at most, and what they leave as a share of what they find, squared. */
const STEPS = 100;
const ENOUGH = 1e-12;
/** B is at least δ: a direction that comes back as less than this share of itself is not one that constraints let be, and what the projection left of it would grow. */
const INSIDE = 0.5;

/** Matrices of a model, of both tracks, over the vertices that are not held. */
interface ModelMatrices {
  readonly tracks: readonly [SparseMatrix, SparseMatrix];
  /** Vertex of each unknown. */
  readonly vertex: Int32Array;
}

/** Conjugate gradients over all that moves. */
export class ProjectedGradients {
  /** Steps of the last solve. */
  steps = 0;
  readonly #bare: BareRows;
  readonly #projection: Projection;
  readonly #matrices = new Map<SoftModel, ModelMatrices>();
  #h = 0;
  readonly #free: Velocities;
  readonly #left: Velocities;
  readonly #direction: Velocities;
  readonly #reach: Velocities;
  /** Moments of inertia of rigid bodies in the world, 9 each. */
  readonly #inertia: Float64Array;
  readonly #dot = new Float64Array(1);

  constructor(bare: BareRows, projection: Projection) {
    const { rigid, soft } = bare.system;
    const room = () => ({
      twist: new Float64Array(rigid.velocity.length),
      vertex: new Float64Array(soft.bodies.vertexCount * 3),
    });
    this.#bare = bare;
    this.#projection = projection;
    this.#free = room();
    this.#left = room();
    this.#direction = room();
    this.#reach = room();
    this.#inertia = new Float64Array(rigid.count * 9);
  }

  /** Makes the matrices for substeps of h [s], if they are not. */
  prepare(h: number): void {
    if (h === this.#h) return;
    this.#h = h;
    for (const model of this.#bare.system.soft.bodies.models) {
      const { elements, size } = model;
      const free = Int32Array.from({ length: size }, (_, v) => v).filter((v) => elements.pinned[v] === 0);
      if (free.length === 0) continue;
      const unknown = new Int32Array(size).fill(-1);
      free.forEach((v, n) => {
        unknown[v] = n;
      });
      const matrixOf = (scale: number) => assemble(elements, unknown, free.length, scale);
      this.#matrices.set(model, { tracks: [matrixOf(0.5 * h * h), matrixOf(h * h)], vertex: free });
    }
  }

  /** Solves for velocities that have been predicted without constraints; the projection knows which there are. */
  solve(velocities: Velocities, track: 0 | 1): void {
    const free = this.#free;
    const left = this.#left;
    const direction = this.#direction;
    const reach = this.#reach;
    this.#measureInertia();
    copy(velocities, free);
    this.#projection.project(velocities);
    subtract(free, velocities, direction);
    this.#respond(direction, left, track);
    this.#projection.project(left);
    copy(left, direction);
    this.#measure(left, left);
    let size = this.#dot[0];
    this.#measure(free, free);
    const goal = ENOUGH * Math.max(size, 1e-12 * this.#dot[0]);
    for (this.steps = 0; this.steps < STEPS && size > goal; this.steps++) {
      this.#respond(direction, reach, track);
      this.#projection.project(reach);
      this.#measure(direction, direction);
      const least = INSIDE * this.#dot[0];
      this.#measure(direction, reach);
      if (!(this.#dot[0] > least)) break;
      const length = size / this.#dot[0];
      add(velocities, direction, length);
      add(left, reach, -length);
      this.#measure(left, left);
      const keep = this.#dot[0] / size;
      size = this.#dot[0];
      for (let i = 0; i < direction.twist.length; i++) direction.twist[i] = left.twist[i] + keep * direction.twist[i];
      for (let i = 0; i < direction.vertex.length; i++)
        direction.vertex[i] = left.vertex[i] + keep * direction.vertex[i];
    }
    if (track === 1) this.#takeForces(velocities);
  }

  /** velocities = what elastic forces at them make of bodies on which no constraint acts. */
  #takeForces(velocities: Velocities): void {
    const free = this.#free;
    const change = this.#direction;
    subtract(velocities, free, change);
    this.#respond(change, this.#reach, 1);
    velocities.twist.set(free.twist);
    for (let i = 0; i < free.vertex.length; i++)
      velocities.vertex[i] = free.vertex[i] - (this.#reach.vertex[i] - change.vertex[i]);
  }

  /** out = B d. */
  #respond(d: Velocities, out: Velocities, track: 0 | 1): void {
    const { bodies } = this.#bare.system.soft;
    out.twist.set(d.twist);
    out.vertex.fill(0);
    for (let s = 0; s < bodies.count; s++) {
      const found = this.#matrices.get(bodies.models[s]);
      if (found) this.#multiply(found.tracks[track], found.vertex, bodies.firstVertex[s], d.vertex, out.vertex);
    }
  }

  #multiply(matrix: SparseMatrix, vertex: Int32Array, first: number, d: Float64Array, out: Float64Array): void {
    const { size, rowStart, columns, values } = matrix;
    for (let i = 0; i < size; i++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let n = rowStart[i]; n < rowStart[i + 1]; n++) {
        const o = (first + vertex[columns[n]]) * 3;
        x += values[n] * d[o];
        y += values[n] * d[o + 1];
        z += values[n] * d[o + 2];
      }
      const at = first + vertex[i];
      const lightness = this.#bare.lightness[at];
      out[at * 3] = lightness * x;
      out[at * 3 + 1] = lightness * y;
      out[at * 3 + 2] = lightness * z;
    }
  }

  #measureInertia(): void {
    const { rigid } = this.#bare.system;
    this.#inertia.fill(0);
    for (let b = 0; b < rigid.count; b++) {
      if (rigid.inverseMass[b] > 0) invertMat3(this.#inertia, b * 9, rigid.inverseInertia, b * 9);
    }
  }

  /** dot = u · M v [J]. */
  #measure(u: Velocities, v: Velocities): void {
    const { rigid, soft } = this.#bare.system;
    const inertia = this.#inertia;
    let sum = 0;
    for (let b = 0; b < rigid.count; b++) {
      if (rigid.inverseMass[b] === 0) continue;
      const o = b * TWIST;
      for (let k = 0; k < 3; k++) {
        const row = b * 9 + k * 3;
        const spin =
          inertia[row] * v.twist[o + 3] + inertia[row + 1] * v.twist[o + 4] + inertia[row + 2] * v.twist[o + 5];
        sum += rigid.mass[b] * u.twist[o + k] * v.twist[o + k] + u.twist[o + 3 + k] * spin;
      }
    }
    const { mass, vertexCount } = soft.bodies;
    for (let i = 0; i < vertexCount; i++) {
      // what is held has no part in it
      if (this.#bare.lightness[i] === 0) continue;
      for (let o = i * 3; o < i * 3 + 3; o++) sum += mass[i] * u.vertex[o] * v.vertex[o];
    }
    this.#dot[0] = sum;
  }
}

function copy(from: Velocities, to: Velocities): void {
  to.twist.set(from.twist);
  to.vertex.set(from.vertex);
}

/** out = u − v. */
function subtract(u: Velocities, v: Velocities, out: Velocities): void {
  for (let i = 0; i < u.twist.length; i++) out.twist[i] = u.twist[i] - v.twist[i];
  for (let i = 0; i < u.vertex.length; i++) out.vertex[i] = u.vertex[i] - v.vertex[i];
}

/** u += share v. */
function add(u: Velocities, v: Velocities, share: number): void {
  for (let i = 0; i < u.twist.length; i++) u.twist[i] += share * v.twist[i];
  for (let i = 0; i < u.vertex.length; i++) u.vertex[i] += share * v.vertex[i];
}
