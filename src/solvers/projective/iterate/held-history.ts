/**
 * The held points' side of the acceleration. Their springs pull with forces that are in no right-hand side, so the products of moves and forces get
 * their part here: the pull of each point at the start of an iteration, times how far the point went in the moves that are remembered. Called by acceleration.ts.
 */
import type { Model } from '../../../body/model.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Attachments } from '../outside/attachments.js';
import { heldPosition } from '../outside/held-position.js';

/** Moves of a body's held points, `memory` of them. */
export class HeldHistory {
  /** Whether a spring pulled as hard as it may in the last move: it is none then, and what the move has shown of it is not so. */
  hasYielded = false;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #memory: number;
  #attachments: Attachments | undefined;
  #slack = new Uint8Array(0);
  #places = new Float64Array(0);
  #pulls = new Float64Array(0);
  #moves = new Float64Array(0);
  readonly #now = new Float64Array(3);
  readonly #pull = new Float64Array(3);

  constructor(model: Model, rows: FleshRows, motion: BoneMotion, memory: number) {
    this.#model = model;
    this.#rows = rows;
    this.#motion = motion;
    this.#memory = memory;
  }

  get isActive(): boolean {
    return this.#attachments !== undefined;
  }

  /** A new step with these points held. */
  begin(attachments: Attachments | undefined): void {
    this.#attachments = attachments;
    const length = 3 * (attachments?.columns.length ?? 0);
    if (this.#places.length >= length) return;
    this.#slack = new Uint8Array(length / 3);
    this.#places = new Float64Array(length);
    this.#pulls = new Float64Array(length);
    this.#moves = new Float64Array(length * this.#memory);
  }

  /** An iteration begins: the move in slot `newest` (-1: none) is complete. Returns the work of the springs over it, with the pulls it began with [J]. */
  beginIteration(newest: number): number {
    const attachments = this.#attachments;
    if (!attachments) return 0;
    let work = 0;
    this.hasYielded = false;
    attachments.columns.forEach(({ point, slack }, g) => {
      if (slack !== (this.#slack[g] === 1)) this.hasYielded = true;
      this.#slack[g] = slack ? 1 : 0;
      heldPosition(this.#model, this.#rows, this.#motion, point, this.#now);
      attachments.pullAt(g, this.#now, this.#pull);
      for (let k = 0; k < 3; k++) {
        const at = g * 3 + k;
        const move = this.#now[k] - this.#places[at];
        if (newest >= 0) this.#moves[newest * this.#places.length + at] = move;
        work += move * this.#pulls[at];
        this.#places[at] = this.#now[k];
        this.#pulls[at] = this.#pull[k];
      }
    });
    return newest >= 0 ? work : 0;
  }

  /** What the springs pull with in this iteration: `scale` times what they would, and what they did where they pull as hard as they may. */
  settle(scale: number): void {
    this.#attachments?.columns.forEach(({ slack, force }, g) => {
      for (let k = 0; k < 3; k++) this.#pulls[g * 3 + k] = slack ? force[k] : scale * this.#pulls[g * 3 + k];
    });
  }

  /** Adds the products of the pulls with the first `count` moves to `dots`. */
  addForces(dots: Float64Array, count: number): void {
    if (!this.#attachments) return;
    const length = this.#places.length;
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < 3 * this.#attachments.columns.length; i++)
        dots[n] += this.#pulls[i] * this.#moves[n * length + i];
    }
  }
}
