/** How much the sides of contacts on one skin move each other: entries of its compliance among them. Built once per step, before the contact solve. */
import type { LayerBody } from '../layer-body.js';
import { SIDE, type TouchList, WAY } from '../touch/touch-list.js';

/** For every side the sides its push moves, itself first, as places of their ways in the list, and how far [m/N]. */
export class SkinLinks {
  start = new Int32Array(1);
  ways = new Int32Array(0);
  values = new Float64Array(0);
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
    const { touching: nodes, touchingValues: values } = column;
    const { sideOfNode } = body;
    const next = this.#next;
    for (let i = 0; i < nodes.length; i++) {
      for (let other = sideOfNode[nodes[i]]; other >= 0; other = next[other]) {
        if (this.#count === this.ways.length) this.#grow();
        this.ways[this.#count] = SIDE * other + WAY;
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
  }
}
