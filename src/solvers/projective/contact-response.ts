/**
 * Contact in the projective solver: implicit, with Coulomb friction and the constant matrix. The forces of the contacts are
 * part of every global solve; between solves they are corrected by a few sweeps over the contacts, which know through the
 * compliance W what the next solve will make of them. Forces start from those of the last step.
 */
import type { Model } from '../../body/model.js';
import type { ContactBuffer } from '../../collision/contacts.js';
import { sweepContacts } from '../../contact/coulomb.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { BoneMotion } from './bone-motion.js';
import { ContactCompliance } from './contact-compliance.js';
import type { FleshRows } from './flesh-rows.js';

/** Sweeps per iteration, and after the last one. */
const SWEEPS = 4;
const LAST_SWEEPS = 12;

/** Contacts of the body being stepped. */
export class ContactResponse {
  readonly compliance: ContactCompliance;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #place: Float64Array;
  readonly #before: Float64Array;

  constructor(model: Model, rows: FleshRows, solve: SolvePlan, surface: Int32Array, capacity: number) {
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.compliance = new ContactCompliance(model, rows, solve, surface, capacity);
    this.#place = new Float64Array(capacity * 3);
    this.#before = new Float64Array(capacity * 3);
  }

  /** Before the first iteration: compliance of this step's contacts. */
  begin(contacts: ContactBuffer): void {
    this.compliance.prepare(contacts.vertex, contacts.count);
  }

  /** Adds the contact forces to the right-hand side of the flesh and to the pull on the bones. */
  addForces(contacts: ContactBuffer, motion: BoneMotion): void {
    const y = this.#solve.y.view;
    const { bones, positions } = this.#model;
    for (let c = 0; c < contacts.count; c++) {
      const v = contacts.vertex[c];
      const bone = bones.ofVertex[v];
      const row = this.#rows.rowOfVertex[v];
      for (let k = 0; k < 3; k++) {
        const f = contacts.force[c * 3 + k];
        if (bone < 0) {
          if (row < this.#rows.fleshCount) y[row * 4 + k] += f;
          continue;
        }
        for (let p = 0; p < 3; p++) {
          motion.pull[bone * 12 + p * 3 + k] += f * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
        }
        motion.pull[bone * 12 + 9 + k] += f;
      }
    }
  }

  /** After a global step: forces for the next one. */
  correct(contacts: ContactBuffer, motion: BoneMotion): void {
    this.#readPlaces(contacts, motion);
    sweepContacts(contacts, this.#place, this.compliance.matrix, this.compliance.stride, SWEEPS);
  }

  /** After the last global step: final forces, and what they change about the flesh, left as increments in the right-hand side. */
  finish(contacts: ContactBuffer, motion: BoneMotion): void {
    this.#before.set(contacts.force);
    this.#readPlaces(contacts, motion);
    sweepContacts(contacts, this.#place, this.compliance.matrix, this.compliance.stride, LAST_SWEEPS);
    const y = this.#solve.y.view;
    const { fleshCount, rowOfVertex } = this.#rows;
    y.fill(0);
    for (let c = 0; c < contacts.count; c++) {
      const row = rowOfVertex[contacts.vertex[c]];
      if (this.#model.bones.ofVertex[contacts.vertex[c]] >= 0 || row >= fleshCount) continue;
      for (let k = 0; k < 3; k++) y[row * 4 + k] += contacts.force[c * 3 + k] - this.#before[c * 3 + k];
    }
    this.#solve.forward();
    // the bones are where they have to be; the flesh moves around them
    y.fill(0, fleshCount * 4, (fleshCount + this.#model.bones.count * 4) * 4);
    this.#solve.backward();
  }

  #readPlaces(contacts: ContactBuffer, motion: BoneMotion): void {
    const x = this.#rows.x.view;
    const { bones, positions } = this.#model;
    const { rotations, translations } = motion.poses;
    for (let c = 0; c < contacts.count; c++) {
      const v = contacts.vertex[c];
      const bone = bones.ofVertex[v];
      for (let k = 0; k < 3; k++) {
        let value: number;
        if (bone < 0) value = x[this.#rows.rowOfVertex[v] * 4 + k];
        else {
          value = translations[bone * 3 + k];
          for (let p = 0; p < 3; p++) {
            value += rotations[bone * 9 + k * 3 + p] * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
          }
        }
        this.#place[c * 3 + k] = value;
      }
    }
  }
}
