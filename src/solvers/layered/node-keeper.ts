/**
 * What a step that fails goes back to, of the arrays with numbers for every node: dents, pulls, forces of contacts and of the user. Most nodes
 * have none, and the body lists those that do; copies of the whole took as long as the step of a crowd that walks.
 */
import type { StateKeeper } from '../../body/state-backup.js';
import type { LayerBody } from './layer-body.js';

/** Remembers the numbers of the nodes that have any. */
export class NodeKeeper implements StateKeeper {
  readonly arrays: readonly Float64Array[];
  readonly #body: LayerBody;
  readonly #isListed: () => boolean;
  readonly #dents: SparseCopy;
  readonly #pulls: SparseCopy;
  readonly #touch: SparseCopy;
  readonly #forces: SparseCopy;

  /** `isListed`: whether the state is as the last step left it, so that the body's lists are right. */
  constructor(body: LayerBody, forces: Float64Array, isListed: () => boolean) {
    const { dents, pulls, touch } = body.state;
    this.arrays = [dents, pulls, touch, forces];
    this.#body = body;
    this.#isListed = isListed;
    this.#dents = new SparseCopy(dents, 3);
    this.#pulls = new SparseCopy(pulls, 3);
    this.#touch = new SparseCopy(touch, 4);
    this.#forces = new SparseCopy(forces, 3);
  }

  save(): void {
    const body = this.#body;
    if (this.#isListed()) {
      this.#dents.saveListed(body.dented, body.dentedCount);
      this.#pulls.saveListed(body.pulled, body.pulledCount);
      this.#touch.saveListed(body.touched, body.touchedCount);
    } else {
      this.#dents.saveFrom(0);
      this.#pulls.saveFrom(0);
      this.#touch.saveFrom(0);
    }
    this.#forces.saveFrom(body.firstForce());
  }

  restore(): void {
    this.#dents.restore();
    this.#pulls.restore();
    this.#touch.restore();
    this.#forces.restore();
  }
}

/** A copy of those rows of an array that are not zero. */
class SparseCopy {
  readonly #array: Float64Array;
  readonly #stride: number;
  readonly #rows: Int32Array;
  readonly #values: Float64Array;
  #count = 0;

  constructor(array: Float64Array, stride: number) {
    this.#array = array;
    this.#stride = stride;
    this.#rows = new Int32Array(array.length / stride);
    this.#values = new Float64Array(array.length);
  }

  saveListed(rows: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#copy(rows[i], i);
    this.#count = count;
  }

  /** Looks for them, from row `first` on. */
  saveFrom(first: number): void {
    this.#count = 0;
    for (let row = first; row < this.#rows.length; row++) if (this.#hasAny(row)) this.#copy(row, this.#count++);
  }

  restore(): void {
    const stride = this.#stride;
    this.#array.fill(0);
    for (let i = 0; i < this.#count; i++) {
      for (let k = 0; k < stride; k++) this.#array[stride * this.#rows[i] + k] = this.#values[stride * i + k];
    }
  }

  #copy(row: number, to: number): void {
    const values = this.#values;
    const array = this.#array;
    const o = this.#stride * to;
    const i = this.#stride * row;
    this.#rows[to] = row;
    // one by one: three or four numbers are too few for a loop
    values[o] = array[i];
    values[o + 1] = array[i + 1];
    values[o + 2] = array[i + 2];
    if (this.#stride === 4) values[o + 3] = array[i + 3];
  }

  #hasAny(row: number): boolean {
    const stride = this.#stride;
    for (let k = stride * row; k < stride * (row + 1); k++) if (this.#array[k] !== 0) return true;
    return false;
  }
}
