/**
 * Morph targets on a skin that a body carries. A vertex follows four corners by weights that are linear in its place at rest, so a
 * target that moves it there is a change of its weights: blended once, it rides on whatever the body does.
 */
import type { Embedding } from '../mesh/embedding.js';
import type { SkinMorph } from './character.js';

/** Corners that span less than this share of the cube of their size carry no shape. */
const FLAT = 1e-12;

/** An embedding whose weights follow morph targets. */
export class MorphedEmbedding {
  /** What to carry the skin with. */
  readonly embedding: Embedding;
  /** How far each target is on. */
  readonly values: Float64Array;
  readonly #base: Float64Array;
  readonly #morphs: readonly SkinMorph[];
  /** Four changes of weights per vertex of each target. */
  readonly #changes: readonly Float64Array[];

  /** `rest`: positions of the corners at rest [m]. */
  constructor({ corners, weights }: Embedding, rest: ArrayLike<number>, morphs: readonly SkinMorph[]) {
    this.#base = weights;
    this.#morphs = morphs;
    this.embedding = { corners, weights: weights.slice() };
    this.#changes = morphs.map(({ vertices, offsets }) => {
      const changes = new Float64Array(4 * vertices.length);
      vertices.forEach((v, i) => {
        weightChange(rest, corners, 4 * v, offsets, 3 * i, changes, 4 * i);
      });
      return changes;
    });
    this.values = Float64Array.from(morphs, ({ weight }) => weight);
    this.#blend();
  }

  /** Sets how far targets are on, those beyond the end of `values` as they are. No allocation. */
  set(values: ArrayLike<number>): void {
    let changed = false;
    for (let i = 0; i < Math.min(values.length, this.values.length); i++) {
      changed ||= values[i] !== this.values[i];
      this.values[i] = values[i];
    }
    if (changed) this.#blend();
  }

  #blend(): void {
    const { weights } = this.embedding;
    weights.set(this.#base);
    for (let m = 0; m < this.#morphs.length; m++) {
      const value = this.values[m];
      if (value === 0) continue;
      const { vertices } = this.#morphs[m];
      const changes = this.#changes[m];
      for (let i = 0; i < vertices.length; i++) {
        for (let k = 0; k < 4; k++) weights[4 * vertices[i] + k] += value * changes[4 * i + k];
      }
    }
  }
}

/** How the weights of the four corners at `c` change when what they carry moves by d[o..o + 3) at rest. */
function weightChange(
  p: ArrayLike<number>,
  corners: Int32Array,
  c: number,
  d: ArrayLike<number>,
  o: number,
  out: Float64Array,
  at: number,
): void {
  const [a, b, e, f] = [0, 1, 2, 3].map((k) => 3 * corners[c + k]);
  const edge = (to: number) => [p[to] - p[a], p[to + 1] - p[a + 1], p[to + 2] - p[a + 2]];
  const [u, v, w] = [edge(b), edge(e), edge(f)];
  const volume = triple(u, v, w);
  const size = Math.max(...[...u, ...v, ...w].map(Math.abs));
  if (!(Math.abs(volume) > FLAT * size * size * size)) return;
  const r = [d[o], d[o + 1], d[o + 2]];
  out[at + 1] = triple(r, v, w) / volume;
  out[at + 2] = triple(u, r, w) / volume;
  out[at + 3] = triple(u, v, r) / volume;
  out[at] = -out[at + 1] - out[at + 2] - out[at + 3];
}

function triple(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}
