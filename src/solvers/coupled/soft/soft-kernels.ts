/**
 * The two hot loops of soft bodies as kernels: elastic forces of all of them in one call, and the product with a body's inverse table. In
 * f32, about each body's own origin; forces are then made to sum to nothing and increments to carry the momentum they should, in f64,
 * so that linear momentum does not know of it.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import { LOCAL_SCRATCH_BYTES } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { packTetGroups, TET_GROUP_BYTES, tetGroupCount } from '../../../kernels/tet-groups.js';
import type { SoftModel } from './soft-model.js';
import { SoftRotations } from './soft-rotations.js';

/** Tables of a model as kernels read them, and the step they were made for [s]. */
interface KernelTables {
  readonly slots: readonly [Slot<Float32Array>, Slot<Float32Array>];
  h: number;
}

/** Elastic forces and table products of the soft bodies of a world. */
export class SoftKernels {
  readonly #models: readonly SoftModel[];
  readonly #firstVertex: Int32Array;
  readonly #x: Slot<Float32Array>;
  readonly #out: Slot<Float32Array>;
  readonly #tets: Slot<Int32Array>;
  readonly #quats: Slot<Float32Array>;
  readonly #scratch: Slot<Float64Array>;
  readonly #groups: number;
  readonly #firstTet: Int32Array;
  readonly #tables = new Map<SoftModel, KernelTables>();
  readonly #totalMass: Float64Array;
  readonly #held: Uint8Array;
  readonly #sum = new Float64Array(3);
  #kernels: KernelTable | undefined;

  constructor(plan: MemoryPlan, models: readonly SoftModel[], firstVertex: Int32Array) {
    this.#models = models;
    this.#firstVertex = firstVertex;
    const vertices = firstVertex[models.length];
    const tets = models.reduce((sum, { elements }) => sum + elements.tetCount, 0);
    this.#groups = tetGroupCount(tets);
    this.#firstTet = new Int32Array(models.length + 1);
    models.forEach(({ elements }, s) => {
      this.#firstTet[s + 1] = this.#firstTet[s] + elements.tetCount;
    });
    this.#x = plan.f32(vertices * 4);
    this.#out = plan.f32(vertices * 4);
    this.#tets = plan.i32((this.#groups * TET_GROUP_BYTES) / 4);
    this.#quats = plan.f32(this.#groups * 16);
    this.#scratch = plan.f64(LOCAL_SCRATCH_BYTES / 8);
    for (const model of models) {
      if (this.#tables.has(model)) continue;
      const cells = model.size * model.size;
      this.#tables.set(model, { slots: [plan.f32(cells), plan.f32(cells)], h: 0 });
    }
    this.#totalMass = Float64Array.from(models, ({ elements }) => elements.masses.reduce((sum, m) => sum + m, 0));
    this.#held = Uint8Array.from(models, ({ elements }) => (elements.pinned.includes(1) ? 1 : 0));
  }

  /** Fills the memory, once it exists. */
  start(kernels: KernelTable): void {
    this.#kernels = kernels;
    const corners: number[] = [];
    const inverseRest: number[] = [];
    const shear: number[] = [];
    const bulk: number[] = [];
    this.#models.forEach(({ elements }, s) => {
      for (let t = 0; t < elements.tetCount; t++) {
        for (let k = 0; k < 4; k++) corners.push(this.#firstVertex[s] + elements.tets[t * 4 + k]);
        for (let k = 0; k < 9; k++) inverseRest.push(elements.inverseRest[t * 9 + k]);
        shear.push(2 * elements.mu[t] * elements.volumes[t]);
        bulk.push(elements.lambda[t] * elements.volumes[t]);
      }
    });
    const tets = {
      corners,
      inverseRest: Float64Array.from(inverseRest),
      shearStiffness: Float64Array.from(shear),
      bulkStiffness: Float64Array.from(bulk),
    };
    const { view } = this.#tets;
    packTetGroups(tets, Int32Array.from(shear.keys()), {
      i32: view,
      f32: new Float32Array(view.buffer, view.byteOffset, view.length),
    });
  }

  /** Rotations of all elements: state, from step to step. */
  get rotations(): Float32Array {
    return this.#quats.view;
  }

  /** Rotations as they are at these positions, worked out from nothing. */
  seed(positions: Float64Array): void {
    let tet = 0;
    const rotations = new SoftRotations();
    this.#models.forEach(({ elements }, s) => {
      for (let t = 0; t < elements.tetCount; t++, tet++) {
        rotations.write(elements, t, positions, this.#firstVertex[s], this.#quats.view, (tet >> 2) * 16 + (tet & 3));
      }
    });
    // what fills the last group up turns with its last tet
    for (; tet < this.#groups * 4; tet++) {
      for (let k = 0; k < 4; k++) {
        const at = (tet >> 2) * 16 + (tet & 3) + k * 4;
        this.#quats.view[at] = this.#quats.view[at - 1];
      }
    }
  }

  /** force = elastic forces at the given positions [N], 3 per vertex; of bodies asleep nothing that is of use. */
  elastic(positions: Float64Array, force: Float64Array, asleep: Uint8Array): void {
    const x = this.#x.view;
    const out = this.#out.view;
    const first = this.#firstVertex;
    for (let s = 0; s < this.#models.length; s++) {
      const o = first[s] * 3;
      for (let v = first[s]; v < first[s + 1]; v++) {
        for (let k = 0; k < 3; k++) x[v * 4 + k] = positions[v * 3 + k] - positions[o + k];
      }
    }
    out.fill(0);
    this.#runAwake(asleep);
    for (let s = 0; s < this.#models.length; s++) {
      this.#sum.fill(0);
      for (let v = first[s]; v < first[s + 1]; v++) {
        for (let k = 0; k < 3; k++) {
          force[v * 3 + k] = out[v * 4 + k];
          this.#sum[k] += out[v * 4 + k];
        }
      }
      this.#spread(s, force, -1);
    }
  }

  /** Runs the elements of the bodies that are awake, in as few calls as may be. Groups of four can belong to two bodies. */
  #runAwake(asleep: Uint8Array): void {
    const firstTet = this.#firstTet;
    let done = 0;
    for (let s = 0; s < asleep.length; ) {
      let end = s;
      while (end < asleep.length && asleep[end] === 0) end++;
      const to = end === asleep.length ? this.#groups : (firstTet[end] + 3) >> 2;
      if (end > s) this.#runGroups(Math.max(done, firstTet[s] >> 2), to);
      if (end > s) done = to;
      s = end + 1;
    }
  }

  #runGroups(from: number, to: number): void {
    if (to <= from) return;
    this.#kernels?.localTets(
      from,
      to,
      this.#x.address,
      this.#tets.address,
      this.#quats.address,
      this.#out.address,
      this.#scratch.address,
    );
  }

  /** velocity += A⁻¹ impulses, by the table of a track, for steps of h; not of bodies asleep. */
  answer(impulses: Float64Array, velocity: Float64Array, track: 0 | 1, h: number, asleep: Uint8Array): void {
    const x = this.#x.view;
    const out = this.#out.view;
    const first = this.#firstVertex;
    for (let s = 0; s < this.#models.length; s++) {
      if (asleep[s] === 1) continue;
      const model = this.#models[s];
      const { masses } = model.elements;
      this.#sum.fill(0);
      for (let v = first[s]; v < first[s + 1]; v++) {
        for (let k = 0; k < 3; k++) {
          x[v * 4 + k] = impulses[v * 3 + k];
          this.#sum[k] += impulses[v * 3 + k];
        }
      }
      const row = first[s] * 16;
      const table = this.#tableOf(model, track, h);
      this.#kernels?.denseRows(0, model.size, table, model.size, this.#x.address + row, this.#out.address + row);
      for (let v = first[s]; v < first[s + 1]; v++) {
        const m = masses[v - first[s]];
        for (let k = 0; k < 3; k++) {
          velocity[v * 3 + k] += out[v * 4 + k];
          this.#sum[k] -= m * out[v * 4 + k];
        }
      }
      if (this.#held[s] === 1) continue;
      for (let v = first[s]; v < first[s + 1]; v++) {
        for (let k = 0; k < 3; k++) velocity[v * 3 + k] += this.#sum[k] / this.#totalMass[s];
      }
    }
  }

  /** Adds what is in #sum to the vertices of body s by their share of its mass. */
  #spread(s: number, force: Float64Array, sign: number): void {
    const { masses } = this.#models[s].elements;
    const first = this.#firstVertex[s];
    for (let v = 0; v < masses.length; v++) {
      const share = (sign * masses[v]) / this.#totalMass[s];
      for (let k = 0; k < 3; k++) force[(first + v) * 3 + k] += share * this.#sum[k];
    }
  }

  /** Address of a model's table, copied anew where the step has changed. */
  #tableOf(model: SoftModel, track: 0 | 1, h: number): number {
    const tables = this.#tables.get(model);
    if (!tables) return 0;
    if (tables.h !== h) {
      tables.h = h;
      tables.slots[0].view.set(model.first.table);
      tables.slots[1].view.set(model.second.table);
    }
    return tables.slots[track].address;
  }
}
