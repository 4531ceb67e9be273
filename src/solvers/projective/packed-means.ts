/**
 * The means of one model (nodal-strain.ts) as the kernels of the local step take them: in groups of four, cut into parts, corotated ones before neo-Hookean ones in
 * each. Owned by flesh-rows.ts, where tets share strains.
 */
import type { Model } from '../../body/model.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import { NODAL_ENTRY_BYTES, NODAL_GROUP_BYTES, type NodalMeans, packNodalGroups } from '../../kernels/nodal-groups.js';
import type { Layout } from './layout.js';
import { nodalMeans } from './nodal-strain.js';

/** Packs the means of one model. */
export class PackedMeans {
  readonly groupCount: number;
  readonly groups: Slot<Int32Array>;
  readonly entries: Slot<Int32Array>;
  /** Boundaries of the parts, three each: first group, first neo-Hookean one, end. */
  readonly bounds: Slot<Int32Array>;
  readonly #corotated: NodalMeans;
  readonly #neoHookean: NodalMeans;
  readonly #parts: number;

  constructor(plan: MemoryPlan, model: Model, layout: Layout, rowOfVertex: Int32Array, parts: number) {
    this.#corotated = nodalMeans(model, layout, rowOfVertex, false);
    this.#neoHookean = nodalMeans(model, layout, rowOfVertex, true);
    this.#parts = parts;
    this.groupCount = groupsOf(this.#corotated, 0, 1) + groupsOf(this.#neoHookean, 0, 1);
    const entryCount = this.#corotated.entryRows.length + this.#neoHookean.entryRows.length;
    this.groups = plan.i32((this.groupCount * NODAL_GROUP_BYTES) / 4);
    this.entries = plan.i32((entryCount * NODAL_ENTRY_BYTES) / 4);
    this.bounds = plan.i32(3 * parts);
  }

  /** Fills the memory. */
  start(): void {
    this.setIdle(false);
    this.#pack(this.#corotated, 0, 0);
    this.#pack(this.#neoHookean, 1, this.#corotated.entryRows.length);
  }

  /** Packs a family, the `place`-th of each part, with its entries from number `firstEntry` on. */
  #pack(means: NodalMeans, place: number, firstEntry: number): void {
    for (let part = 0; part < this.#parts; part++) {
      const from = 4 * firstGroup(means, part, this.#parts);
      const to = Math.min(means.rows.length, 4 * firstGroup(means, part + 1, this.#parts));
      if (from === to) continue;
      const group = this.bounds.view[part * 3 + place];
      const words = this.groups.view.subarray((group * NODAL_GROUP_BYTES) / 4);
      packNodalGroups(means, from, to, both(words), both(this.entries.view), firstEntry);
    }
  }

  /** Takes the means out while tets keep to themselves, or puts them back. */
  setIdle(isIdle: boolean): void {
    const bounds = this.bounds.view;
    let group = 0;
    for (let part = 0; part < this.#parts; part++) {
      bounds[part * 3] = group;
      for (const [k, means] of [this.#corotated, this.#neoHookean].entries()) {
        group += isIdle ? 0 : groupsOf(means, part, this.#parts);
        bounds[part * 3 + k + 1] = group;
      }
    }
  }
}

/** First group of a part among those of its family. */
function firstGroup({ rows }: NodalMeans, part: number, parts: number): number {
  return Math.floor((Math.ceil(rows.length / 4) * part) / parts);
}

function groupsOf(means: NodalMeans, part: number, parts: number): number {
  return firstGroup(means, part + 1, parts) - firstGroup(means, part, parts);
}

function both(i32: Int32Array) {
  return { i32, f32: new Float32Array(i32.buffer, i32.byteOffset, i32.length) };
}
