/**
 * Rows, bodies and slots of a heap as the kernels that sweep it read them (assembly/heap-rows.ts), in f32, laid down before the sweeps. What comes back are impulses: bodies are pushed
 * with them here, in f64, so that momentum is kept to the last bits whatever f32 made of the velocities in between.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
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
    // rows have their place by their number in the order, in which joint blocks count too
    const rows = contacts.capacity + joints.count;
    this.#rows = plan.f32(rows * ROW);
    this.#blocks = plan.f32(joints.count * BLOCK);
    this.#bodies = plan.f32(rigid.count * BODY);
    this.#slots = plan.f32((bodies.vertexCount + bodies.count * SPARE) * SLOT);
    // rows of tables are filled up to fours
    this.#table = plan.f32(Math.min(table, MAX_SLOT_TABLE) + 3 * bodies.vertexCount);
    this.order = plan.i32(rows);
    this.#numbers = plan.i32(rows);
    this.bounds = plan.i32(PARTS * 2);
  }

  /** Once the memory exists. */
  start(threads: ThreadPool): void {
    const places = [this.#rows, this.#bodies, this.#slots, this.#numbers, this.order];
    this.job.start(
      threads,
      places.map(({ address }) => address),
      this.#blocks.address,
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
      if (soft.bodies.asleep[s] === 1) continue;
      // what has no room for a table is in no heap that is swept here
      const hasTable = soft.tableStart[s] >= 0;
      this.job.setSlotTable(s, hasTable ? table : 0);
      if (!hasTable) continue;
      table += 4 * soft.slotCount[s] * ((soft.slotCount[s] + 3) & ~3);
    }
    this.job.overSoft('laySlots');
  }

  /** Lays the rows of an island down, in the order of `order`, with its bodies. */
  pack({ body, bodyStart }: Islands, island: number, order: RowOrder): void {
    const { rigid } = this.#system;
    if (!this.#isBegun) this.#layShared();
    for (let n = bodyStart[island]; n < bodyStart[island + 1] && body[n] < rigid.count; n++) this.#packBody(body[n]);
    const numbers = this.#numbers.view;
    for (let n = 0; n < order.count; n++) numbers[n] = order.row[n];
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

  /** Slots say how fast they are; impulses have been taken up by the kernel. */
  unpack({ body, bodyStart }: Islands, island: number, kernels: KernelTable): void {
    const { rigid } = this.#system;
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      if (body[n] >= rigid.count) this.job.takeSlots(kernels, body[n] - rigid.count);
    }
  }
}
