/**
 * Explicit penalty forces [Li2019 §4], for comparison with the implicit response: a spring and a damper along the direction out,
 * from the state before the step, added to the outside forces of that step and taken away after it. The paper has no friction,
 * and there is none here; obstacles' restitution has no say either.
 *
 * An explicit spring on a mass m is stable up to k = 4 m/h². A contact moves the mass 1/Σ(w²/m) of the vertices that bear it, so
 * k is that mass times a constant over h²: every contact has the same frequency whatever the mesh, and flesh and bones that
 * hold the vertex only make it safer. The price is softness. A body that stands on n vertices of mass m each sinks in by
 * M g/(n k); a smaller step is the way to a harder floor.
 */
import type { Model } from '../body/model.js';
import type { BodyState } from '../body/state.js';
import { CONTACT_VERTICES, type ContactBuffer } from '../collision/contact-buffer.js';
import type { ObstacleSet } from '../collision/obstacles/obstacle.js';
import { obstacleVelocity } from '../collision/obstacles/obstacle-motion.js';

/** k h²/m: an eighth of the stable limit, because a vertex can be in several contacts at a time, from both sides. */
export const PENALTY_STIFFNESS = 0.5;
/** Share of critical damping. */
export const PENALTY_DAMPING = 0.3;

/** What is pushed. */
export interface PenaltyBody {
  readonly model: Model;
  readonly state: BodyState;
}

/** Pushes the bodies of a world apart, and away from obstacles. */
export class PenaltyForces {
  readonly #bodies: readonly PenaltyBody[];
  /** Forces of the user, to be put back bit for bit. */
  readonly #given: readonly Float64Array[];
  readonly #speed = new Float64Array(3);
  #pushed = false;

  constructor(bodies: readonly PenaltyBody[]) {
    this.#bodies = bodies;
    this.#given = bodies.map(({ state }) => state.forces.slice());
  }

  /** Works out the force of every contact, for a step of length `h` [s], and adds it to the bodies' outside forces. */
  push(contacts: ContactBuffer, obstacles: ObstacleSet, h: number): void {
    for (let b = 0; b < this.#bodies.length; b++) this.#given[b].set(this.#bodies[b].state.forces);
    this.#pushed = true;
    for (let c = 0; c < contacts.count; c++) {
      const force = this.#forceOf(contacts, obstacles, c, h);
      for (let k = 0; k < 3; k++) contacts.force[c * 3 + k] = force * contacts.normal[c * 3 + k];
      this.#add(contacts, c, 0, 1);
      if (contacts.body[c * 2 + 1] >= 0) this.#add(contacts, c, 1, -1);
    }
  }

  /** Puts the bodies' outside forces back to what they were before `push`. */
  release(): void {
    if (!this.#pushed) return;
    this.#pushed = false;
    for (let b = 0; b < this.#bodies.length; b++) this.#bodies[b].state.forces.set(this.#given[b]);
  }

  /** k d − c v along the direction out, never pulling [N]. */
  #forceOf(contacts: ContactBuffer, obstacles: ObstacleSet, c: number, h: number): number {
    let give = this.#give(contacts, c * 2);
    const speed = this.#speed;
    speed.fill(0);
    if (contacts.obstacle[c] >= 0) {
      const { positions } = this.#bodies[contacts.body[c * 2]].state;
      obstacleVelocity(obstacles, contacts.obstacle[c], positions, contacts.feature[c] * 3, speed);
    } else {
      give += this.#give(contacts, c * 2 + 1);
      this.#addVelocity(contacts, c * 2 + 1, 1);
    }
    // between things that nothing can move there is no force
    if (!(give > 0)) return 0;
    this.#addVelocity(contacts, c * 2, -1);
    let approach = 0;
    for (let k = 0; k < 3; k++) approach += contacts.normal[c * 3 + k] * speed[k];
    const stiffness = PENALTY_STIFFNESS / (give * h * h);
    const damping = (2 * PENALTY_DAMPING * Math.sqrt(PENALTY_STIFFNESS)) / (give * h);
    return Math.max(0, damping * approach - stiffness * contacts.gap[c]);
  }

  /** Σ w²/m over the vertices of a side that can move [1/kg]. */
  #give({ body, vertices, weights }: ContactBuffer, side: number): number {
    const { model, state } = this.#bodies[body[side]];
    let sum = 0;
    for (let i = side * CONTACT_VERTICES; i < (side + 1) * CONTACT_VERTICES; i++) {
      const v = vertices[i];
      const bone = model.bones.ofVertex[v];
      if (model.pinned[v] || (bone >= 0 && state.kinematic[bone])) continue;
      sum += (weights[i] * weights[i]) / model.masses[v];
    }
    return sum;
  }

  /** Adds a side's velocity, times `sign`, to the speed at which the sides approach each other [m/s]. */
  #addVelocity({ body, vertices, weights }: ContactBuffer, side: number, sign: number): void {
    const { velocities } = this.#bodies[body[side]].state;
    for (let i = side * CONTACT_VERTICES; i < (side + 1) * CONTACT_VERTICES; i++) {
      for (let k = 0; k < 3; k++) this.#speed[k] += sign * weights[i] * velocities[vertices[i] * 3 + k];
    }
  }

  #add({ body, vertices, weights, force }: ContactBuffer, c: number, side: number, sign: number): void {
    const { forces } = this.#bodies[body[c * 2 + side]].state;
    const from = (c * 2 + side) * CONTACT_VERTICES;
    for (let i = from; i < from + CONTACT_VERTICES; i++) {
      for (let k = 0; k < 3; k++) forces[vertices[i] * 3 + k] += sign * weights[i] * force[c * 3 + k];
    }
  }
}
