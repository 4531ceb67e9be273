/** How much the sides of contacts on one skin move each other: entries of its compliance among them. Built once per step, before the contact solve. */
import type { LayerBody } from '../layer-body.js';
import { SIDE, type TouchList, WAY } from '../touch/touch-list.js';

/** For every side the sides its push moves, itself first, as places of their ways in the list, and how far [m/N]. */
export class SkinLinks {
  start = new Int32Array(1);
  ways = new Int32Array(0);
  values = new Float64Array(0);
  /** Nine numbers instead of one for each, where skins bulge; empty where none does. */
  blocks = new Float64Array(0);
  isFull = false;
  /** Next side at the same node, -1 for none. */
  #next = new Int32Array(0);
  #count = 0;

  build(list: TouchList, bodies: readonly LayerBody[]): void {
    const sideCount = 2 * list.count;
    if (this.start.length < sideCount + 1) {
      this.start = new Int32Array(2 * sideCount + 1);
      this.#next = new Int32Array(2 * sideCount);
    }
    for (let s = sideCount - 1; s >= 0; s--) {
      if (list.bodies[s] < 0) continue;
      const { sideOfNode } = bodies[list.bodies[s]];
      this.#next[s] = sideOfNode[list.nodes[s]];
      sideOfNode[list.nodes[s]] = s;
    }
    this.#count = 0;
    this.isFull = bodies.some(({ model }) => model.bulges);
    if (this.isFull && this.blocks.length !== 9 * this.ways.length)
      this.blocks = new Float64Array(9 * this.ways.length);
    for (let s = 0; s < sideCount; s++) {
      this.start[s] = this.#count;
      if (list.bodies[s] >= 0) this.#addColumn(bodies[list.bodies[s]], list.nodes[s], list.obstacles[s >> 1] < 0);
    }
    this.start[sideCount] = this.#count;
    for (let s = 0; s < sideCount; s++) {
      if (list.bodies[s] >= 0) bodies[list.bodies[s]].sideOfNode[list.nodes[s]] = -1;
    }
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

  #grow(): void {
    const capacity = Math.max(1024, 2 * this.ways.length);
    const { ways, values } = this;
    this.ways = new Int32Array(capacity);
    this.values = new Float64Array(capacity);
    this.ways.set(ways);
    this.values.set(values);
    if (!this.isFull) return;
    const { blocks } = this;
    this.blocks = new Float64Array(9 * capacity);
    this.blocks.set(blocks);
  }
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
