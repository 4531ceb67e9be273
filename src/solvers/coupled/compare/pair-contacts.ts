/**
 * Contact as published [Shinar2008 §5, after its GBF03]: point by point in the order of the contact graph, round after round, forwards. What would be inside at the end of the step and approaches is stopped along its normal by an impulse
 * that is there for good: none is ever taken back. Friction stops what slides, by at most its share of all that has pushed there. No impulse is carried over to the next step.
 */
import type { CoupledOptions } from '../options.js';
import { leastVelocity } from '../rows/bounds.js';
import type { BareRows, Velocities } from './bare-rows.js';
import type { ContactGraph } from './contact-graph.js';

/** On whom an impulse acts. */
const BOTH = 0;
const ONLY_A = 1;
const ONLY_B = 2;

/** Contacts one by one. */
export class PairContacts {
  /** 1 for contacts that are looked at in the track at hand, and for those that pushed in the position track before it. */
  readonly takes: Uint8Array;
  /** Largest approach that was stopped [m/s], until it is cleared. */
  readonly found = new Float64Array(1);
  readonly #bare: BareRows;
  readonly #graph: ContactGraph;
  readonly #options: CoupledOptions;
  /** Whether impulses may become less again. */
  readonly #shrinks: boolean;
  readonly #u = new Float64Array(3);
  #h = 0;
  #track: 0 | 1 = 0;

  constructor(bare: BareRows, graph: ContactGraph, options: CoupledOptions) {
    this.#bare = bare;
    this.#graph = graph;
    this.#options = options;
    this.#shrinks = options.contactBy === 'rows';
    this.takes = new Uint8Array(bare.system.contacts.capacity);
  }

  /** A track of h [s] begins: which contacts there are, how they give way. Velocities see what touches and what positions have pushed. */
  begin(track: 0 | 1, h: number): void {
    const { contacts, push, bound } = this.#bare.system;
    const before = contacts.push[0];
    this.#h = h;
    this.#track = track;
    for (let c = 0; c < contacts.count; c++) {
      const o = c * 3;
      const isPushed = before[o] !== 0 || before[o + 1] !== 0 || before[o + 2] !== 0;
      const isNear = track === 0 || isPushed || contacts.gap[c] <= this.#options.touching;
      this.takes[c] = isNear && !contacts.isBinding(c) && contacts.frozen[c] === 0 ? 1 : 0;
      this.#bare.measure(c);
      bound[c] = leastVelocity(this.#options, contacts.gap[c], track, h);
    }
    push.fill(0, 0, contacts.count * 3);
  }

  /** Treats all of them once. */
  sweep(velocities: Velocities, way: 1 | -1 = 1): void {
    const { contact, contactCount } = this.#graph;
    for (let n = 0; n < contactCount; n++) {
      const c = contact[way > 0 ? n : contactCount - 1 - n];
      if (this.#bare.system.opening[c] > 0) this.#relax(c, velocities, BOTH);
    }
  }

  /** Shock propagation: level by level, `times` each, and what is below is as good as fixed. What it would have got is lost. */
  propagate(velocities: Velocities, times: number): void {
    const { contact, contactCount, level } = this.#graph;
    const { a, b } = this.#bare.system.contacts;
    for (let from = 0, to = 0; from < contactCount; from = to) {
      const first = Math.max(level[a[contact[from]]], level[b[contact[from]]]);
      for (to = from; to < contactCount && Math.max(level[a[contact[to]]], level[b[contact[to]]]) === first; to++);
      for (let time = 0; time < times; time++) {
        for (let n = from; n < to; n++) {
          const c = contact[n];
          if (level[a[c]] === level[b[c]]) continue;
          const upper = level[a[c]] > level[b[c]] ? ONLY_A : ONLY_B;
          this.#bare.measure(c, upper === ONLY_A, upper === ONLY_B);
          if (this.#bare.system.opening[c] > 0) this.#relax(c, velocities, upper);
        }
      }
    }
  }

  /** Impulse on contact c, on whom it acts. */
  #relax(c: number, velocities: Velocities, whom: number): void {
    const { contacts, push, opening, sliding } = this.#bare.system;
    const { normal } = contacts;
    const u = this.#u;
    const o = c * 3;
    this.#bare.velocityOf(c, velocities, u);
    const n0 = normal[o];
    const n1 = normal[o + 1];
    const n2 = normal[o + 2];
    const un = n0 * u[0] + n1 * u[1] + n2 * u[2];
    const pushed = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
    const more = this.#more(c, un, pushed);
    if (pushed + more === 0 && more === 0) return;
    this.found[0] = Math.max(this.found[0], opening[c] * Math.abs(more));
    let t0 = push[o] - pushed * n0 - (u[0] - un * n0) / sliding[c];
    let t1 = push[o + 1] - pushed * n1 - (u[1] - un * n1) / sliding[c];
    let t2 = push[o + 2] - pushed * n2 - (u[2] - un * n2) / sliding[c];
    const most = contacts.friction[c] * (pushed + more);
    const drag = Math.sqrt(t0 * t0 + t1 * t1 + t2 * t2);
    const share = drag > most ? most / drag : 1;
    t0 *= share;
    t1 *= share;
    t2 *= share;
    u[0] = (pushed + more) * n0 + t0 - push[o];
    u[1] = (pushed + more) * n1 + t1 - push[o + 1];
    u[2] = (pushed + more) * n2 + t2 - push[o + 2];
    for (let k = 0; k < 3; k++) push[o + k] += u[k];
    if (whom !== ONLY_B) this.#bare.pushSide(c, true, u, velocities);
    if (whom !== ONLY_A) this.#bare.pushSide(c, false, u, velocities);
  }

  /** How much more contact c has to push [N s], where it opens with `un` and has pushed so much. */
  #more(c: number, un: number, pushed: number): number {
    const { contacts, bound, opening } = this.#bare.system;
    // in the position track what stays outside is let alone, and what would not is stopped where it is
    const isOutside = this.#track === 0 && contacts.gap[c] >= 0;
    if (isOutside && contacts.gap[c] + this.#h * un >= 0) return this.#shrinks ? -pushed : 0;
    const wanted = ((isOutside ? 0 : bound[c]) - un) / opening[c];
    return Math.max(this.#shrinks ? -pushed : 0, wanted);
  }
}
