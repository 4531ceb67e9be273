/**
 * Rows, bodies and slots of a heap as the kernels that sweep it read them (assembly/heap-rows.ts), in f32, laid down before the sweeps. What comes back are impulses: bodies are pushed
 * with them here, in f64, so that momentum is kept to the last bits whatever f32 made of the velocities in between.
 */
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { TURN as TURNS } from '../rigid/joint-blocks.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { CORNERS, MAX_SLOT_TABLE } from '../soft/soft-sides.js';
import type { Islands } from './islands.js';
import { PARTS, type RowOrder } from './row-order.js';
import type { RowSystem } from './row-system.js';

/** f32 per contact, per joint block, per rigid body and per slot. */
const ROW = 32;
const BLOCK = 44;
const BODY = 20;
const SLOT = 4;
/** Slots that bodies have beside those of their vertices: one that says where their table is, three to fill up the last four. */
const SPARE = 4;
/** Flags of a row. */
const SOFT_A = 1;
const SOFT_B = 2;
const BINDING = 4;
const TURN = 8;
const HELD = 16;
const ONE_A = 32;
const ONE_B = 64;
/** Most that a contact slides when pushed, as f32 bears it [1/kg]. */
const MOST_SLIDING = 1e15;

/** Memory of rows, bodies and slots. */
export class HeapMemory {
  /** Rows of the island at hand, as addresses, odd ones of joint blocks; first and last of each part. */
  readonly order: Slot<Int32Array>;
  readonly bounds: Slot<Int32Array>;
  readonly #rows: Slot<Float32Array>;
  readonly #blocks: Slot<Float32Array>;
  readonly #bodies: Slot<Float32Array>;
  readonly #slots: Slot<Float32Array>;
  readonly #table: Slot<Float32Array>;
  readonly #system: RowSystem;
  #words: Int32Array = new Int32Array(0);
  readonly #push = new Float64Array(3);
  /** Where the next body's table goes. */
  #nextTable = 0;

  constructor(plan: MemoryPlan, system: RowSystem) {
    this.#system = system;
    const { contacts, joints, rigid, soft } = system;
    const { bodies } = soft;
    const table = bodies.models.reduce((sum, { size }) => sum + size * size, 0);
    this.#rows = plan.f32(contacts.capacity * ROW);
    this.#blocks = plan.f32(joints.count * BLOCK);
    this.#bodies = plan.f32(rigid.count * BODY);
    this.#slots = plan.f32((bodies.vertexCount + bodies.count * SPARE) * SLOT);
    // rows of tables are filled up to fours
    this.#table = plan.f32(Math.min(table, MAX_SLOT_TABLE) + 3 * bodies.vertexCount);
    this.order = plan.i32(contacts.capacity + joints.count);
    this.bounds = plan.i32(PARTS * 2);
  }

  /** Once the memory exists. */
  start(): void {
    this.#words = new Int32Array(this.order.view.buffer);
  }

  /** Lays the rows of an island down, in the order of `order`, with its bodies and slots. */
  pack(islands: Islands, island: number, order: RowOrder): void {
    const { body, bodyStart } = islands;
    const { rigid } = this.#system;
    this.#nextTable = 0;
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

  /** Velocity and inverse mass, angular velocity, columns of the inverse inertia, which is symmetric. */
  #packBody(b: number): void {
    const { velocity, inverseMass, inverseInertia } = this.#system.rigid;
    const out = this.#bodies.view;
    const o = b * BODY;
    const v = b * TWIST;
    const i = b * 9;
    for (let k = 0; k < 3; k++) {
      out[o + k] = velocity[v + k];
      out[o + 4 + k] = velocity[v + 3 + k];
      out[o + 8 + k] = inverseInertia[i + k];
      out[o + 12 + k] = inverseInertia[i + 3 + k];
      out[o + 16 + k] = inverseInertia[i + 6 + k];
    }
    out[o + 3] = inverseMass[b];
  }

  /** First slot of soft body s, counted in f32. */
  #slotStart(s: number): number {
    return (this.#system.soft.bodies.firstVertex[s] + s * SPARE + 1) * SLOT;
  }

  /** Slots of soft body s and how they answer each other: before the first one where that is, and how many there are. */
  #packSlots(s: number): void {
    const { bodies, slotCount, slotVertex, velocity } = this.#system.soft;
    const { table, size } = bodies.tableOf(s);
    const out = this.#slots.view;
    const answers = this.#table.view;
    const first = bodies.firstVertex[s];
    const start = this.#slotStart(s);
    const count = slotCount[s];
    const head = (this.#slots.address >>> 2) + start - SLOT;
    this.#words[head] = this.#table.address + this.#nextTable * 4;
    this.#words[head + 1] = count;
    for (let i = 0; i < count; i++) {
      const row = slotVertex[first + i] * size;
      for (let k = 0; k < 3; k++) out[start + i * SLOT + k] = velocity[(first + i) * 3 + k];
      for (let j = 0; j < count; j++) answers[this.#nextTable++] = table[row + slotVertex[first + j]];
      for (; this.#nextTable % 4 !== 0; this.#nextTable++) answers[this.#nextTable] = 0;
    }
  }

  /** Lays contact c down as row n; its address. */
  #packContact(n: number, c: number): number {
    const system = this.#system;
    const { contacts, push } = system;
    const out = this.#rows.view;
    const o = n * ROW;
    const word = (this.#rows.address >>> 2) + o;
    const { normal, friction, sideA, sideB } = contacts;
    let flags = friction[c] === Number.POSITIVE_INFINITY ? BINDING : 0;
    if (sideA[c] >= 0) flags |= SOFT_A | (this.#packSide(sideA[c], o + 8, word + 24) ? ONE_A : 0);
    else this.#packArm(contacts.a[c], contacts.armA, c, o + 8, word + 1);
    if (sideB[c] >= 0) flags |= SOFT_B | (this.#packSide(sideB[c], o + 12, word + 28) ? ONE_B : 0);
    else this.#packArm(contacts.b[c], contacts.armB, c, o + 12, word + 2);
    this.#words[word] = flags;
    out[o + 3] = friction[c];
    for (let k = 0; k < 3; k++) {
      out[o + 4 + k] = normal[c * 3 + k];
      out[o + 16 + k] = push[c * 3 + k];
    }
    out[o + 20] = system.bound[c];
    out[o + 21] = 1 / (system.opening[c] + system.softness[c]);
    out[o + 22] = system.softness[c];
    out[o + 23] = Math.min(MOST_SLIDING, 1 / system.sliding[c]);
    return word * 4;
  }

  /** The arm of a rigid body at out[o..], and where the body is. */
  #packArm(body: number, arm: Float64Array, r: number, o: number, word: number): void {
    // what nothing moves belongs to no island: whoever touches it brings it along
    if (this.#system.rigid.inverseMass[body] === 0) this.#packBody(body);
    const out = this.#rows.view;
    out[o] = arm[r * 3];
    out[o + 1] = arm[r * 3 + 1];
    out[o + 2] = arm[r * 3 + 2];
    this.#words[word] = this.#bodies.address + body * BODY * 4;
  }

  /** The weights of a side at out[o..], its slots and the first of its body; whether one vertex is all. */
  #packSide(side: number, o: number, word: number): boolean {
    const { body, slot, weight } = this.#system.soft;
    const start = this.#slots.address + this.#slotStart(body[side]) * 4;
    for (let k = 0; k < CORNERS; k++) {
      this.#rows.view[o + k] = weight[side * CORNERS + k];
      this.#words[word + k] = start + slot[side * CORNERS + k] * SLOT * 4;
    }
    this.#words[word + 3] = start;
    return weight[side * CORNERS + 1] === 0 && weight[side * CORNERS + 2] === 0;
  }

  /** Lays joint block i down; its address, odd for a block. */
  #packBlock(i: number): number {
    const { joints, jointPush, rigid } = this.#system;
    const out = this.#blocks.view;
    const o = i * BLOCK;
    const word = (this.#blocks.address >>> 2) + o;
    const isHeld = joints.kind[i] !== TURNS && joints.compliance[i] === 0;
    this.#words[word] = (joints.kind[i] === TURNS ? TURN : 0) | (isHeld ? HELD : 0);
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? joints.a[i] : joints.b[i];
      if (rigid.inverseMass[body] === 0) this.#packBody(body);
      this.#words[word + 1 + side] = this.#bodies.address + body * BODY * 4;
    }
    out[o + 3] = joints.compliance[i];
    for (let k = 0; k < 3; k++) {
      out[o + 4 + k] = joints.armA[i * 3 + k];
      out[o + 8 + k] = joints.armB[i * 3 + k];
      out[o + 12 + k] = joints.target[i * 3 + k];
      out[o + 16 + k] = jointPush[i * 3 + k];
      // columns
      for (let m = 0; m < 3; m++) {
        out[o + 20 + m * 4 + k] = joints.inverse[i * 9 + k * 3 + m];
        if (!isHeld) out[o + 32 + m * 4 + k] = joints.projector[i * 9 + k * 3 + m];
      }
    }
    return word * 4 + 1;
  }

  /** Impulses go back where they came from, and push bodies; slots say how fast they are. */
  unpack({ body, bodyStart }: Islands, island: number, order: RowOrder): void {
    const system = this.#system;
    const { rigid, soft, push, jointPush } = system;
    const p = this.#push;
    for (let n = 0; n < order.count; n++) {
      const row = order.row[n];
      const from = row < 0 ? this.#blocks.view : this.#rows.view;
      const o = row < 0 ? (-1 - row) * BLOCK + 16 : n * ROW + 16;
      const to = row < 0 ? jointPush : push;
      const at = (row < 0 ? -1 - row : row) * 3;
      for (let k = 0; k < 3; k++) {
        p[k] = from[o + k];
        to[at + k] = p[k];
      }
      if (p[0] === 0 && p[1] === 0 && p[2] === 0) continue;
      if (row < 0) system.pushBlock(-1 - row, p);
      else system.notePush(row, p, rigid.velocity, soft.impulse);
    }
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      const s = body[n] - rigid.count;
      if (s < 0) continue;
      const to = soft.bodies.firstVertex[s] * 3;
      const start = this.#slotStart(s);
      for (let j = 0; j < soft.slotCount[s]; j++) {
        for (let k = 0; k < 3; k++) soft.velocity[to + j * 3 + k] = this.#slots.view[start + j * SLOT + k];
      }
    }
  }
}
