/**
 * The rows of a track as kernels see them (assembly/row-job.ts): contacts, bodies and slots lie in the world's memory, and a list of words says where. What goes through all
 * contacts or all soft bodies is done in parts, on as many threads as there are.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { moveArrays } from '../../../kernels/move-arrays.js';
import { type Cut, type MovingCut, RangeRunner } from '../../../kernels/range-runner.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { CoupledOptions } from '../options.js';
import type { SoftModel } from '../soft/soft-model.js';
import type { RowSystem } from './row-system.js';

const WORDS = 53;
/** Words per soft body. */
const SOFT = 8;
/** Where the impulses of the track are, and the rows of a heap. */
const PUSH = 10;
const HEAP = 28;
/** Where those of joint blocks are, and all else of joints. */
const JOINT_PUSH = 47;
const JOINTS = 34;
/** Where the impulses of the position track are, whichever is solved. */
const POSITION_PUSH = 52;
/** Parts, and how many rows or soft bodies one has at least. */
const PARTS = 8;
const LEAST_ROWS = 512;
const LEAST_BODIES = 16;
const LEAST_BLOCKS = 128;
const LEAST_RIGID = 128;

/** Where kernels find rows. */
export class RowJob {
  readonly #system: RowSystem;
  readonly #options: CoupledOptions;
  readonly #words: Slot<Int32Array>;
  readonly #settings: Slot<Float64Array>;
  readonly #soft: Slot<Int32Array>;
  readonly #runner: RangeRunner;
  readonly #rowCut: MovingCut;
  readonly #softCut: Cut;
  readonly #jointCut: Cut;
  readonly #rigidCut: Cut;
  readonly #moves: readonly (() => void)[];
  readonly #isWith: boolean;

  constructor(plan: MemoryPlan, system: RowSystem, options: CoupledOptions) {
    this.#system = system;
    this.#options = options;
    const { contacts, joints, rigid, soft } = system;
    const { bodies } = soft;
    this.#isWith = bodies.count > 0;
    this.#words = plan.i32(WORDS);
    this.#settings = plan.f64(6);
    this.#soft = plan.i32(bodies.count * SOFT);
    this.#runner = new RangeRunner(plan);
    this.#rowCut = this.#runner.cutLater(PARTS);
    this.#softCut = this.#runner.cutEvenly(bodies.count, LEAST_BODIES);
    this.#jointCut = this.#runner.cutEvenly(joints.count, LEAST_BLOCKS);
    this.#rigidCut = this.#runner.cutEvenly(rigid.count, LEAST_RIGID);
    const models = [...new Set<SoftModel>(bodies.models)];
    this.#moves = [
      moveArrays(plan, contacts, ['a', 'b', 'armA', 'armB', 'sideA', 'sideB', 'normal', 'gap', 'friction', 'frozen']),
      moveArrays(plan, contacts.push, [0, 1]),
      moveArrays(plan, system, ['bound', 'opening', 'sliding', 'softness']),
      moveArrays(plan, rigid, ['velocity', 'inverseMass', 'inverseInertia', 'x', 'q']),
      moveArrays(plan, rigid, ['rotation', 'inertia', 'inverse']),
      moveArrays(plan, joints, ['a', 'b', 'armA', 'armB', 'projector', 'inverse', 'compliance', 'target', 'gives']),
      moveArrays(plan, joints, ['anchors', 'form']),
      moveArrays(plan, joints.push, [0, 1]),
      moveArrays(plan, soft, ['body', 'slot', 'weight', 'own', 'slotVertex', 'velocity', 'impulse', 'slotCount']),
      moveArrays(plan, bodies, ['velocity']),
      ...models.flatMap(({ first, second }) => [first, second].map((table) => moveArrays(plan, table, ['table']))),
    ];
  }

  get address(): number {
    return this.#words.address;
  }

  /** Once the memory exists; `heap`: rows, bodies and slots of a heap, its rows by number and by address; `blocks`: its joint blocks. */
  start(threads: ThreadPool, heap: readonly number[], blocks: number): void {
    for (const move of this.#moves) move();
    this.#runner.start(threads);
    const { contacts, rigid, soft, bound, opening, sliding, softness } = this.#system;
    contacts.renew();
    const { bodies } = soft;
    const { a, b, armA, armB, sideA, sideB, normal, gap, friction, frozen, push } = contacts;
    const rows = [a, b, armA, armB, sideA, sideB, normal, gap, friction, frozen, push[0]];
    const measures = [bound, opening, sliding, softness];
    const movers = [rigid.velocity, rigid.inverseMass, rigid.inverseInertia];
    const sides = [soft.body, soft.slot, soft.weight, soft.own];
    const slots = [soft.slotVertex, soft.velocity, soft.impulse, soft.slotCount];
    const arrays = [...rows, ...measures, ...movers, ...sides, ...slots, this.#soft.view, bodies.velocity];
    this.#words.view.set(arrays.map(({ byteOffset }) => byteOffset));
    this.#words.view.set([...heap, this.#settings.address], HEAP);
    this.#words.view[POSITION_PUSH] = push[0].byteOffset;
    this.#startJoints(blocks);
    bodies.models.forEach(({ size }, s) => {
      this.#soft.view[s * SOFT] = bodies.firstVertex[s];
      this.#soft.view[s * SOFT + 1] = size;
    });
  }

  #startJoints(blocks: number): void {
    const { joints, rigid } = this.#system;
    const { a, b, armA, armB, projector, inverse, compliance, target, gives, anchors, form, push } = joints;
    const matrices = [projector, inverse, compliance, target, gives, anchors];
    const arrays = [rigid.x, rigid.q, a, b, armA, armB, ...matrices, form, push[0]];
    const turned = [rigid.rotation, rigid.inertia, rigid.inverse].map(({ byteOffset }) => byteOffset);
    this.#words.view.set([...arrays.map(({ byteOffset }) => byteOffset), blocks, ...turned], JOINTS);
    joints.ready = (track, h) => this.#readyJoints(track, h);
    rigid.advanceAll = (h) => this.#advance(h);
  }

  /** Joints that hold points together, for a track of a step of h [s]. */
  #readyJoints(track: 0 | 1, h: number): void {
    const set = this.#settings.view;
    set[0] = h;
    set[4] = track;
    this.#runner.run('readyJoints', this.#jointCut, 0, 0, this.address);
  }

  /** All rigid bodies go on for h [s]. */
  #advance(h: number): void {
    this.#settings.view[0] = h;
    this.#runner.run('advanceBodies', this.#rigidCut, 0, 0, this.address);
  }

  /** Impulses of joints are these. */
  useJointPush(push: Float64Array): void {
    this.#words.view[JOINT_PUSH] = push.byteOffset;
  }

  /** A track of a step of h [s] begins: its impulses, tables and bounds, and who sleeps. Slots take the velocities of their vertices. */
  begin(track: 0 | 1, h: number): void {
    const { soft, push, jointPush } = this.#system;
    const { touching, pushOut, pushOutSpeed, pushOutBy } = this.#options;
    const set = this.#settings.view;
    this.#words.view[PUSH] = push.byteOffset;
    this.useJointPush(jointPush);
    set[0] = h;
    set[1] = touching;
    set[2] = pushOut;
    set[3] = pushOutSpeed;
    set[4] = track;
    set[5] = pushOutBy === 'centralBody' ? 1 : 0;
    for (let s = 0; s < soft.bodies.count; s++) {
      this.#soft.view[s * SOFT + 2] = soft.bodies.tableOf(s).table.byteOffset;
      this.#soft.view[s * SOFT + 3] = soft.bodies.asleep[s];
    }
    if (this.#isWith) soft.tables.place();
    this.overSoft('beginSlots');
  }

  /** Where the table of soft body s in f32 is; 0 where there is no room for it. */
  setSlotTable(s: number, address: number): void {
    this.#soft.view[s * SOFT + 4] = address;
  }

  /** Measures all contacts for the track at hand; those that are not of it lose their impulses. */
  measure(): void {
    this.#overRows('measureRows', this.#system.contacts.count);
  }

  /** Moves all vertices as the impulses on slots want. */
  finish(): void {
    this.overSoft('finishSlots');
  }

  /** Lays the first `count` rows of a heap down. */
  lay(count: number): void {
    this.#overRows('layRows', count);
  }

  #overRows(kernel: 'measureRows' | 'layRows', count: number): void {
    if (count === 0) return;
    this.#runner.cutAgain(this.#rowCut, count, LEAST_ROWS);
    this.#runner.run(kernel, this.#rowCut, 0, 0, this.address);
  }

  /** Runs a kernel over all soft bodies. */
  overSoft(kernel: 'beginSlots' | 'finishSlots' | 'laySlots'): void {
    if (this.#isWith) this.#runner.run(kernel, this.#softCut, 0, 0, this.address);
  }

  /** Velocities of the slots of soft body s after the sweeps over a heap. */
  takeSlots(kernels: KernelTable, s: number): void {
    kernels.takeSlots(s, s + 1, 0, this.address);
  }
}
