/**
 * Finds joints that may contradict each other: those of chains between two bodies that nothing pushes (a place of the world, a part that is sent somewhere), and those that are open at
 * the start of a step although joints are closed at the end of each. Such joints give way a little in the rows, or a chain that is pulled longer than it is would be torn to pieces.
 */
import { GIVES_OPEN, type JointBlocks } from './joint-blocks.js';
import type { RigidBodies } from './rigid-bodies.js';

/** How much joints of chains between two ends give way, as a share of their own answer. */
const TIED = 0.01;

/** Notes in `joints.gives` how much each block gives way. */
export class TiedJoints {
  readonly #joints: JointBlocks;
  /** Of each body: who leads its chain, and of leaders the first end that was met (-1: none, -2: two). */
  readonly #leader: Int32Array;
  readonly #end: Int32Array;

  constructor(joints: JointBlocks, bodyCount: number) {
    this.#joints = joints;
    this.#leader = new Int32Array(bodyCount);
    this.#end = new Int32Array(bodyCount);
  }

  /** Looks at the joints where bodies are now. */
  note(rigid: RigidBodies): void {
    const { count, a, b, gives } = this.#joints;
    if (count === 0) return;
    for (let body = 0; body < this.#leader.length; body++) this.#leader[body] = body;
    this.#end.fill(-1);
    for (let i = 0; i < count; i++) {
      if (rigid.inverseMass[a[i]] === 0 || rigid.inverseMass[b[i]] === 0) continue;
      const p = this.#find(a[i]);
      const q = this.#find(b[i]);
      this.#leader[Math.max(p, q)] = Math.min(p, q);
    }
    for (let i = 0; i < count; i++) {
      this.#meet(rigid, a[i], b[i]);
      this.#meet(rigid, b[i], a[i]);
    }
    for (let i = 0; i < count; i++) {
      const body = rigid.inverseMass[a[i]] > 0 ? a[i] : b[i];
      const isTied = this.#end[this.#find(body)] === -2;
      gives[i] = this.#joints.isOpen(rigid, i) ? GIVES_OPEN : isTied ? TIED : 0;
    }
  }

  /** The chain of `body` ends at `other`, if nothing pushes that. */
  #meet(rigid: RigidBodies, body: number, other: number): void {
    if (rigid.inverseMass[other] > 0 || rigid.inverseMass[body] === 0) return;
    const leader = this.#find(body);
    const known = this.#end[leader];
    this.#end[leader] = known === -1 || known === other ? other : -2;
  }

  #find(body: number): number {
    let at = body;
    while (this.#leader[at] !== at) at = this.#leader[at];
    return at;
  }
}
