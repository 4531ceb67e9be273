/**
 * The contacts of a step within its linearised system. The slopes μ of a step that is held by contacts, and the slopes ν of what they keep, obey
 *
 *     Hᵀ μ + Cᵀ ν = λ,     Fᵀ μ = 0
 *
 * with the rows C and F of contact-rows.ts. Iterations run over w with C w = 0, where the metric P of the preconditioner is as good as without contacts;
 * μ = T w = w − X (Fᵀ X)⁻¹ Fᵀ w with X = P⁻¹ Cᵀ. Springs across slides are part of both H and P. Rows that say what others say have no force of their own.
 */

import type { ContactRow } from './contact-rows.js';
import { DenseLu } from './dense-lu.js';

/** A row whose length across the others is this share of its own says nothing new: what rounding leaves of it, in f64 and where flesh is solved in f32. */
const REPEATED = 1e-9;
const REPEATED_FLESH = 1e-5;

/** out = P⁻¹ z without contacts; takes out of z what that does not see. */
type Precondition = (z: Float64Array, out: Float64Array) => void;

/** Contacts of one step. */
export class ContactSubspace {
  /** Rows that count: hard ones first. */
  readonly rows: readonly ContactRow[];
  /** Slopes by what the hard rows keep, once `finish` has been called. */
  readonly kept: Float64Array;
  readonly #hard: number;
  /** X, and P X, one array per row. */
  readonly #columns: Float64Array[] = [];
  readonly #duals: Float64Array[] = [];
  readonly #all: DenseLu;
  readonly #hardOnly: DenseLu;
  readonly #oblique: DenseLu | undefined;
  readonly #small: Float64Array;

  constructor(rows: readonly ContactRow[], size: number, isRigid: boolean, precondition: Precondition) {
    const hard = rows.filter(({ give }) => give === 0);
    const kept = this.#select(hard, size, isRigid ? REPEATED : REPEATED_FLESH, precondition);
    const soft = rows.filter(({ give }) => give > 0);
    for (const row of soft) this.#addColumn(row, size, precondition);
    this.rows = [...kept, ...soft];
    this.#hard = kept.length;
    this.kept = new Float64Array(this.#hard);
    this.#small = new Float64Array(this.rows.length);
    this.#all = this.#across(this.rows.length, (row, column) => row.measure(column), true);
    this.#hardOnly = this.#across(this.#hard, (row, column) => row.measure(column), false);
    const isSkew = kept.some(({ kept: c, pushed }) => c.some((x, i) => x !== pushed[i]));
    this.#oblique = isSkew ? this.#across(this.#hard, (row, column) => row.work(column), false) : undefined;
  }

  #addColumn(row: ContactRow, size: number, precondition: Precondition): void {
    const [column, dual] = [new Float64Array(size), new Float64Array(size)];
    row.addKept(dual, 1);
    precondition(dual, column);
    this.#columns.push(column);
    this.#duals.push(dual);
  }

  /** Rows that none before them make up, with their columns [Gram-Schmidt in the metric of P⁻¹]. */
  #select(rows: readonly ContactRow[], size: number, least: number, precondition: Precondition): ContactRow[] {
    const kept: ContactRow[] = [];
    const factor: Float64Array[] = [];
    for (const row of rows) {
      this.#addColumn(row, size, precondition);
      const column = this.#columns[kept.length];
      const shares = new Float64Array(kept.length + 1);
      const own = row.measure(column);
      let left = own;
      for (let i = 0; i < kept.length; i++) {
        let share = kept[i].measure(column);
        for (let k = 0; k < i; k++) share -= factor[i][k] * shares[k];
        shares[i] = share / factor[i][i];
        left -= shares[i] * shares[i];
      }
      if (left > least * own) {
        shares[kept.length] = Math.sqrt(left);
        factor.push(shares);
        kept.push(row);
      } else {
        this.#columns.pop();
        this.#duals.pop();
      }
    }
    return kept;
  }

  #across(count: number, product: (row: ContactRow, column: Float64Array) => number, gives: boolean): DenseLu {
    const values = new Float64Array(count * count);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) values[i * count + j] = product(this.rows[i], this.#columns[j]);
      if (gives) values[i * count + i] += this.rows[i].give;
    }
    return new DenseLu(values, count);
  }

  /** Takes a solution without contacts, and what it solves, to one that keeps them. */
  project(z: Float64Array, out: Float64Array): void {
    const { rows } = this;
    const small = this.#small;
    for (let i = 0; i < rows.length; i++) small[i] = rows[i].measure(out);
    this.#all.solve(small);
    for (let i = 0; i < rows.length; i++) {
      addScaled(out, this.#columns[i], -small[i]);
      if (i < this.#hard) addScaled(z, this.#duals[i], -small[i]);
    }
  }

  /** Changes a vector as little as it takes to keep the contacts. */
  close(v: Float64Array): void {
    const small = this.#small;
    for (let i = 0; i < this.#hard; i++) small[i] = this.rows[i].measure(v);
    this.#hardOnly.solve(small.subarray(0, this.#hard));
    for (let i = 0; i < this.#hard; i++) addScaled(v, this.#columns[i], -small[i]);
  }

  /** out = T w. */
  lean(w: Float64Array, out: Float64Array): void {
    out.set(w);
    if (!this.#oblique) return;
    const small = this.#small.subarray(0, this.#hard);
    for (let i = 0; i < this.#hard; i++) small[i] = this.rows[i].work(w);
    this.#oblique.solve(small);
    for (let i = 0; i < this.#hard; i++) addScaled(out, this.#columns[i], -small[i]);
  }

  /** out += what the springs make of μ: Cᵀ κ Fᵀ μ. */
  addSprings(mu: Float64Array, out: Float64Array): void {
    for (let i = this.#hard; i < this.rows.length; i++) {
      const row = this.rows[i];
      row.addKept(out, row.work(mu) / row.give);
    }
  }

  /** Fills `kept` from what μ leaves of the right-hand side, λ − Hᵀ μ = Cᵀ ν. */
  finish(left: Float64Array): void {
    for (let i = 0; i < this.#hard; i++) {
      let sum = 0;
      const column = this.#columns[i];
      for (let k = 0; k < column.length; k++) sum += column[k] * left[k];
      this.kept[i] = sum;
    }
    this.#hardOnly.solve(this.kept);
  }
}

function addScaled(out: Float64Array, v: Float64Array, factor: number): void {
  if (factor === 0) return;
  for (let i = 0; i < out.length; i++) out[i] += factor * v[i];
}
