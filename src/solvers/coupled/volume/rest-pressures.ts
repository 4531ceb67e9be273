/**
 * B A⁻¹ Bᵀ of a body at rest, factored: what pressures are told by volumes there. Turning a body changes nothing of it and deforming little, so it is what conjugate
 * gradients start from: five to ten steps instead of a hundred. One per model, track and step.
 */
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { sparseFromTriplets } from '../../../linalg/sparse.js';
import type { SoftModel, SoftTable } from '../soft/soft-model.js';
import { RingVolumes } from './ring-volumes.js';

/** Larger bodies do without: filling the matrix takes a product with the table per vertex. */
const MOST_VERTICES = 600;
/** Added to the diagonal, as a share of its largest entry: rings of what is held tell nothing. */
const FLOOR = 1e-9;

/** Solves for pressures as if the body were at rest. */
export class RestPressures {
  readonly #model: SoftModel;
  readonly #factors: ReturnType<typeof factor>[] = [];
  readonly #scratch: Float64Array;
  #h = 0;

  constructor(model: SoftModel) {
    this.#model = model;
    this.#scratch = new Float64Array(model.size);
  }

  /** Makes the factors for steps of h [s], if they are not; the model's tables are. */
  prepare(h: number): void {
    if (h === this.#h || this.#model.size > MOST_VERTICES) return;
    this.#h = h;
    this.#factors[0] = factorAtRest(this.#model, this.#model.first);
    this.#factors[1] = factorAtRest(this.#model, this.#model.second);
  }

  /** out = pressures that would make up for what rings lack, of a track. */
  solve(track: 0 | 1, lack: Float64Array, out: Float64Array): void {
    const { size } = this.#model;
    for (let i = 0; i < size; i++) out[i] = lack[i];
    if (size <= MOST_VERTICES) solveOriginal(this.#factors[track], out, out, this.#scratch);
  }
}

function factorAtRest(model: SoftModel, table: SoftTable): ReturnType<typeof factor> {
  const { size, elements } = model;
  const rings = new RingVolumes(elements);
  const still = new Float64Array(size * 3);
  rings.measure(elements.positions, 0, still, 0);
  const one = new Float64Array(size);
  const force = new Float64Array(size * 3);
  const answer = new Float64Array(size * 3);
  const columns = Array.from({ length: size }, (_, i) => {
    one.fill(0);
    one[i] = 1;
    rings.forces(one, force);
    answerTo(table, force, answer);
    const column = new Float64Array(size);
    rings.rates(answer, 0, column);
    return column;
  });
  const largest = columns.reduce((most, column, i) => Math.max(most, column[i]), 0);
  const at = columns.map((_, i) => i);
  return factorDense(columns, at, FLOOR * largest + Number.MIN_VALUE);
}

function factorDense(
  columns: readonly Float64Array[],
  at: readonly number[],
  floor: number,
): ReturnType<typeof factor> {
  const rows = at.flatMap((i) => at.map(() => i));
  const across = at.flatMap(() => at);
  const values = at.flatMap((i) => at.map((j) => 0.5 * (columns[i][j] + columns[j][i]) + (i === j ? floor : 0)));
  const structure = sparseFromTriplets(at.length, rows, across, values);
  return factor(analyse(structure), structure);
}

/** answer = A⁻¹ force, 3 per vertex. */
export function answerTo({ table, size }: SoftTable, force: Float64Array, answer: Float64Array): void {
  for (let i = 0; i < size; i++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    for (let j = 0, row = i * size; j < size; j++, row++) {
      const c = table[row];
      s0 += c * force[j * 3];
      s1 += c * force[j * 3 + 1];
      s2 += c * force[j * 3 + 2];
    }
    answer[i * 3] = s0;
    answer[i * 3 + 1] = s1;
    answer[i * 3 + 2] = s2;
  }
}
