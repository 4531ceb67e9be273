/**
 * Rows, bodies and slots of a heap as the kernels that sweep it read them (assembly/heap-rows.ts), in f32, laid down before the sweeps. What comes back are impulses: bodies are pushed
 * with them here, in f64, so that momentum is kept to the last bits whatever f32 made of the velocities in between.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { TURN as TURNS } from '../rigid/joint-blocks.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { MAX_SLOT_TABLE } from '../soft/soft-sides.js';
import type { Islands } from './islands.js';
import type { RowJob } from './row-job.js';
import { PARTS, type RowOrder } from './row-order.js';
import type { RowSystem } from './row-system.js';

/** f32 per contact, per joint block, per rigid body and per slot. */
const ROW = 32;
const BLOCK = 44;
const BODY = 20;
const SLOT = 4;
/** Slots that bodies have beside those of their vertices: one that says where their table is, three to fill up the last four. */
const SPARE = 4;
/** Flags of a joint block. */
const TURN = 8;
const HELD = 16;

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
  readonly job: RowJob;
  /** Rows of the island at hand by number. */
  readonly #numbers: Slot<Int32Array>;
  #isBegun = false;

  constructor(plan: MemoryPlan, system: RowSystem, job: RowJob) {
    this.#system = system;
    this.job = job;
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
    this.#numbers = plan.i32(contacts.capacity + joints.count);
    this.bounds = plan.i32(PARTS * 2);
  }

  /** Once the memory exists. */
  start(threads: ThreadPool): void {
    this.#words = new Int32Array(this.order.view.buffer);
    const places = [this.#rows, this.#bodies, this.#slots, this.#numbers, this.order];
    this.job.start(
      threads,
      places.map(({ address }) => address),
    );
  }

  /** A track begins: nothing of it is laid down. */
  begin(): void {
    this.#isBegun = false;
  }

  /** What all islands of a track share: slots of soft bodies, and bodies that nothing moves. */
  #layShared(): void {
    const { rigid, soft } = this.#system;
    this.#isBegun = true;
    for (let b = 0; b < rigid.count; b++) if (rigid.inverseMass[b] === 0) this.#packBody(b);
    let table = this.#table.address;
    for (let s = 0; s < soft.bodies.count; s++) {
      if (soft.bodies.asleep[s] === 1 || soft.tableStart[s] < 0) continue;
      this.job.setSlotTable(s, table);
      table += 4 * soft.slotCount[s] * ((soft.slotCount[s] + 3) & ~3);
    }
    this.job.overSoft('laySlots');
  }

  /** Lays the rows of an island down, in the order of `order`, with its bodies. */
  pack({ body, bodyStart }: Islands, island: number, order: RowOrder): void {
    const { rigid } = this.#system;
    if (!this.#isBegun) this.#layShared();
    for (let n = bodyStart[island]; n < bodyStart[island + 1] && body[n] < rigid.count; n++) this.#packBody(body[n]);
    for (let n = 0; n < order.count; n++) {
      const row = order.row[n];
      this.#numbers.view[n] = row;
      if (row < 0) this.order.view[n] = this.#packBlock(-1 - row);
    }
    this.job.lay(order.count);
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

  /** Impulses of joint blocks go back where they came from, and push bodies; slots say how fast they are. Contacts have been taken up by the kernel. */
  unpack({ body, bodyStart }: Islands, island: number, order: RowOrder, kernels: KernelTable): void {
    const system = this.#system;
    const { rigid, jointPush } = system;
    const p = this.#push;
    for (let n = 0; n < order.count; n++) {
      const i = -1 - order.row[n];
      if (i < 0) continue;
      for (let k = 0; k < 3; k++) {
        p[k] = this.#blocks.view[i * BLOCK + 16 + k];
        jointPush[i * 3 + k] = p[k];
      }
      system.pushBlock(i, p);
    }
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      if (body[n] >= rigid.count) this.job.takeSlots(kernels, body[n] - rigid.count);
    }
  }
}
