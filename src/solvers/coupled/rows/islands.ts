/**
 * Islands: bodies that push each other, directly or through others. Each is solved for itself, so that a stack is not slowed down
 * by a heap elsewhere. The lowest body leads; rows keep their order within an island.
 */
import type { ContactList } from '../contacts/contact-list.js';
import type { JointBlocks } from '../rigid/joint-blocks.js';
import { Leaders } from './leaders.js';

/** Groups of bodies with the rows between them. */
export class Islands {
  count = 0;
  /** First contact and first joint block of each island in `contact` and `block`; one more than `count`. */
  readonly contactStart: Int32Array;
  readonly blockStart: Int32Array;
  readonly contact: Int32Array;
  readonly block: Int32Array;
  /** First body of each island in `body`; one more than `count`. */
  readonly bodyStart: Int32Array;
  readonly body: Int32Array;
  /** Island of each body, -1 for those without rows. */
  readonly ofBody: Int32Array;
  readonly #leaders: Leaders;
  readonly #hasRows: Uint8Array;

  constructor(bodyCount: number, contactCapacity: number, blockCount: number) {
    this.contactStart = new Int32Array(bodyCount + 2);
    this.blockStart = new Int32Array(bodyCount + 2);
    this.contact = new Int32Array(contactCapacity);
    this.block = new Int32Array(blockCount);
    this.ofBody = new Int32Array(bodyCount);
    this.bodyStart = new Int32Array(bodyCount + 2);
    this.body = new Int32Array(bodyCount);
    this.#leaders = new Leaders(bodyCount);
    this.#hasRows = new Uint8Array(bodyCount);
  }

  /** Finds the islands. `movable`: 1 for bodies that pushes go through. */
  build(contacts: ContactList, joints: JointBlocks, movable: Uint8Array): void {
    this.#leaders.reset();
    this.#uniteAll(contacts.count, contacts.a, contacts.b, movable);
    this.#uniteAll(joints.count, joints.a, joints.b, movable);
    this.#number(contacts, joints, movable);
    fillBodies(this.bodyStart, this.body, this.count, this.ofBody);
    fillRows(this.contactStart, this.contact, this.count, contacts.count, contacts.a, contacts.b, this.ofBody);
    fillRows(this.blockStart, this.block, this.count, joints.count, joints.a, joints.b, this.ofBody, joints.active);
  }

  /** Forgets the islands of which no joint block has more than `least` of something. Only for islands without contacts; whose island a body was in is not told again. */
  keepBeyond(least: number, ofBlock: Float64Array): void {
    const { block, blockStart, body, bodyStart, contactStart } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      let most = 0;
      for (let n = blockStart[i]; n < blockStart[i + 1]; n++) most = Math.max(most, ofBlock[block[n]]);
      if (!(most > least)) continue;
      moveDown(block, blockStart, i, kept);
      moveDown(body, bodyStart, i, kept);
      contactStart[++kept] = 0;
    }
    this.count = kept;
  }

  /** Contacts and joint blocks of an island. */
  rowsOf(island: number): number {
    const { contactStart, blockStart } = this;
    return contactStart[island + 1] - contactStart[island] + blockStart[island + 1] - blockStart[island];
  }

  /** Bodies of rows belong together. Rows of the same two bodies mostly follow each other: they say it once. */
  #uniteAll(count: number, a: Int32Array, b: Int32Array, movable: Uint8Array): void {
    for (let r = 0; r < count; r++) {
      if (r > 0 && a[r] === a[r - 1] && b[r] === b[r - 1]) continue;
      if (movable[a[r]] === 1 && movable[b[r]] === 1) this.#leaders.unite(a[r], b[r]);
    }
  }

  /** Numbers the islands that have rows, in order of their leaders. */
  #number(contacts: ContactList, joints: JointBlocks, movable: Uint8Array): void {
    const { ofBody } = this;
    const hasRows = this.#hasRows.fill(0);
    markRows(hasRows, contacts.count, contacts.a, contacts.b);
    markRows(hasRows, joints.count, joints.a, joints.b);
    ofBody.fill(-1);
    for (let b = 0; b < ofBody.length; b++) {
      if (hasRows[b] === 1 && movable[b] === 1) ofBody[this.#leaders.find(b)] = 0;
    }
    this.count = 0;
    for (let b = 0; b < ofBody.length; b++) {
      if (this.#leaders.of[b] === b) ofBody[b] = ofBody[b] === 0 ? this.count++ : -1;
      else ofBody[b] = movable[b] === 1 ? ofBody[this.#leaders.find(b)] : -1;
    }
  }
}

/** What island `from` lists follows what those before island `to` do. */
function moveDown(list: Int32Array, start: Int32Array, from: number, to: number): void {
  const end = start[from + 1];
  let at = start[to];
  for (let n = start[from]; n < end; n++) list[at++] = list[n];
  start[to + 1] = at;
}

function markRows(hasRows: Uint8Array, count: number, a: Int32Array, b: Int32Array): void {
  for (let r = 0; r < count; r++) {
    hasRows[a[r]] = 1;
    hasRows[b[r]] = 1;
  }
}

/** Lists rows by island, in their own order: a counting sort. Rows that are not active and those between things that cannot move are left out. */
function fillRows(
  start: Int32Array,
  rows: Int32Array,
  count: number,
  rowCount: number,
  a: Int32Array,
  b: Int32Array,
  ofBody: Int32Array,
  active?: Uint8Array,
): void {
  start.fill(0, 0, count + 2);
  for (let r = 0; r < rowCount; r++) {
    const island = active?.[r] === 0 ? -1 : Math.max(ofBody[a[r]], ofBody[b[r]]);
    if (island >= 0) start[island + 2]++;
  }
  for (let i = 2; i < count + 2; i++) start[i] += start[i - 1];
  for (let r = 0; r < rowCount; r++) {
    const island = active?.[r] === 0 ? -1 : Math.max(ofBody[a[r]], ofBody[b[r]]);
    if (island >= 0) rows[start[island + 1]++] = r;
  }
}

/** Lists bodies by island, in their own order. */
function fillBodies(start: Int32Array, bodies: Int32Array, count: number, ofBody: Int32Array): void {
  start.fill(0, 0, count + 2);
  for (let b = 0; b < ofBody.length; b++) if (ofBody[b] >= 0) start[ofBody[b] + 2]++;
  for (let i = 2; i < count + 2; i++) start[i] += start[i - 1];
  for (let b = 0; b < ofBody.length; b++) if (ofBody[b] >= 0) bodies[start[ofBody[b] + 1]++] = b;
}
