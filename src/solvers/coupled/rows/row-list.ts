/** Rows of an island that are solved one by one: all of them, or those that creatures leave. */
import type { Creatures } from '../creatures/creatures.js';
import type { Islands } from './islands.js';

const NONE: Int32Array = new Int32Array(0);

/** Joint blocks block[b0..b1) and contacts contact[c0..c1). */
export interface Rows {
  readonly block: Int32Array;
  readonly b0: number;
  readonly b1: number;
  readonly contact: Int32Array;
  readonly c0: number;
  readonly c1: number;
}

/** Rows of one island after the other. */
export class RowList implements Rows {
  block: Int32Array = NONE;
  b0 = 0;
  b1 = 0;
  contact: Int32Array = NONE;
  c0 = 0;
  c1 = 0;

  /** Lists those of an island, or those that its creatures leave. */
  take(islands: Islands, i: number, left?: Creatures): void {
    this.block = left ? left.block : islands.block;
    this.b0 = left ? 0 : islands.blockStart[i];
    this.b1 = left ? left.blockCount : islands.blockStart[i + 1];
    this.contact = left ? left.contact : islands.contact;
    this.c0 = left ? 0 : islands.contactStart[i];
    this.c1 = left ? left.contactCount : islands.contactStart[i + 1];
  }
}
