/**
 * The tets of one model as the kernels of the local step take them: in groups of four, cut into parts, corotated ones before neo-Hookean ones
 * in each. Tets can be taken out for a while, and neo-Hookean ones can be corotated for a while. Owned by flesh-rows.ts.
 */
import type { Model } from '../../body/model.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import {
  packTetGroups,
  stiffnessWords,
  TET_GROUP_BYTES,
  type TetElements,
  tetGroupCount,
} from '../../kernels/tet-groups.js';
import type { Layout } from './layout.js';
import { NODAL_SHAPE } from './nodal-strain.js';

/** What is left of the stiffness of slack tets: next to nothing, and not nothing, because neo-Hookean flesh divides by it. */
const SLACK = 1e-6;

/** Tets of one part, by the kernel that takes them. */
interface PartTets {
  readonly corotated: Int32Array;
  readonly neoHookean: Int32Array;
}

/** Packs the tets of one model. */
export class PackedTets {
  readonly groupCount: number;
  readonly groups: Slot<Int32Array>;
  /** Boundaries of the parts, three each: first group, first neo-Hookean one, end. */
  readonly bounds: Slot<Int32Array>;
  /** Whether some tets are neo-Hookean. */
  readonly hasNeoHookean: boolean;
  readonly #model: Model;
  readonly #rowOfVertex: Int32Array;
  readonly #isSmoothed: boolean;
  readonly #order: readonly PartTets[];
  /** Where each tet is among the packed ones, padding counted; -1 where it is not. */
  readonly #slotOfTet: Int32Array;

  /** `smoothed`: tets share strains, see nodal-strain.ts. */
  constructor(
    plan: MemoryPlan,
    model: Model,
    layout: Layout,
    rowOfVertex: Int32Array,
    parts: number,
    smoothed: boolean,
  ) {
    this.#model = model;
    this.#rowOfVertex = rowOfVertex;
    this.#isSmoothed = smoothed;
    this.#order = orderTets(model, layout, rowOfVertex, parts);
    this.#slotOfTet = new Int32Array(model.tetCount).fill(-1);
    this.groupCount = this.#order.reduce(
      (sum, { corotated, neoHookean }) => sum + tetGroupCount(corotated.length) + tetGroupCount(neoHookean.length),
      0,
    );
    this.hasNeoHookean = this.#order.some(({ neoHookean }) => neoHookean.length > 0);
    this.groups = plan.i32((this.groupCount * TET_GROUP_BYTES) / 4);
    this.bounds = plan.i32(3 * parts);
  }

  /** Fills the memory. */
  start(): void {
    const { mu, lambda, tets: corners, inverseRest } = this.#model;
    const tets: TetElements = {
      corners: Int32Array.from(corners, (vertex) => this.#rowOfVertex[vertex]),
      inverseRest,
      shearStiffness: mu.map((_, tet) => this.#shearStiffness(tet)),
      bulkStiffness: lambda.map((_, tet) => this.#bulkStiffness(tet)),
    };
    const words = this.groups.view;
    const floats = this.#floats;
    const bounds = this.bounds.view;
    let group = 0;
    const pack = (order: Int32Array) => {
      const from = (group * TET_GROUP_BYTES) / 4;
      packTetGroups(tets, order, { i32: words.subarray(from), f32: floats.subarray(from) });
      for (let n = 0; n < order.length; n++) this.#slotOfTet[order[n]] = group * 4 + n;
      group += tetGroupCount(order.length);
      return group;
    };
    this.#order.forEach((order, part) => {
      bounds[part * 3] = group;
      bounds[part * 3 + 1] = pack(order.corotated);
      bounds[part * 3 + 2] = pack(order.neoHookean);
    });
  }

  /** Takes tets out of the local step as good as wholly, or puts them back. */
  setSlack(tets: Int32Array, isSlack: boolean): void {
    const floats = this.#floats;
    const share = isSlack ? SLACK : 1;
    for (let n = 0; n < tets.length; n++) {
      const [shear, bulk] = stiffnessWords(this.#slotOfTet[tets[n]]);
      floats[shear] = share * this.#shearStiffness(tets[n]);
      floats[bulk] = share * this.#bulkStiffness(tets[n]);
    }
  }

  /** Lets all tets be corotated ones that are as stiff at rest and share nothing, or what they are. */
  setCorotated(isCorotated: boolean): void {
    const { mu, lambda, volumes } = this.#model;
    const floats = this.#floats;
    const bounds = this.bounds.view;
    this.#order.forEach(({ corotated, neoHookean }, part) => {
      bounds[part * 3 + 1] = isCorotated ? bounds[part * 3 + 2] : bounds[part * 3] + tetGroupCount(corotated.length);
      const others = this.#isSmoothed ? corotated.length : 0;
      for (let n = -others; n < neoHookean.length; n++) {
        const tet = n < 0 ? corotated[n + others] : neoHookean[n];
        const [shear, bulk] = stiffnessWords(this.#slotOfTet[tet]);
        floats[shear] = isCorotated ? 2 * mu[tet] * volumes[tet] : this.#shearStiffness(tet);
        floats[bulk] = isCorotated ? lambda[tet] * volumes[tet] : this.#bulkStiffness(tet);
      }
    });
  }

  get #floats(): Float32Array {
    const words = this.groups.view;
    return new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** Share of the energy of shape that tets have for themselves. */
  get #ownShape(): number {
    return this.#isSmoothed ? 1 - NODAL_SHAPE : 1;
  }

  /** 2 mu V, or mu V for neo-Hookean tets [J]; what the vertices have, the tets have not. */
  #shearStiffness(tet: number): number {
    const { volumes, mu, neoHookean } = this.#model;
    const shape = this.#ownShape;
    return (neoHookean[tet] ? shape : 2 * shape) * mu[tet] * volumes[tet];
  }

  /** lambda V, or (lambda + mu) V for neo-Hookean tets, whose own lambda counts from there [Smith2018] [J]. */
  #bulkStiffness(tet: number): number {
    const { volumes, mu, lambda, neoHookean } = this.#model;
    const bulk = this.#isSmoothed ? 0 : lambda[tet];
    return (neoHookean[tet] ? bulk + this.#ownShape * mu[tet] : bulk) * volumes[tet];
  }
}

/** Tets of each part, near ones together: sorted by the first of their rows to be eliminated. */
function orderTets(model: Model, { tets }: Layout, rowOfVertex: Int32Array, parts: number): PartTets[] {
  const key = Array.from(tets, (tet) => {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 4; k++) least = Math.min(least, rowOfVertex[model.tets[tet * 4 + k]]);
    return least;
  });
  const sorted = Array.from(tets.keys()).sort((a, b) => key[a] - key[b] || a - b);
  const groups = tetGroupCount(tets.length);
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((groups * part) / parts) * 4;
    const to = Math.floor((groups * (part + 1)) / parts) * 4;
    const all = sorted.slice(from, to).map((i) => tets[i]);
    return {
      corotated: Int32Array.from(all.filter((tet) => !model.neoHookean[tet])),
      neoHookean: Int32Array.from(all.filter((tet) => model.neoHookean[tet])),
    };
  });
}
