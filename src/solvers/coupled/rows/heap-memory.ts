/**
 * The rows of a heap as kernels read them (assembly/heap-rows.ts): laid down in the order they are swept in, with all that they need beside each other; bodies and
 * slots of soft bodies are copied there and back.
 */
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { TURN as TURNS } from '../rigid/joint-blocks.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { CORNERS, MAX_SLOT_TABLE } from '../soft/soft-sides.js';
import type { Islands } from './islands.js';
import { PARTS, type RowOrder } from './row-order.js';
import type { RowSystem } from './row-system.js';

/** f64 per contact, per joint block, per rigid body and per slot. */
const ROW = 26;
const BLOCK = 33;
const BODY = 16;
const SLOT = 4;
/** Flags of a row. */
const SOFT_A = 1;
const SOFT_B = 2;
const BINDING = 4;
const TURN = 8;
const HELD = 16;

/** Memory of rows, bodies and slots. */
export class HeapMemory {
  /** Rows of the island at hand, as addresses, odd ones of joint blocks; first and last of each part. */
  readonly order: Slot<Int32Array>;
  readonly bounds: Slot<Int32Array>;
  readonly #rows: Slot<Float64Array>;
  readonly #blocks: Slot<Float64Array>;
  readonly #bodies: Slot<Float64Array>;
  readonly #slots: Slot<Float64Array>;
  readonly #table: Slot<Float64Array>;
  readonly #system: RowSystem;
  #words: Int32Array = new Int32Array(0);

  constructor(plan: MemoryPlan, system: RowSystem) {
    this.#system = system;
    const { contacts, joints, rigid, soft } = system;
    const { bodies } = soft;
    const table = bodies.models.reduce((sum, { size }) => sum + size * size, 0);
    this.#rows = plan.f64(contacts.capacity * ROW);
    this.#blocks = plan.f64(joints.count * BLOCK);
    this.#bodies = plan.f64(rigid.count * BODY);
    this.#slots = plan.f64((bodies.vertexCount + bodies.count) * SLOT);
    this.#table = plan.f64(Math.min(table, MAX_SLOT_TABLE));
    this.order = plan.i32(contacts.capacity + joints.count);
    this.bounds = plan.i32(PARTS * 2);
  }

  /** Once the memory exists. */
  start(): void {
    this.#words = new Int32Array(this.order.view.buffer);
    this.#system.soft.keepTables(this.#table.view);
  }

  /** Lays the rows of an island down, in the order of `order`, with its bodies and slots. */
  pack(islands: Islands, island: number, order: RowOrder): void {
    const { body, bodyStart } = islands;
    const { rigid } = this.#system;
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      if (body[n] >= rigid.count) this.#packSlots(body[n] - rigid.count);
      else this.#packBody(body[n]);
    }
    for (let n = 0; n < order.count; n++) {
      const row = order.row[n];
      this.order.view[n] = row < 0 ? this.#packBlock(-1 - row) : this.#packContact(n, row);
    }
    for (let part = 0; part < PARTS; part++) {
      this.bounds.view[part * 2] = order.partStart[part];
      this.bounds.view[part * 2 + 1] = order.partStart[part + 1];
    }
  }

  #packBody(b: number): void {
    const { velocity, inverseMass, inverseInertia } = this.#system.rigid;
    const out = this.#bodies.view;
    const o = b * BODY;
    for (let k = 0; k < TWIST; k++) out[o + k] = velocity[b * TWIST + k];
    out[o + 6] = inverseMass[b];
    for (let k = 0; k < 9; k++) out[o + 7 + k] = inverseInertia[b * 9 + k];
  }

  /** Slots of soft body s: before the first one where its table is, and how many there are. */
  #packSlots(s: number): void {
    const { bodies, slotCount, velocity, tableStart } = this.#system.soft;
    const out = this.#slots.view;
    const first = bodies.firstVertex[s];
    const start = (first + s + 1) * SLOT;
    const head = (this.#slots.address >>> 2) + 2 * (start - 2);
    this.#words[head] = this.#table.address + tableStart[s] * 8;
    this.#words[head + 1] = slotCount[s];
    for (let j = 0; j < slotCount[s]; j++) {
      for (let k = 0; k < 3; k++) out[start + j * SLOT + k] = velocity[(first + j) * 3 + k];
    }
  }

  /** Lays contact c down as row n; its address. */
  #packContact(n: number, c: number): number {
    const system = this.#system;
    const { contacts, push } = system;
    const out = this.#rows.view;
    const o = n * ROW;
    const address = this.#rows.address + o * 8;
    const word = address >>> 2;
    const sideA = contacts.sideA[c];
    const sideB = contacts.sideB[c];
    this.#words[word] = (sideA >= 0 ? SOFT_A : 0) | (sideB >= 0 ? SOFT_B : 0) | (contacts.isBinding(c) ? BINDING : 0);
    if (sideA >= 0) this.#packSide(sideA, o + 5, word + 40);
    else this.#packArm(contacts.a[c], contacts.armA, c, o + 5, word + 2);
    if (sideB >= 0) this.#packSide(sideB, o + 8, word + 46);
    else this.#packArm(contacts.b[c], contacts.armB, c, o + 8, word + 3);
    for (let k = 0; k < 3; k++) {
      out[o + 2 + k] = contacts.normal[c * 3 + k];
      out[o + 17 + k] = push[c * 3 + k];
    }
    out[o + 11] = system.bound[c];
    out[o + 12] = 1 / (system.opening[c] + system.softness[c]);
    out[o + 13] = system.softness[c];
    out[o + 14] = 1 / system.sliding[c];
    out[o + 15] = contacts.friction[c];
    return address;
  }

  /** The arm of a rigid body at out[o..], and where the body is. */
  #packArm(body: number, arm: Float64Array, r: number, o: number, word: number): void {
    // what nothing moves belongs to no island: whoever touches it brings it along
    if (this.#system.rigid.inverseMass[body] === 0) this.#packBody(body);
    for (let k = 0; k < 3; k++) this.#rows.view[o + k] = arm[r * 3 + k];
    this.#words[word] = this.#bodies.address + body * BODY * 8;
  }

  /** The weights of a side at out[o..]; its slots, the first of its body, and whether one vertex is all. */
  #packSide(side: number, o: number, word: number): void {
    const { body, slot, weight, bodies } = this.#system.soft;
    const s = body[side];
    const start = this.#slots.address + (bodies.firstVertex[s] + s + 1) * SLOT * 8;
    for (let k = 0; k < CORNERS; k++) {
      this.#rows.view[o + k] = weight[side * CORNERS + k];
      this.#words[word + k] = start + slot[side * CORNERS + k] * SLOT * 8;
    }
    this.#words[word + 3] = start;
    this.#words[word + 5] = weight[side * CORNERS + 1] === 0 && weight[side * CORNERS + 2] === 0 ? 1 : 0;
  }

  /** Lays joint block i down; its address, odd for a block. */
  #packBlock(i: number): number {
    const { joints, jointPush, rigid } = this.#system;
    const out = this.#blocks.view;
    const o = i * BLOCK;
    const address = this.#blocks.address + o * 8;
    const word = address >>> 2;
    const isHeld = joints.kind[i] !== TURNS && joints.compliance[i] === 0;
    this.#words[word] = (joints.kind[i] === TURNS ? TURN : 0) | (isHeld ? HELD : 0);
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? joints.a[i] : joints.b[i];
      if (rigid.inverseMass[body] === 0) this.#packBody(body);
      this.#words[word + 2 + side] = this.#bodies.address + body * BODY * 8;
    }
    for (let k = 0; k < 3; k++) {
      out[o + 2 + k] = joints.armA[i * 3 + k];
      out[o + 5 + k] = joints.armB[i * 3 + k];
      out[o + 8 + k] = joints.target[i * 3 + k];
      out[o + 12 + k] = jointPush[i * 3 + k];
    }
    out[o + 11] = joints.compliance[i];
    for (let k = 0; k < 9; k++) {
      out[o + 15 + k] = joints.inverse[i * 9 + k];
      out[o + 24 + k] = joints.projector[i * 9 + k];
    }
    return address + 1;
  }

  /** Velocities and impulses go back where they came from. */
  unpack({ body, bodyStart }: Islands, island: number, order: RowOrder): void {
    const { rigid, soft, push, jointPush, contacts } = this.#system;
    for (let n = 0; n < order.count; n++) {
      const row = order.row[n];
      if (row < 0) {
        const o = (-1 - row) * BLOCK + 12;
        for (let k = 0; k < 3; k++) jointPush[(-1 - row) * 3 + k] = this.#blocks.view[o + k];
        continue;
      }
      const o = n * ROW + 17;
      this.#noteImpulse(contacts.sideA[row], o, 1);
      this.#noteImpulse(contacts.sideB[row], o, -1);
      for (let k = 0; k < 3; k++) push[row * 3 + k] = this.#rows.view[o + k];
    }
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      const b = body[n];
      if (b < rigid.count) {
        for (let k = 0; k < TWIST; k++) rigid.velocity[b * TWIST + k] = this.#bodies.view[b * BODY + k];
        continue;
      }
      const s = b - rigid.count;
      const first = soft.bodies.firstVertex[s];
      const start = (first + s + 1) * SLOT;
      for (let j = 0; j < soft.slotCount[s]; j++) {
        for (let k = 0; k < 3; k++) soft.velocity[(first + j) * 3 + k] = this.#slots.view[start + j * SLOT + k];
      }
    }
  }

  /** What a contact pushes, at out[o..], on the slots of a side. */
  #noteImpulse(side: number, o: number, sign: number): void {
    if (side < 0) return;
    const { soft } = this.#system;
    const p = this.#push;
    for (let k = 0; k < 3; k++) p[k] = this.#rows.view[o + k];
    if (p[0] !== 0 || p[1] !== 0 || p[2] !== 0) soft.addImpulse(side, p, sign, soft.impulse);
  }

  readonly #push = new Float64Array(3);
}
