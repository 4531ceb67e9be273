/**
 * Looks at a step that has been taken but not committed: whether it turned flesh inside out, and what contacts would keep it. A step is then taken again, and without
 * all contacts that keep tets where those made it worse (docs/decisions/0049).
 */
import type { Model } from '../body/model.js';
import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { ContactDetection } from '../collision/search/contact-finder.js';
import { readGap } from '../contact/contact-gap.js';
import type { ContactSolver } from '../contact/contact-solver.js';
import type { SidePart } from './body-solver.js';

/** Times a step is taken again, at most. */
const ROUNDS = 3;
/** It has become worse when so many times as many tets are inside out as before, and a few. */
const WORSE = 2;
const FEW = 8;
/** Or when a tet is pushed so hard that it would move all of its body so many sizes: 0.006 at most in scenes. */
const MOST_PUSH = 0.01;
/** Or when something else is let through by so many sizes more: tets that are kept and a floor may want opposite things of too few iterations. */
const DEEPER = 0.002;

/** Keeps the flesh of a world. */
export class KeptFlesh {
  readonly #parts: readonly SidePart[];
  readonly #contacts: ContactBuffer;
  readonly #contactSolver: ContactSolver;
  readonly #finder: ContactDetection;
  readonly #bodies: readonly { readonly model: Model }[];
  readonly #gap = new Float64Array(1);
  #round = 0;
  #before = 0;
  /** How deep anything was when the step was taken for the first time [sizes]. */
  #depth = 0;

  constructor(
    parts: readonly SidePart[],
    contactSolver: ContactSolver,
    finder: ContactDetection,
    bodies: readonly { readonly model: Model }[],
  ) {
    this.#parts = parts;
    this.#contacts = contactSolver.contacts;
    this.#contactSolver = contactSolver;
    this.#finder = finder;
    this.#bodies = bodies;
  }

  /** A step was taken for the first time. */
  begin(): void {
    this.#round = 0;
    this.#before = Number.POSITIVE_INFINITY;
  }

  /** Whether the step, of length `h` [s], is to be taken again, with other contacts than it was. */
  look(h: number): boolean {
    if (this.#round > ROUNDS) return false;
    const known = this.#contacts.count;
    const turned = this.#countTurned();
    const depth = turned > 0 || this.#hasKept ? this.#measureDepth() : 0;
    if (this.#round === 0) this.#depth = depth;
    if (turned > WORSE * this.#before + FEW || depth > this.#depth + DEEPER || this.#isPushedHard(h)) {
      this.#contacts.dropKept();
      this.#round = ROUNDS;
    } else if (this.#round < ROUNDS && turned > 0) this.#find(h);
    this.#before = turned;
    this.#round++;
    return this.#contacts.count !== known;
  }

  /** Tets at the surface that are inside out where the iterations have ended. */
  #countTurned(): number {
    let turned = 0;
    for (let i = 0; i < this.#parts.length; i++) {
      const kept = this.#finder.keptTets(i);
      if (kept && this.#parts[i].solver.readTurned(kept.end)) turned += kept.countTurned();
    }
    return turned;
  }

  /** Whether tets are kept: their contacts come last. */
  get #hasKept(): boolean {
    const { count, isKept } = this.#contacts;
    return count > 0 && isKept[count - 1] === 1;
  }

  /** How deep anything is in anything, but for tets that are kept [sizes]. */
  #measureDepth(): number {
    const { count, isKept, body } = this.#contacts;
    const { sideOf, bodies } = this.#contactSolver;
    let deepest = 0;
    for (let i = 0; i < this.#parts.length; i++) this.#parts[i].solver.placeContacts();
    for (let c = 0; c < count; c++) {
      if (isKept[c] === 1) continue;
      readGap(this.#contacts, sideOf, bodies, c, this.#gap);
      deepest = Math.max(deepest, -this.#gap[0] / this.#bodies[body[c * 2]].model.size);
    }
    return deepest;
  }

  #find(h: number): void {
    for (let i = 0; i < this.#parts.length; i++) {
      const kept = this.#finder.keptTets(i);
      if (kept && this.#parts[i].solver.readTurned(kept.end)) kept.findTurned(i, h, this.#contacts);
    }
  }

  /** Whether a contact that keeps a tet pushes as nothing within a body does. */
  #isPushedHard(h: number): boolean {
    const { count, isKept, force, body } = this.#contacts;
    for (let c = 0; c < count; c++) {
      if (isKept[c] === 0) continue;
      const { totalMass, size } = this.#bodies[body[c * 2]].model;
      const most = (MOST_PUSH * size * totalMass) / (h * h);
      let square = 0;
      for (let i = c * 3; i < c * 3 + 3; i++) square += force[i] * force[i];
      if (!(square <= most * most)) return true;
    }
    return false;
  }
}
