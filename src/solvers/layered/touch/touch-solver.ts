/**
 * Forces of contacts, with exact compliance of skin and bones, by projected Gauss-Seidel. Called after detection.
 *
 *     g + h J M⁻¹ Jᵀ λ + s W λ ≥ 0  ⊥  λ_n ≥ 0,    |λ_t| ≤ μ λ_n,    s = (1 − a)/h
 *     g_core + h J M⁻¹ Jᵀ λ ≥ 0     ⊥  λ_core ≥ 0                     the hard core, by bones alone
 *
 * The block-diagonal condensation of [Galoppo2007 §5.4] leaves out W between nodes and gives 2.5 to 24 times the force, depending
 * on the mesh; its equality rows stick. Bones are walked through as a tree (`bone-mobility.ts`), so that a sweep costs as much as
 * there are bones and contacts.
 */
import type { LayerBody } from '../layer-body.js';
import type { LayerKernels } from '../layer-kernels.js';
import { SkinLinks } from '../skin/skin-links.js';
import { TouchForces } from './touch-forces.js';
import type { TouchList } from './touch-list.js';
import { warmStart } from './warm-start.js';

/**
 * Sweeps end when no contact moved by more than this share of its body's size. A way d left over is a force of d/(g h²) weights: at
 * 1/60 s, 1e-6 of a body of 1 m lets it tremble by 2.5e-4 of its weight where it should lie still, 1e-7 by less than 3e-5.
 */
const SETTLED = 1e-7;

/** Solves the contacts of all bodies together: by kernels where there are any and contacts have room in their memory, else by itself. */
export class TouchSolver {
  readonly #forces: TouchForces;
  readonly #equalities: boolean;
  readonly #kernels: LayerKernels | undefined;
  readonly #links: SkinLinks;
  #list!: TouchList;
  #bodies: readonly LayerBody[] = [];
  #boneStart = new Int32Array(1);
  /** First body of the group that touches each, and the next body of the same group, -1 for none. */
  #first = new Int32Array(0);
  #next: Int32Array;
  /** 1 for bodies that touch others, or themselves. */
  #meets: Int32Array;
  /** Sweeps taken in the last solve, the most of any group. */
  sweepsTaken = 0;
  /** Largest change in the last sweep of a group [m/m]. */
  residual = 0;

  /** `equalities`: nodes inside something are held there, pulled as well as pushed, without friction or core [Galoppo2007 §5.5]. */
  constructor(equalities = false, kernels?: LayerKernels) {
    this.#forces = new TouchForces(equalities);
    this.#equalities = equalities;
    this.#kernels = kernels;
    this.#links = kernels?.links ?? new SkinLinks();
    this.#next = kernels?.next.view ?? new Int32Array(0);
    this.#meets = kernels?.meets.view ?? new Int32Array(0);
  }

  /** Finds the impulses of all contacts; bones' changes are in their mobilities, skins' impulses in the list. */
  solve(list: TouchList, bodies: readonly LayerBody[], skinShare: Float64Array, h: number, sweeps: number): void {
    this.#list = list;
    this.#bodies = bodies;
    this.residual = 0;
    this.sweepsTaken = 0;
    if (list.count === 0 && !hasRows(bodies)) return;
    this.#prepare();
    this.#links.build(list, bodies);
    warmStart(list, bodies, h, this.#equalities);
    this.#findGroups();
    if (this.#kernels && list.isHome && this.#links.isHome) this.#solveByKernels(this.#kernels, skinShare, h, sweeps);
    else this.#solvePlainly(skinShare, h, sweeps);
  }

  #solveByKernels(kernels: LayerKernels, skinShare: Float64Array, h: number, sweeps: number): void {
    const { bodies, count } = this.#list;
    let own = 0;
    while (own < count && bodies[2 * own + 1] < 0) own++;
    let groups = 0;
    for (let b = 0; b < this.#bodies.length; b++) {
      if (this.#first[b] === b && this.#bodies[b].needed[0] === 1) kernels.groups.view[groups++] = b;
    }
    kernels.solveTouches(own, groups, skinShare, h, sweeps, this.#equalities);
    const results = kernels.results.view;
    for (let group = 0; group < groups; group++) {
      this.sweepsTaken = Math.max(this.sweepsTaken, results[2 * group]);
      this.residual = Math.max(this.residual, results[2 * group + 1]);
    }
  }

  #solvePlainly(skinShare: Float64Array, h: number, sweeps: number): void {
    const bodies = this.#bodies;
    for (const body of bodies) {
      if (body.needed[0] === 0) continue;
      body.mobility.begin();
      for (let bone = 0; bone < body.needed.length; bone++) {
        if (body.needed[bone] === 1) body.mobility.updateCompliance(bone);
      }
      body.rows.begin();
    }
    this.#forces.begin(this.#list, this.#links, bodies, skinShare, h);
    for (let b = 0; b < bodies.length; b++) {
      if (this.#first[b] === b && bodies[b].needed[0] === 1) this.#sweepUntilSettled(b, sweeps);
    }
    for (const body of bodies) if (body.needed[0] === 1) spread(body);
    this.#forces.end();
  }

  /** Sweeps over the bodies that touch each other, from the first of them. */
  #sweepUntilSettled(from: number, sweeps: number): void {
    const forces = this.#forces;
    let moved = 0;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      moved = forces.moved = 0;
      for (let b = from; b >= 0; b = this.#next[b]) {
        this.#bodies[b].rows.moved = 0;
        this.#sweepBody(b, sweep === 0 || this.#meets[b] === 1);
        moved = Math.max(moved, this.#bodies[b].rows.moved);
      }
      moved = Math.max(moved, forces.moved);
      if (moved < SETTLED) break;
      this.sweepsTaken = Math.max(this.sweepsTaken, sweep + 1);
    }
    this.residual = Math.max(this.residual, moved);
  }

  /** Bodies that touch each other, or the same ones, are swept together; each group by itself. */
  #findGroups(): void {
    const { bodies, count } = this.#list;
    const total = this.#bodies.length;
    if (this.#first.length < total) {
      this.#first = new Int32Array(total);
      if (this.#next.length < total) this.#next = new Int32Array(total);
      if (this.#meets.length < total) this.#meets = new Int32Array(total);
    }
    const first = this.#first;
    this.#meets.fill(0);
    for (let b = 0; b < total; b++) first[b] = b;
    for (let c = 0; c < count; c++) {
      if (bodies[2 * c + 1] < 0) continue;
      this.#meets[bodies[2 * c]] = 1;
      this.#meets[bodies[2 * c + 1]] = 1;
      const a = leader(first, bodies[2 * c]);
      const b = leader(first, bodies[2 * c + 1]);
      if (a < b) first[b] = a;
      else first[a] = b;
    }
    // lists in rising order: built from the last body to the first
    this.#next.fill(-1);
    for (let b = total - 1; b >= 0; b--) first[b] = leader(first, b);
    for (let b = total - 1; b >= 0; b--) {
      if (first[b] === b) continue;
      this.#next[b] = this.#next[first[b]];
      this.#next[first[b]] = b;
    }
  }

  /** Contacts by bones, and which bones are touched. */
  #prepare(): void {
    const bodies = this.#bodies;
    const list = this.#list;
    if (this.#boneStart.length !== bodies.length + 1) this.#boneStart = new Int32Array(bodies.length + 1);
    for (let b = 0; b < bodies.length; b++) {
      this.#boneStart[b + 1] = this.#boneStart[b] + bodies[b].model.bones.count;
      bodies[b].needed.fill(0);
    }
    list.sort(this.#boneStart);
    for (let s = 0; s < 2 * list.count; s++) if (list.bodies[s] >= 0) markPath(bodies[list.bodies[s]], list.bones[s]);
    for (const body of bodies) {
      for (let bone = 1; bone < body.needed.length; bone++) {
        if (body.rows.first[bone] < body.rows.first[bone + 1]) markPath(body, bone);
      }
    }
  }

  /** One visit to every contact of a body, in the order of the walk through its bones. `mayWait`: whether impulses came while the walk was elsewhere. */
  #sweepBody(b: number, mayWait: boolean): void {
    const body = this.#bodies[b];
    const { needed, mobility, model, rows } = body;
    const { order, first } = this.#list;
    const { walk, count } = model.bones;
    const start = this.#boneStart[b];
    for (let bone = count - 1; mayWait && bone > 0; bone--) if (needed[bone] === 1) mobility.leave(bone);
    for (let i = 0; i < walk.length; i++) {
      const bone = walk[i];
      if (bone < 0) {
        if (needed[~bone] === 1) mobility.leave(~bone);
        continue;
      }
      if (needed[bone] === 0) continue;
      mobility.enter(bone);
      if (rows.first[bone] < rows.first[bone + 1]) rows.relax(bone);
      this.#sweepBone(b, bone, first[start + bone], first[start + bone + 1], order);
    }
  }

  /** The contacts of one bone; before those with a bone of another body, or of its own, that bone's velocity is made exact too. */
  #sweepBone(b: number, bone: number, from: number, to: number, order: Int32Array): void {
    const { bodies, bones } = this.#list;
    let partner = -1;
    let partnerBone = -1;
    for (let n = from; n < to; n++) {
      const s = 2 * order[n] + 1;
      if (bodies[s] >= 0 && (bodies[s] !== partner || bones[s] !== partnerBone)) {
        partner = bodies[s];
        partnerBone = bones[s];
        this.#bodies[partner].mobility.bring(partnerBone);
        if (partner === b) this.#bodies[b].mobility.bring(bone);
      }
      this.#forces.relax(order[n]);
    }
    // pushes on other bones of its own are not known here yet
    if (partner === b) this.#bodies[b].mobility.bring(bone);
  }
}

/** First body of a group; the way there is made shorter for the next who asks. */
function leader(first: Int32Array, body: number): number {
  let at = body;
  while (first[at] !== at) {
    first[at] = first[first[at]];
    at = first[at];
  }
  return at;
}

function hasRows(bodies: readonly LayerBody[]): boolean {
  for (const { rows } of bodies) if (rows.count > 0) return true;
  return false;
}

function markPath({ needed, model }: LayerBody, bone: number): void {
  for (let at = bone; at >= 0 && needed[at] === 0; at = model.bones.parents[at]) needed[at] = 1;
}

/** All bones learn of all impulses. */
function spread({ mobility, model }: LayerBody): void {
  const { count } = model.bones;
  for (let bone = count - 1; bone > 0; bone--) mobility.leave(bone);
  for (let bone = 1; bone < count; bone++) mobility.enter(bone);
}
