/**
 * The two hot loops of soft bodies as kernels (assembly/soft-bodies.ts): elastic forces, and the product with a body's inverse table. In
 * f32, about each body's own origin; forces are then made to sum to nothing and increments to carry the momentum they should, in f64,
 * so that linear momentum does not know of it. Bodies are cut into parts by their vertices, whoever runs them.
 */
import { LOCAL_SCRATCH_BYTES } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { JOB_RANGE, RANGE_ARGUMENTS, RANGE_KERNELS } from '../../../kernels/part-jobs.js';
import { packTetGroups, TET_GROUP_BYTES, tetGroupCount } from '../../../kernels/tet-groups.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { SoftModel } from './soft-model.js';
import { SoftRotations } from './soft-rotations.js';

/** Words per body. */
const BODY = 16;
/** Parts that the bodies are cut into, and how many vertices a part has at least. */
const PARTS = 8;
const LEAST = 512;

/** Tables of a model as kernels read them, and the step they were made for [s]. */
interface KernelTables {
  readonly slots: readonly [Slot<Float32Array>, Slot<Float32Array>];
  h: number;
}

/** Elastic forces and table products of the soft bodies of a world. */
export class SoftKernels {
  readonly #models: readonly SoftModel[];
  readonly #firstVertex: Int32Array;
  /** Positions or impulses, and forces or velocities: 3 f64 per vertex; the same in f32 rows. */
  readonly #given: Slot<Float64Array>;
  readonly #result: Slot<Float64Array>;
  readonly #masses: Slot<Float64Array>;
  readonly #x: Slot<Float32Array>;
  readonly #out: Slot<Float32Array>;
  readonly #tets: Slot<Int32Array>;
  readonly #quats: Slot<Float32Array>;
  readonly #scratch: Slot<Float64Array>;
  readonly #bodies: Slot<Int32Array>;
  readonly #bounds: Slot<Int32Array>;
  readonly #args: Slot<Int32Array>;
  readonly #parts: readonly number[];
  /** First group of four tets of each body; one more than bodies. */
  readonly #firstGroup: Int32Array;
  readonly #tables = new Map<SoftModel, KernelTables>();
  #threads: ThreadPool | undefined;

  constructor(plan: MemoryPlan, models: readonly SoftModel[], firstVertex: Int32Array) {
    this.#models = models;
    this.#firstVertex = firstVertex;
    const vertices = firstVertex[models.length];
    this.#firstGroup = new Int32Array(models.length + 1);
    models.forEach(({ elements }, s) => {
      this.#firstGroup[s + 1] = this.#firstGroup[s] + tetGroupCount(elements.tetCount);
    });
    const groups = this.#firstGroup[models.length];
    this.#parts = cutBodies(firstVertex, models.length);
    this.#given = plan.f64(vertices * 3);
    this.#result = plan.f64(vertices * 3);
    this.#masses = plan.f64(vertices);
    this.#x = plan.f32(vertices * 4);
    this.#out = plan.f32(vertices * 4);
    this.#tets = plan.i32((groups * TET_GROUP_BYTES) / 4);
    this.#quats = plan.f32(groups * 16);
    this.#scratch = plan.f64((PARTS * LOCAL_SCRATCH_BYTES) / 8);
    this.#bodies = plan.i32(models.length * BODY);
    this.#bounds = plan.i32(this.#parts.length);
    this.#args = plan.i32(4 + RANGE_ARGUMENTS);
    for (const model of models) {
      if (this.#tables.has(model)) continue;
      const cells = model.size * model.size;
      this.#tables.set(model, { slots: [plan.f32(cells), plan.f32(cells)], h: 0 });
    }
  }

  /** Fills the memory, once it exists. */
  start(threads: ThreadPool): void {
    this.#threads = threads;
    this.#bounds.view.set(this.#parts);
    const { view, address } = this.#bodies;
    const numbers = new Float64Array(view.buffer, address, view.length / 2);
    this.#models.forEach((model, s) => {
      const { elements } = model;
      const first = this.#firstVertex[s];
      const tables = this.#tables.get(model)?.slots.map((slot) => slot.address) ?? [];
      const groups = [this.#firstGroup[s], this.#firstGroup[s + 1]];
      const isHeld = elements.pinned.includes(1) ? 1 : 0;
      view.set([first, model.size, ...groups, ...tables, 0, isHeld], s * BODY);
      numbers[s * 8 + 4] = elements.masses.reduce((sum, m) => sum + m, 0);
      this.#masses.view.set(elements.masses, first);
      this.#packTets(s);
    });
  }

  #packTets(s: number): void {
    const { elements } = this.#models[s];
    const { tets, tetCount, inverseRest, mu, lambda, volumes } = elements;
    if (tetCount === 0) return;
    const packed = {
      corners: Int32Array.from(tets, (v) => this.#firstVertex[s] + v),
      inverseRest,
      shearStiffness: Float64Array.from({ length: tetCount }, (_, t) => 2 * mu[t] * volumes[t]),
      bulkStiffness: Float64Array.from({ length: tetCount }, (_, t) => lambda[t] * volumes[t]),
    };
    const from = (this.#firstGroup[s] * TET_GROUP_BYTES) / 4;
    const view = this.#tets.view.subarray(from, (this.#firstGroup[s + 1] * TET_GROUP_BYTES) / 4);
    const order = Int32Array.from({ length: tetCount }, (_, t) => t);
    packTetGroups(packed, order, { i32: view, f32: new Float32Array(view.buffer, view.byteOffset, view.length) });
  }

  /** Rotations of all elements: state, from step to step. */
  get rotations(): Float32Array {
    return this.#quats.view;
  }

  /** Rotations as they are at these positions, worked out from nothing. */
  seed(positions: Float64Array): void {
    const rotations = new SoftRotations();
    const quats = this.#quats.view;
    this.#models.forEach(({ elements }, s) => {
      const start = this.#firstGroup[s] * 4;
      const end = this.#firstGroup[s + 1] * 4;
      for (let tet = start; tet < end; tet++) {
        const at = (tet >> 2) * 16 + (tet & 3);
        if (tet - start < elements.tetCount)
          rotations.write(elements, tet - start, positions, this.#firstVertex[s], quats, at);
        // what fills the last group up turns with its last tet
        else for (let k = 0; k < 16; k += 4) quats[at + k] = quats[at + k - 1];
      }
    });
  }

  /** force = elastic forces at the given positions [N], 3 per vertex; of bodies asleep nothing that is of use. */
  elastic(positions: Float64Array, force: Float64Array, asleep: Uint8Array): void {
    this.#given.view.set(positions);
    const args = this.#args.view;
    this.#begin('elasticBodies', asleep);
    args[7] = this.#x.address;
    args[8] = this.#out.address;
    args[9] = this.#tets.address;
    args[10] = this.#quats.address;
    args[11] = this.#masses.address;
    this.#threads?.run(JOB_RANGE, this.#args.address, this.#parts.length / 2);
    force.set(this.#result.view);
  }

  /** velocity += A⁻¹ impulses, by the table of a track, for steps of h; not of bodies asleep. */
  answer(impulses: Float64Array, velocity: Float64Array, track: 0 | 1, h: number, asleep: Uint8Array): void {
    this.#given.view.set(impulses);
    this.#result.view.set(velocity);
    for (let s = 0; s < this.#models.length; s++) fillTables(this.#models[s], this.#tables.get(this.#models[s]), h);
    const args = this.#args.view;
    this.#begin('answerBodies', asleep);
    args[7] = this.#x.address;
    args[8] = this.#out.address;
    args[9] = this.#masses.address;
    args[10] = track;
    this.#threads?.run(JOB_RANGE, this.#args.address, this.#parts.length / 2);
    velocity.set(this.#result.view);
  }

  /** Arguments that both kernels have. */
  #begin(kernel: 'elasticBodies' | 'answerBodies', asleep: Uint8Array): void {
    for (let s = 0; s < asleep.length; s++) this.#bodies.view[s * BODY + 6] = asleep[s];
    const args = this.#args.view;
    args[0] = this.#bounds.address;
    args[1] = RANGE_KERNELS.indexOf(kernel);
    args[2] = this.#scratch.address;
    args[3] = LOCAL_SCRATCH_BYTES;
    args[4] = this.#bodies.address;
    args[5] = this.#given.address;
    args[6] = this.#result.address;
  }
}

/** Copies a model's tables anew where the step has changed. */
function fillTables(model: SoftModel, tables: KernelTables | undefined, h: number): void {
  if (!tables || tables.h === h) return;
  tables.h = h;
  tables.slots[0].view.set(model.first.table);
  tables.slots[1].view.set(model.second.table);
}

/** Firsts and lasts of the bodies of each part, of about as many vertices. */
function cutBodies(firstVertex: Int32Array, count: number): number[] {
  const parts = Math.max(1, Math.min(PARTS, Math.floor(firstVertex[count] / LEAST)));
  const bounds: number[] = [];
  let from = 0;
  for (let part = 1; part <= parts; part++) {
    let to = from;
    while (to < count && firstVertex[to] * parts < part * firstVertex[count]) to++;
    bounds.push(from, part === parts ? count : to);
    from = to;
  }
  return bounds;
}
