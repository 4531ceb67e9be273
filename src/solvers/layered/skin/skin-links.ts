/** How much the sides of contacts on one skin move each other: entries of its compliance among them. Built once per step, before the contact solve. */
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';
import { SIDE, type TouchList, WAY } from '../touch/touch-list.js';

/** Arrays of links. */
export interface LinkArrays {
  readonly start: Int32Array;
  readonly ways: Int32Array;
  readonly values: Float64Array;
  readonly blocks: Float64Array;
}

/** For every side the sides its push moves, itself first, as places of their ways in the list, and how far [m/N]. At home where there is room for all. */
export class SkinLinks {
  start: Int32Array;
  ways: Int32Array;
  values: Float64Array;
  /** Nine numbers instead of one for each, where skins bulge; empty where none does. */
  blocks: Float64Array;
  isFull = false;
  readonly #home: LinkArrays | undefined;
  #outside: LinkArrays = { start: new Int32Array(1), ...makeLinks(0, false) };
  /** Next side at the same node, -1 for none. */
  #next = new Int32Array(0);
  #count = 0;
  /** Body and node of each side the links are for, and how many sides. */
  #known = new Int32Array(0);
  #knownCount = -1;

  constructor(home?: LinkArrays) {
    this.#home = home;
    const { start, ways, values, blocks } = home ?? this.#outside;
    this.start = start;
    this.ways = ways;
    this.values = values;
    this.blocks = blocks;
  }

  /** Whether kernels find the links of the last step. */
  get isHome(): boolean {
    return this.start === this.#home?.start && this.ways === this.#home.ways;
  }

  build(list: TouchList, bodies: readonly LayerBody[]): void {
    const sideCount = 2 * list.count;
    if (this.#areKnown(list)) return;
    this.isFull = hasBulges(bodies);
    this.#begin(sideCount);
    for (let s = sideCount - 1; s >= 0; s--) {
      if (list.bodies[s] < 0) continue;
      const { sideOfNode } = bodies[list.bodies[s]];
      this.#next[s] = sideOfNode[list.nodes[s]];
      sideOfNode[list.nodes[s]] = s;
    }
    this.#count = 0;
    for (let s = 0; s < sideCount; s++) {
      this.start[s] = this.#count;
      if (list.bodies[s] >= 0) this.#addColumn(bodies[list.bodies[s]], list.nodes[s], list.obstacles[s >> 1] < 0);
    }
    this.start[sideCount] = this.#count;
    for (let s = 0; s < sideCount; s++) {
      if (list.bodies[s] >= 0) bodies[list.bodies[s]].sideOfNode[list.nodes[s]] = -1;
    }
  }

  /** Whether the same nodes touch, in the same order, as when links were last built: then they are still right. Remembers those that do. */
  #areKnown(list: TouchList): boolean {
    const sideCount = 2 * list.count;
    let same = this.#knownCount === sideCount;
    if (this.#known.length < 2 * sideCount) {
      this.#known = new Int32Array(4 * sideCount);
      same = false;
    }
    const known = this.#known;
    for (let s = 0; s < sideCount; s++) {
      const body = list.bodies[s];
      // columns are wider where characters meet
      const node = body < 0 ? -1 : list.obstacles[s >> 1] < 0 ? ~list.nodes[s] - 1 : list.nodes[s];
      if (same && known[2 * s] === body && known[2 * s + 1] === node) continue;
      same = false;
      known[2 * s] = body;
      known[2 * s + 1] = node;
    }
    this.#knownCount = sideCount;
    return same;
  }

  /** At home where its room for sides is large enough; else, or where that has been grown out of, outside. */
  #begin(sideCount: number): void {
    if (this.#next.length < sideCount) this.#next = new Int32Array(2 * sideCount);
    const atHome = this.#home !== undefined && this.#home.start.length > sideCount;
    if (!atHome && this.#outside.start.length <= sideCount) {
      this.#outside = { ...this.#outside, start: new Int32Array(2 * sideCount + 1) };
    }
    const { start, ways, values, blocks } = atHome && this.#home ? this.#home : this.#outside;
    this.start = start;
    this.ways = ways;
    this.values = values;
    this.blocks = blocks;
  }

  #addColumn(body: LayerBody, node: number, isMeeting: boolean): void {
    const { compliance } = body;
    const column = isMeeting ? compliance.meetingColumn(node) : compliance.column(node);
    const { touching: nodes, touchingValues: values, touchingBlocks: blocks } = column;
    const { sideOfNode } = body;
    const next = this.#next;
    for (let i = 0; i < nodes.length; i++) {
      for (let other = sideOfNode[nodes[i]]; other >= 0; other = next[other]) {
        if (this.#count === this.ways.length) this.#grow();
        this.ways[this.#count] = SIDE * other + WAY;
        if (this.isFull) writeBlock(this.blocks, 9 * this.#count, values, blocks, i);
        this.values[this.#count++] = values[i];
      }
    }
  }

  /** Moves outside, where there is more room. */
  #grow(): void {
    const { ways, values, blocks, isFull } = this;
    if (this.#outside.ways.length <= ways.length) {
      const larger = makeLinks(Math.max(1024, 2 * ways.length), isFull);
      this.#outside = { start: this.#outside.start, ...larger };
    }
    this.ways = this.#outside.ways;
    this.values = this.#outside.values;
    this.blocks = this.#outside.blocks;
    this.ways.set(ways);
    this.values.set(values);
    if (isFull) this.blocks.set(blocks);
  }
}

function makeLinks(count: number, isFull: boolean): Pick<LinkArrays, 'ways' | 'values' | 'blocks'> {
  return {
    ways: new Int32Array(count),
    values: new Float64Array(count),
    blocks: new Float64Array(isFull ? 9 * count : 0),
  };
}

/** Whether the skin of any body does. */
export function hasBulges(bodies: readonly { readonly model: LayerModel }[]): boolean {
  for (const { model } of bodies) if (model.bulges) return true;
  return false;
}

/** A block, or what a number for all directions is as one. */
function writeBlock(
  out: Float64Array,
  o: number,
  values: Float64Array,
  blocks: Float64Array | undefined,
  i: number,
): void {
  for (let k = 0; k < 9; k++) out[o + k] = blocks ? blocks[9 * i + k] : k % 4 === 0 ? values[i] : 0;
}
