/**
 * Contact in the projective solver: implicit, with Coulomb friction and the constant matrix. The forces of the contacts are
 * part of every global solve; after it they are corrected by a few sweeps over the contacts, which know through the compliance W
 * what a second solve will make of the correction. Forces start from those of the last step.
 */
import type { Model } from '../../body/model.js';
import type { ContactBuffer } from '../../collision/contacts.js';
import { sweepContacts } from '../../contact/coulomb.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { BoneMotion } from './bone-motion.js';
import { ContactCompliance } from './contact-compliance.js';
import type { FleshRows } from './flesh-rows.js';

/**
 * Sweeps per iteration, fewest and most, and the work (contacts squared times sweeps) that is worth an iteration. A few
 * contacts can be swept until they agree; for many the sweeps of later iterations do the rest.
 */
const FEWEST_SWEEPS = 4;
const MOST_SWEEPS = 50;
const SWEEP_WORK = 40_000;

/** Contacts of the body being stepped. */
export class ContactResponse {
  readonly compliance: ContactCompliance;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #place: Float64Array;
  readonly #before: Float64Array;
  readonly #start: Float64Array;

  constructor(model: Model, rows: FleshRows, solve: SolvePlan, surface: Int32Array, capacity: number) {
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.compliance = new ContactCompliance(model, rows, solve, surface, capacity);
    this.#place = new Float64Array(capacity * 3);
    this.#before = new Float64Array(capacity * 3);
    this.#start = new Float64Array(capacity * 3);
  }

  /** Before the first iteration: compliance of this step's contacts. */
  begin(contacts: ContactBuffer): void {
    this.compliance.prepare(contacts.vertex, contacts.count);
    this.#start.set(contacts.force);
  }

  /** Forces as they were when the step began, for a step that is taken again. */
  restore(contacts: ContactBuffer): void {
    contacts.force.set(this.#start);
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

  /**
   * After a global step: corrects the forces, and leaves what that adds to them in the right-hand sides of flesh and bones,
   * for a second solve in the same iteration. Leaving it to the next iteration instead saves that solve, and oscillates:
   * flesh under a heavy bone never came to rest. False where nothing changed.
   */
  correct(contacts: ContactBuffer, motion: BoneMotion, last: boolean): boolean {
    this.#before.set(contacts.force);
    this.#readPlaces(contacts, motion);
    const affordable = Math.floor(SWEEP_WORK / (contacts.count * contacts.count));
    const sweeps = Math.max(FEWEST_SWEEPS, Math.min(MOST_SWEEPS, affordable));
    sweepContacts(contacts, this.#place, this.compliance, last ? 3 * sweeps : sweeps);
    const { force } = contacts;
    let changed = false;
    for (let i = 0; i < contacts.count * 3; i++) {
      force[i] -= this.#before[i];
      changed ||= force[i] !== 0;
    }
    this.#solve.y.view.fill(0);
    motion.pull.fill(0);
    if (changed) this.addForces(contacts, motion);
    for (let i = 0; i < contacts.count * 3; i++) force[i] += this.#before[i];
    return changed;
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
