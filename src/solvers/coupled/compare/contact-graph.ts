/**
 * The contact graph [Shinar2008 §5]: how many bodies away from what nothing moves everything is, through contacts and joints, and contacts and joints in that order, so that what lies on something is treated after what it lies on.
 */
import type { BareRows } from './bare-rows.js';

/** Levels of bodies and the order of rows. */
export class ContactGraph {
  /** Level of each body, 0 for what nothing moves; what hangs on nothing has the highest. */
  readonly level: Int32Array;
  /** Contacts and joint blocks, lowest first. */
  readonly contact: Int32Array;
  readonly block: Int32Array;
  contactCount = 0;
  readonly #bare: BareRows;
  readonly #start: Int32Array;

  constructor(bare: BareRows) {
    const { rigid, soft, contacts, joints } = bare.system;
    const bodies = rigid.count + soft.bodies.count;
    this.#bare = bare;
    this.level = new Int32Array(bodies);
    this.contact = new Int32Array(contacts.capacity);
    this.block = Int32Array.from({ length: joints.count }, (_, i) => i);
    this.#start = new Int32Array(bodies + 2);
  }

  /** Finds the levels by the contacts marked in `takes`, bindings and joints, and orders these contacts and all blocks. */
  build(takes: Uint8Array): void {
    const { rigid, contacts, joints } = this.#bare.system;
    const { level } = this;
    const highest = level.length;
    for (let b = 0; b < level.length; b++) level[b] = b < rigid.count && rigid.inverseMass[b] === 0 ? 0 : highest;
    for (let isMoved = true; isMoved; ) {
      isMoved = false;
      for (let c = 0; c < contacts.count; c++) {
        if ((takes[c] === 1 || contacts.isBinding(c)) && this.#lower(contacts.a[c], contacts.b[c])) isMoved = true;
      }
      for (let i = 0; i < joints.count; i++) if (this.#lower(joints.a[i], joints.b[i])) isMoved = true;
    }
    this.contactCount = this.#order(contacts.count, contacts.a, contacts.b, this.contact, takes);
    this.#order(joints.count, joints.a, joints.b, this.block);
  }

  /** Two bodies are at most one level apart; whether that is news. */
  #lower(a: number, b: number): boolean {
    const { level } = this;
    if (level[a] > level[b] + 1) level[a] = level[b] + 1;
    else if (level[b] > level[a] + 1) level[b] = level[a] + 1;
    else return false;
    return true;
  }

  /** Rows by the higher of their two bodies, else as they were: a counting sort. */
  #order(count: number, a: Int32Array, b: Int32Array, out: Int32Array, takes?: Uint8Array): number {
    const start = this.#start.fill(0);
    const { level } = this;
    let taken = 0;
    for (let r = 0; r < count; r++) {
      if (takes?.[r] === 0) continue;
      start[Math.max(level[a[r]], level[b[r]]) + 1]++;
      taken++;
    }
    for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
    for (let r = 0; r < count; r++) if (takes?.[r] !== 0) out[start[Math.max(level[a[r]], level[b[r]])]++] = r;
    return taken;
  }
}
