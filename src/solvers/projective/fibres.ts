/**
 * Muscle fibres in flesh: tets that contract along a direction f of their rest shape. With the stretch s = |F f| = |Σ c_a x_a|, c_a = g_a·f,
 *
 *     energy  V w (a (s − s₀)₊² + p (s − 1)₊²)/2          force on corner a  −c_a V w (a (s − s₀)₊ + p (s − 1)₊) F f/s
 *
 * and the constant matrix has w V c cᵀ more, whatever the activation a: only the forces know it. Called wherever elastic forces are collected.
 */
import type { Model } from '../../body/model.js';
import type { Muscles } from '../../body/muscles.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';

const NO_FIBRES = new Float64Array(0);

/** Fibres of one model. */
export class Fibres {
  /** Activation of each muscle in the step in progress. */
  activations: Float64Array = NO_FIBRES;
  readonly #muscles: Muscles;
  readonly #list: Int32Array;
  readonly #slopes: Float64Array;
  readonly #vertices: Int32Array;
  readonly #volumes: Float64Array;
  readonly #pull = new Float64Array(3);

  constructor(model: Model, layout: Layout, muscles: Muscles) {
    this.#muscles = muscles;
    const { list, slopes, vertices, volumes } = listFibres(model, layout, muscles);
    this.#list = list;
    this.#slopes = slopes;
    this.#vertices = vertices;
    this.#volumes = volumes;
  }

  /** Adds the forces to the right-hand side `y` (rows of 4) and to those on carried vertices. */
  addForces(rows: FleshRows, y: Float32Array): void {
    const carried = rows.carriedForce.view;
    for (let n = 0; n < this.#list.length; n++) {
      const tension = this.#volumes[n] * this.#stress(n, this.#stretch(rows, n));
      if (tension === 0) continue;
      for (let a = n * 4; a < n * 4 + 4; a++) {
        const row = rows.rowOfVertex[this.#vertices[a]];
        const out = row < rows.fleshCount ? y : carried;
        const at = (row < rows.fleshCount ? row : row - rows.carriedRow) * 4;
        for (let k = 0; k < 3; k++) out[at + k] -= this.#slopes[a] * tension * this.#pull[k];
      }
    }
  }

  /** Energy at the current positions [J]. */
  energy(rows: FleshRows): number {
    let sum = 0;
    for (let n = 0; n < this.#list.length; n++) {
      const muscle = this.#muscles.fibreMuscle[this.#list[n]];
      const s = this.#stretch(rows, n);
      const short = Math.max(0, s - this.#muscles.shortest[muscle]);
      const long = Math.max(0, s - 1);
      const density = this.activations[muscle] * short * short + this.#muscles.passive[muscle] * long * long;
      sum += 0.5 * this.#volumes[n] * this.#muscles.strength[muscle] * density;
    }
    return sum;
  }

  /** Stretch of a fibre; `#pull` becomes its direction. */
  #stretch(rows: FleshRows, n: number): number {
    const { fleshCount } = rows;
    const x = rows.x.view;
    const x32 = rows.x32.view;
    const origin = rows.origin.view;
    const pull = this.#pull.fill(0);
    for (let a = n * 4; a < n * 4 + 4; a++) {
      const row = rows.rowOfVertex[this.#vertices[a]] * 4;
      const isFlesh = row < fleshCount * 4;
      for (let k = 0; k < 3; k++) pull[k] += this.#slopes[a] * (isFlesh ? x[row + k] - origin[k] : x32[row + k]);
    }
    const s = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    for (let k = 0; k < 3 && s > 0; k++) pull[k] /= s;
    return s;
  }

  #stress(n: number, s: number): number {
    const muscle = this.#muscles.fibreMuscle[this.#list[n]];
    const { strength, shortest, passive } = this.#muscles;
    const active = this.activations[muscle] * Math.max(0, s - shortest[muscle]);
    return strength[muscle] * (active + passive[muscle] * Math.max(0, s - 1));
  }
}

/** Fibres in tets that can deform: which of all they are, and what does not change of each. */
export interface FibreList {
  readonly list: Int32Array;
  /** Slopes c of each one's corners [1/m], and these corners, 4 each. */
  readonly slopes: Float64Array;
  readonly vertices: Int32Array;
  /** Volume of its tet times its share of the strength [m³]. */
  readonly volumes: Float64Array;
}

/** Lists them. */
export function listFibres(model: Model, layout: Layout, muscles: Muscles): FibreList {
  const deforms = new Set(layout.tets);
  const list = Int32Array.from(muscles.fibreTet.keys()).filter((i) => deforms.has(muscles.fibreTet[i]));
  const slopes = new Float64Array(list.length * 4);
  const vertices = new Int32Array(list.length * 4);
  const volumes = Float64Array.from(list, (i) => model.volumes[muscles.fibreTet[i]] * muscles.fibreShare[i]);
  list.forEach((i, n) => {
    const tet = muscles.fibreTet[i];
    fibreSlopes(model, tet, muscles.fibreDirection, i * 3, slopes, n * 4);
    for (let k = 0; k < 4; k++) vertices[n * 4 + k] = model.tets[tet * 4 + k];
  });
  return { list, slopes, vertices, volumes };
}

/** c_a = g_a·f of the four corners of a tet. */
function fibreSlopes(
  { inverseRest }: Model,
  tet: number,
  direction: Float64Array,
  d: number,
  out: Float64Array,
  o: number,
): void {
  out[o] = 0;
  for (let a = 0; a < 3; a++) {
    const g = tet * 9 + a * 3;
    const slope =
      inverseRest[g] * direction[d] + inverseRest[g + 1] * direction[d + 1] + inverseRest[g + 2] * direction[d + 2];
    out[o + a + 1] = slope;
    out[o] -= slope;
  }
}

/** w V c cᵀ of every tet with fibres, 16 numbers each: what they add to the constant matrix. */
export function fibreStiffness(model: Model): ReadonlyMap<number, Float64Array> {
  const all = new Map<number, Float64Array>();
  const { muscles } = model;
  const c = new Float64Array(4);
  for (let i = 0; muscles && i < muscles.fibreTet.length; i++) {
    const tet = muscles.fibreTet[i];
    const muscle = muscles.fibreMuscle[i];
    const volume = model.volumes[tet] * muscles.fibreShare[i];
    const scale = volume * muscles.strength[muscle] * (1 + muscles.passive[muscle]);
    const block = all.get(tet) ?? new Float64Array(16);
    fibreSlopes(model, tet, muscles.fibreDirection, i * 3, c, 0);
    for (let k = 0; k < 16; k++) block[k] += scale * c[k >> 2] * c[k & 3];
    all.set(tet, block);
  }
  return all;
}
