/**
 * Which points of two bodies are far from touching. Pairs are looked at as far ahead as they could come together whichever way their points lie; once a normal is
 * known most of these points turn out not to come nearer, and a heap would carry twice as many contacts as it needs.
 */
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';

/** Substeps ahead: contacts may be carried through one. */
const AHEAD = 2;

/** How points move against each other. */
export class Approach {
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  /** Velocities of the points of both bodies [m/s]. */
  readonly #ofA = new Float64Array(3);
  readonly #ofB = new Float64Array(3);
  #h = 0;
  #room = Number.POSITIVE_INFINITY;
  /** Where one of the two may be stopped: the distance within which nothing is far [m]; else none. */
  #near = Number.NEGATIVE_INFINITY;

  constructor(rigid: RigidBodies, soft: SoftBodies) {
    this.#rigid = rigid;
    this.#soft = soft;
  }

  /** From now on steps are of h [s], and points that will be farther apart than `room` [m] are far; without room none are. */
  set(h: number, room: number): void {
    this.#h = h;
    this.#room = room;
    this.#near = room === Number.POSITIVE_INFINITY ? room : Number.NEGATIVE_INFINITY;
  }

  /** The same where either body may be stopped in the step to come: points nearer than `near` [m] are never far, others are where they stay farther apart than `room` even so. */
  setStopped(h: number, near: number, room: number): void {
    this.#h = h;
    this.#room = room;
    this.#near = near;
  }

  /** Whether points this far apart [m] may be far: only then their velocities are asked for. */
  mayBeFar(gap: number): boolean {
    return gap > this.#near;
  }

  /** The point of A is that of a rigid body at a place p[o..]. */
  rigidA(b: number, p: Float64Array, o: number): void {
    this.#atPoint(b, p, o, this.#ofA);
  }

  rigidB(b: number, p: Float64Array, o: number): void {
    this.#atPoint(b, p, o, this.#ofB);
  }

  /** The point of A is a vertex, numbered among all. */
  vertexA(vertex: number): void {
    for (let k = 0; k < 3; k++) this.#ofA[k] = this.#soft.v[vertex * 3 + k];
  }

  /** The point of B is in a face, of vertices numbered from `first` on. */
  faceB(first: number, words: Int32Array, w: number, weights: Float64Array, o: number): void {
    const { v } = this.#soft;
    const u = this.#ofB;
    for (let k = 0; k < 3; k++) {
      u[k] = 0;
      for (let c = 0; c < 3; c++) u[k] += weights[o + c] * v[(first + words[w + c]) * 3 + k];
    }
  }

  /** Whether points n[o + 3] apart [m], along the normal n[o..] from B to A, stay far from each other. */
  isFar(n: Float64Array, o: number): boolean {
    const gap = n[o + 3];
    const a = this.#ofA;
    const b = this.#ofB;
    const ofA = n[o] * a[0] + n[o + 1] * a[1] + n[o + 2] * a[2];
    const ofB = n[o] * b[0] + n[o + 1] * b[1] + n[o + 2] * b[2];
    if (this.#near === Number.NEGATIVE_INFINITY) return gap + AHEAD * this.#h * (ofA - ofB) > this.#room;
    return gap > this.#near && gap + this.#h * Math.min(ofA - ofB, ofA, -ofB) > this.#room;
  }

  #atPoint(b: number, p: Float64Array, o: number, out: Float64Array): void {
    const { x, v, velocity } = this.#rigid;
    const w = b * TWIST + 3;
    const r0 = p[o] - x[b * 3];
    const r1 = p[o + 1] - x[b * 3 + 1];
    const r2 = p[o + 2] - x[b * 3 + 2];
    out[0] = v[b * 3] + velocity[w + 1] * r2 - velocity[w + 2] * r1;
    out[1] = v[b * 3 + 1] + velocity[w + 2] * r0 - velocity[w] * r2;
    out[2] = v[b * 3 + 2] + velocity[w] * r1 - velocity[w + 1] * r0;
  }
}
