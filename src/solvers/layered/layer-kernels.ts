/**
 * The layered step's kernels over the world's memory: bone fronts of all characters, and the contact solve. Work is cut by characters and by groups
 * that touch each other, which share nothing: the bits do not depend on the threads, and are those of the plain classes they stand for.
 */
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import { type Cut, RangeRunner } from '../../kernels/range-runner.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { LayerBody } from './layer-body.js';
import type { LayerModel } from './layer-model.js';
import { type LinkArrays, SkinLinks } from './skin/skin-links.js';
import { FindKernel } from './touch/find-kernel.js';
import { SIDE, TOUCH, type TouchArrays, TouchList } from './touch/touch-list.js';

/** Words per body in the kernels' table, and of a job. */
const BODY_WORDS = 8;
const JOB_WORDS = 21;
/** Most parts that work is cut into, and bytes of its own that each has. */
const PARTS = 16;
const OWN_BYTES = 256;
/** Contacts there is room for, as a share of the nodes that can touch, and links of each; where there are more the plain classes do it. */
const TOUCHING_SHARE = 0.5;
const LEAST_CONTACTS = 64;
const LINKS_PER_CONTACT = 40;

type Numbers = Slot<Float64Array>;
type Words = Slot<Int32Array>;

/** Parts of some work, changed from step to step. */
interface Parts extends Cut {
  parts: number;
}

/** Runs the kernels for the bodies of a world. */
export class LayerKernels {
  /** Contacts and links where kernels find them. */
  list!: TouchList;
  links!: SkinLinks;
  /** Of each body: the next of its group, -1 for none; 1 where it touches others or itself; its first bone among all. */
  readonly next: Words;
  readonly meets: Words;
  readonly boneStart: Words;
  /** First body of each group; sweeps taken and the largest change left of each. */
  readonly groups: Words;
  readonly results: Numbers;
  /** Contacts with plain obstacles. */
  readonly finder: FindKernel;
  readonly #runner: RangeRunner;
  readonly #table: Words;
  readonly #done: Words;
  readonly #perBody: Numbers;
  readonly #job: Words;
  readonly #h: Numbers;
  readonly #own: Numbers;
  readonly #bodyParts: Parts;
  readonly #freeParts: Parts;
  readonly #list: { readonly [array in keyof TouchArrays]: Numbers | Words };
  readonly #first: Words;
  readonly #links: { readonly [array in keyof LinkArrays]: Numbers | Words };
  readonly #hasBlocks: boolean;

  constructor(plan: MemoryPlan, models: readonly LayerModel[]) {
    const bodies = models.length;
    const contacts = models.reduce((sum, model) => sum + contactRoom(model), 0);
    const bones = models.reduce((sum, model) => sum + model.bones.count, 0);
    const links = LINKS_PER_CONTACT * contacts;
    this.#hasBlocks = models.some(({ bulges }) => bulges);
    this.finder = new FindKernel(plan, models);
    this.#runner = new RangeRunner(plan);
    this.#table = plan.i32(BODY_WORDS * bodies);
    this.#done = plan.i32(bodies);
    this.#perBody = plan.f64(2 * bodies);
    this.#job = plan.i32(JOB_WORDS);
    this.#h = plan.f64(1);
    this.#own = plan.f64((PARTS * OWN_BYTES) / 8);
    this.next = plan.i32(bodies);
    this.meets = plan.i32(bodies);
    this.boneStart = plan.i32(bodies + 1);
    this.groups = plan.i32(bodies);
    this.results = plan.f64(2 * bodies);
    this.#bodyParts = { bounds: plan.i32(2 * PARTS), parts: 0 };
    this.#freeParts = { bounds: plan.i32(2 * PARTS), parts: 0 };
    this.#first = plan.i32(bones + 1);
    this.#list = {
      data: plan.f64(TOUCH * contacts),
      sides: plan.f64(SIDE * 2 * contacts),
      obstacles: plan.i32(contacts),
      bodies: plan.i32(2 * contacts),
      bones: plan.i32(2 * contacts),
      nodes: plan.i32(2 * contacts),
      order: plan.i32(contacts),
    };
    this.#links = {
      start: plan.i32(2 * contacts + 1),
      ways: plan.i32(links),
      values: plan.f64(links),
      blocks: plan.f64(this.#hasBlocks ? 9 * links : 0),
    };
  }

  /** Call once the memory exists and the bodies have their rooms in it. */
  start(kernels: KernelTable, threads: ThreadPool, bodies: readonly LayerBody[]): void {
    this.finder.start(kernels, bodies);
    this.#runner.start(threads);
    this.list = new TouchList(views(this.#list) as unknown as TouchArrays, this.#first.view);
    this.links = new SkinLinks(views(this.#links) as unknown as LinkArrays);
    bodies.forEach((body, b) => {
      const { room, model, forces } = body;
      if (forces) body.findForce = () => Math.floor(kernels.firstNonzero(forces.length, forces.byteOffset) / 3);
      const { bones, rows, kinds } = room;
      const { byteOffset: numbers } = bones.numbers;
      const words = [bones.count, numbers, bones.whole.byteOffset, rows.byteOffset, kinds.byteOffset, kinds.length];
      this.#table.view.set(words, BODY_WORDS * b);
      this.#perBody.view[2 * b + 1] = model.size;
      this.boneStart.view[b + 1] = this.boneStart.view[b] + bones.count;
    });
    const { data, sides, bodies: owners, bones, obstacles, order } = this.#list;
    const { start, ways, values, blocks } = this.#links;
    const { next, meets, groups, results, boneStart } = this;
    const slots = [this.#table, this.#perBody, data, sides, owners, bones, obstacles, order, this.#first, boneStart];
    const more = [start, ways, values, blocks, next, meets, groups, results];
    this.#job.view.set([...slots, ...more].map(({ address }) => address));
    if (!this.#hasBlocks) this.#job.view[13] = 0;
    this.#job.view[20] = this.#h.address;
    cutEvenly(this.#bodyParts, 0, bodies.length);
  }

  /** Factors and solves the fronts of all bodies; the first that cannot be, -1 where all could. */
  solveFronts(): number {
    this.#run('boneFronts', this.#bodyParts, this.#table.address, this.#done.address);
    return this.#done.view.indexOf(0);
  }

  /**
   * The contact solve, for contacts that have been sorted and linked and have the impulses to begin with. `own`: contacts before this one
   * touch one body each and are in the order of bodies; `groups` of them are listed.
   */
  solveTouches(own: number, groups: number, skinShare: Float64Array, h: number, sweeps: number, equal: boolean): void {
    const { count } = this.list;
    for (let b = 0; b < skinShare.length; b++) this.#perBody.view[2 * b] = skinShare[b];
    this.#h.view[0] = h;
    this.#job.view[18] = sweeps;
    this.#job.view[19] = equal ? 1 : 0;
    const job = this.#job.address;
    this.#run('touchBones', this.#bodyParts, job);
    this.#cutContacts(own);
    this.#run('touchBegin', this.#freeParts, job);
    cutOnce(this.#freeParts, own, count);
    this.#run('touchBegin', this.#freeParts, job);
    cutEvenly(this.#freeParts, 0, groups);
    this.#run('touchSweep', this.#freeParts, job);
    cutEvenly(this.#freeParts, 0, count);
    this.#run('touchEnd', this.#freeParts, job);
  }

  /** The contacts before `own` in parts, no body in two of them. */
  #cutContacts(own: number): void {
    const { bodies } = this.list;
    const cut = this.#freeParts;
    cutEvenly(cut, 0, own);
    const bounds = cut.bounds.view;
    for (let part = 1, from = 0; part < cut.parts; part++) {
      let at = Math.max(from, bounds[2 * part]);
      while (at > 0 && at < own && bodies[2 * at] === bodies[2 * at - 2]) at++;
      bounds[2 * part - 1] = at;
      bounds[2 * part] = at;
      from = at;
    }
    for (let part = 0; part < cut.parts; part++) {
      if (bounds[2 * part + 1] < bounds[2 * part]) bounds[2 * part + 1] = bounds[2 * part];
    }
  }

  #run(kernel: Parameters<RangeRunner['run']>[0], cut: Cut, a: number, b = 0): void {
    this.#runner.run(kernel, cut, this.#own.address, OWN_BYTES, a, b);
  }
}

/** Contacts of a body that are planned for. */
function contactRoom({ clusters, meetings }: LayerModel): number {
  return LEAST_CONTACTS + Math.ceil(TOUCHING_SHARE * (clusters.nodes.length + meetings.nodes.length));
}

function views(slots: Readonly<Record<string, Numbers | Words>>): Record<string, Float64Array | Int32Array> {
  return Object.fromEntries(Object.entries(slots).map(([name, { view }]) => [name, view]));
}

/** [from, to) in about equal parts. */
function cutEvenly(cut: Parts, from: number, to: number): void {
  const count = to - from;
  cut.parts = Math.min(PARTS, count);
  const bounds = cut.bounds.view;
  for (let part = 0; part < cut.parts; part++) {
    bounds[2 * part] = from + Math.floor((part * count) / cut.parts);
    bounds[2 * part + 1] = from + Math.floor(((part + 1) * count) / cut.parts);
  }
}

function cutOnce(cut: Parts, from: number, to: number): void {
  cut.parts = from < to ? 1 : 0;
  cut.bounds.view[0] = from;
  cut.bounds.view[1] = to;
}
