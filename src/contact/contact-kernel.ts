/**
 * Contacts as the kernel `solveContacts` wants them: what is known of those that count, packed one after the other, and their forces taken back. The bodies
 * they push lie in the world's memory already. Fewer than a twentieth of the numbers that one sweep reads are copied.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../kernels/memory.js';
import type { SideList } from './side-list.js';

/** Numbers of a contact, and where they are among them; see assembly/contact-records.ts. */
const RECORD = 27;
const OFFSET = 3;
const STUCK = 4;
const FRICTION = 7;
const FORCE = 8;
const NORMAL_COMPLIANCE = 11;
const TANGENT_COMPLIANCE = 12;
const SOFTNESS = 13;
const PRECISION = 14;
/** Place of the sides among 32-bit words. */
const SIDES = 48;

/** Sweeps between which the kernel finds no room for gradients. */
const PLAIN = 4;

/** What is known of contacts beside what the buffer holds. */
export interface ContactMeasures {
  readonly contacts: ContactBuffer;
  /** Number of each contact's two sides in the lists of their bodies, 2 per contact; -1 for an obstacle. */
  readonly sideOf: Int32Array;
  readonly bodies: readonly SideList[];
  /** How far each contact opens when pushed along its normal, and the most it slides when pushed along its plane [m/N]. */
  readonly normalCompliance: Float64Array;
  readonly tangentCompliance: Float64Array;
  /** How much each contact gives way to its own force, as a share of `normalCompliance`. */
  readonly softness: Float64Array;
  /** How closely each force must be known. */
  readonly leverage: { readonly precision: Float64Array };
  /** Numbers of the contacts that count, the first `activeCount`. */
  readonly active: Int32Array;
  readonly activeCount: number;
}

/** The contacts of one world in its memory. */
export class ContactKernel {
  readonly #records: Slot<Float64Array>;
  readonly #list: Slot<Int32Array>;
  #numbers!: Float64Array;
  #words!: Int32Array;
  #kernels!: KernelTable;

  constructor(plan: MemoryPlan, capacity: number) {
    this.#records = plan.f64(capacity * RECORD);
    this.#list = plan.i32(capacity);
  }

  /** Takes up the memory once it exists. */
  start(kernels: KernelTable): void {
    this.#kernels = kernels;
    this.#numbers = this.#records.view;
    this.#words = new Int32Array(this.#numbers.buffer, this.#numbers.byteOffset, this.#numbers.length * 2);
  }

  /** Changes the forces of the contacts that count, by so many sweeps at most, with conjugate gradients between them unless `plain`; the sides of the bodies follow. */
  solve(measures: ContactMeasures, sweeps: number, settled: number, plain = false): void {
    const { active, activeCount, contacts } = measures;
    this.#pack(measures);
    const together = plain ? PLAIN : sweeps;
    for (let left = sweeps; left > 0; left -= together) {
      const now = Math.min(left, together);
      this.#kernels.solveContacts(this.#records.address, activeCount, this.#list.address, now, settled);
    }
    for (let n = 0; n < activeCount; n++) {
      const from = n * RECORD + FORCE;
      for (let k = 0; k < 3; k++) contacts.force[active[n] * 3 + k] = this.#numbers[from + k];
    }
  }

  #pack(measures: ContactMeasures): void {
    const { active, activeCount, normalCompliance, tangentCompliance, softness, leverage } = measures;
    const { normal, offset, stuck, friction, force } = measures.contacts;
    const to = this.#numbers;
    for (let n = 0; n < activeCount; n++) {
      const c = active[n];
      const o = n * RECORD;
      for (let k = 0; k < 3; k++) {
        to[o + k] = normal[c * 3 + k];
        to[o + STUCK + k] = stuck[c * 3 + k];
        to[o + FORCE + k] = force[c * 3 + k];
      }
      to[o + OFFSET] = offset[c];
      to[o + FRICTION] = friction[c];
      to[o + NORMAL_COMPLIANCE] = normalCompliance[c];
      to[o + TANGENT_COMPLIANCE] = tangentCompliance[c];
      to[o + SOFTNESS] = softness[c];
      to[o + PRECISION] = leverage.precision[c];
      this.#packSides(measures, c, n * 2 * RECORD + SIDES);
    }
  }

  #packSides({ contacts: { body }, sideOf, bodies }: ContactMeasures, c: number, at: number): void {
    for (let side = 0; side < 2; side++) {
      const number = sideOf[c * 2 + side];
      this.#words[at + 2 * side] = number < 0 ? 0 : bodies[body[c * 2 + side]].tellKernel();
      this.#words[at + 2 * side + 1] = number;
    }
  }
}
