/**
 * A body that touches itself, as part of its energy: a point of the skin that comes to lie inside cells far from its own is pushed
 * out along the normal of the skin nearest to it, by a one-sided spring between the two [McAdams2011 §6]. The normal is that of the
 * deformed skin, cof(F) N, not the direction of the spring; a pair is kept until it is well apart, so that it does not come and go.
 * Looked for before every third iteration.
 */

import type { EnergyTerm } from '../descent-terms.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Reals, Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { CellFrame } from './cell-frame.js';
import type { SkinProxies } from './skin-proxies.js';
import { SkinSearch } from './skin-search.js';

/** Stiffness of a point that stands for the face of a cell, in shear modulus times cell side. */
const STIFFNESS = 32;
/** A pair farther apart than this is given up, in cells. */
const APART = 0.7;
/** So is one whose point is farther than this from the skin it came in by, in cells: it slid off it, or bones drove it through. */
const LOST = 2.5;
/** What lies deeper at the start of a step with inertia is led out by this much in it, in cells, instead of being shot out. */
const EASE = 0.02;
/** Contacts of one body with itself. */
export class SkinContacts implements EnergyTerm {
  /** Partner that each point has, -1 for none: part of the state, because pairs are kept. */
  readonly partners: Int32Array;
  /** How deep each point may stay in this step [m], -1 where it was inside nothing before; with inertia alone, and part of the state. */
  readonly allowed: Float64Array;
  /** Pairs at hand. */
  count = 0;
  /** Deepest overlap when the energy was last asked for [m]. */
  depth = 0;
  readonly #body: LatticeBody;
  readonly #proxies: SkinProxies;
  readonly #search: SkinSearch;
  readonly #frame: CellFrame;
  readonly #sources: Int32Array;
  /** 1 for nodes that feel nothing: those of bones that are given. */
  readonly #deaf: Uint8Array;
  readonly #stiffness: Float64Array;
  /** Pairs: the point that is inside, the one whose skin it is behind, and the normal there. */
  readonly #inside: Int32Array;
  readonly #skin: Int32Array;
  readonly #normals: Float64Array;
  /** Where points are. */
  readonly #x: Float64Array;

  constructor(body: LatticeBody, proxies: SkinProxies, deaf: Uint8Array = body.filling.held) {
    const { lattice, layout, filling } = body;
    const points = proxies.places.length / 3;
    this.#body = body;
    this.#proxies = proxies;
    this.#sources = proxies.embedding.nodes.map((node) => floatOfPlace(layout.placeOfNode[node], 0));
    this.#deaf = deaf;
    this.#stiffness = Float64Array.from(
      proxies.embedding.cells,
      (cell) => STIFFNESS * filling.mu[cell] * lattice.cellSize,
    );
    this.#inside = new Int32Array(points);
    this.#skin = new Int32Array(points);
    // one more for a normal that is not kept
    this.#normals = new Float64Array(3 * points + 3);
    this.#x = new Float64Array(3 * points);
    this.#search = new SkinSearch(body, proxies, this.#x, drivenPoints(proxies, deaf));
    this.#frame = new CellFrame(lattice.cellSize);
    this.partners = new Int32Array(points).fill(-1);
    this.allowed = new Float64Array(points).fill(-1);
  }

  /** Forgets all pairs: the body was put somewhere else. */
  clear(): void {
    this.count = 0;
    this.partners.fill(-1);
    this.allowed.fill(-1);
  }

  /**
   * Before a step with inertia: pairs that were found deep may stay nearly as deep, a little less from step to step. What goes deeper than that is pushed
   * back in full: a pair that were allowed whatever it had come to would sink under any load that lasts.
   */
  begin(before: Vector): void {
    const ease = EASE * this.#body.lattice.cellSize;
    const normal = 3 * this.partners.length;
    for (let point = 0; point < this.partners.length; point++) {
      const partner = this.partners[point];
      const known = this.allowed[point];
      this.allowed[point] = -1;
      if (partner < 0) continue;
      this.#placeOf(point, before.view);
      this.#placeOf(partner, before.view);
      const gap = this.#measure(point, partner, before.view, normal);
      this.allowed[point] = Math.max(0, (known < 0 ? -gap : Math.min(known, -gap)) - ease);
    }
  }

  /** Looks for pairs at x; true where there are any, or were. */
  refresh(x: Vector): boolean {
    const before = this.count;
    const points = this.partners.length;
    for (let point = 0; point < points; point++) this.#placeOf(point, x.view);
    this.#search.fill(x.view);
    this.count = 0;
    for (let point = 0; point < points; point++) {
      const found = this.#search.partnerOf(point, x.view);
      const partner = found >= 0 ? found : this.partners[point];
      this.partners[point] = partner >= 0 && this.#list(point, partner, x.view) ? partner : -1;
    }
    return before > 0 || this.count > 0;
  }

  add(x: Vector, gradient: Vector): number {
    let energy = 0;
    this.depth = 0;
    const p = this.#x;
    for (let pair = 0; pair < this.count; pair++) {
      const a = this.#inside[pair];
      const b = this.#skin[pair];
      this.#placeOf(a, x.view);
      this.#placeOf(b, x.view);
      const nx = this.#normals[3 * pair];
      const ny = this.#normals[3 * pair + 1];
      const nz = this.#normals[3 * pair + 2];
      const apart =
        nx * (p[3 * a] - p[3 * b]) + ny * (p[3 * a + 1] - p[3 * b + 1]) + nz * (p[3 * a + 2] - p[3 * b + 2]);
      this.depth = Math.max(this.depth, -apart);
      const gap = apart + Math.max(0, this.allowed[a]);
      if (!(gap < 0)) continue;
      const push = this.#stiffness[a] * gap;
      energy += (push * gap) / 2;
      this.#push(a, push * nx, push * ny, push * nz, gradient.view);
      this.#push(b, -push * nx, -push * ny, -push * nz, gradient.view);
    }
    return energy;
  }

  /** Where a point is. */
  #placeOf(point: number, x: Reals): void {
    const { weights } = this.#proxies.embedding;
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let n = 8 * point; n < 8 * point + 8; n++) {
      const weight = weights[n];
      const at = this.#sources[n];
      px += weight * x[at];
      py += weight * x[at + 4];
      pz += weight * x[at + 8];
    }
    this.#x[3 * point] = px;
    this.#x[3 * point + 1] = py;
    this.#x[3 * point + 2] = pz;
  }

  /** Adds a force to the nodes of a point; what bones hold feels nothing. */
  #push(point: number, px: number, py: number, pz: number, gradient: Reals): void {
    const { weights, nodes } = this.#proxies.embedding;
    for (let n = 8 * point; n < 8 * point + 8; n++) {
      if (this.#deaf[nodes[n]]) continue;
      const at = this.#sources[n];
      gradient[at] += weights[n] * px;
      gradient[at + 4] += weights[n] * py;
      gradient[at + 8] += weights[n] * pz;
    }
  }

  /** Lists a pair with the normal of the skin as it is now; false where the two are well apart. */
  #list(point: number, partner: number, x: Reals): boolean {
    const gap = this.#measure(point, partner, x, 3 * this.count);
    const { cellSize } = this.#body.lattice;
    if (!(gap <= APART * cellSize) || this.#isLost(point, partner, LOST * cellSize)) return false;
    this.#inside[this.count] = point;
    this.#skin[this.count++] = partner;
    return true;
  }

  /** Whether a pair is farther apart than `most` [m], along the skin or through it. */
  #isLost(point: number, partner: number, most: number): boolean {
    const p = this.#x;
    const [a, b] = [3 * point, 3 * partner];
    const [x, y, z] = [p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]];
    return x * x + y * y + z * z > most * most;
  }

  /** How far a point is before its partner's skin [m], the normal of which, cof(F) N, goes to `out`; not a number where there is none. */
  #measure(point: number, partner: number, x: Reals, out: number): number {
    const { normals } = this.#proxies;
    const { f } = this.#frame;
    this.#frame.read(this.#sources, 8 * partner, x);
    const p = this.#x;
    let length = 0;
    let gap = 0;
    for (let i = 0; i < 3; i++) {
      const [a, b] = [3 * ((i + 1) % 3), 3 * ((i + 2) % 3)];
      let sum = 0;
      for (let j = 0; j < 3; j++) {
        const [c, d] = [(j + 1) % 3, (j + 2) % 3];
        sum += (f[a + c] * f[b + d] - f[a + d] * f[b + c]) * normals[3 * partner + j];
      }
      this.#normals[out + i] = sum;
      length += sum * sum;
      gap += sum * (p[3 * point + i] - p[3 * partner + i]);
    }
    length = Math.sqrt(length);
    for (let i = 0; i < 3; i++) this.#normals[out + i] /= length;
    return gap / length;
  }
}

/** 1 for points that feel nothing at all: bones hold all that carries them. */
function drivenPoints({ embedding }: SkinProxies, deaf: Uint8Array): Uint8Array {
  return Uint8Array.from(embedding.cells, (_, point) => {
    for (let n = 8 * point; n < 8 * point + 8; n++) if (!deaf[embedding.nodes[n]]) return 0;
    return 1;
  });
}
