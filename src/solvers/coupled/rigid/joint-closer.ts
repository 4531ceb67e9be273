/**
 * Closes joints after the positions have moved: rows are straight and motion is not, and large islands stop before they are solved. A few
 * Newton steps of least motion (in the mass metric) on the joints alone, chain by chain; contact takes what that shifts, far less than a
 * gap, in the next step. Nothing is pushed from outside: centres of mass stay.
 */
import { ContactList } from '../contacts/contact-list.js';
import { IslandSolver } from '../rows/island-solver.js';
import { Islands } from '../rows/islands.js';
import { RowSystem } from '../rows/row-system.js';
import type { SoftSides } from '../soft/soft-sides.js';
import type { ChainSolve } from './chain-solve.js';
import type { JointBlocks } from './joint-blocks.js';
import type { RigidBodies } from './rigid-bodies.js';

/** Newton steps at most, and the gap at which there is nothing to do [m]. */
const STEPS = 4;
const CLOSED = 1e-11;

/** Brings jointed bodies to poses in which the joints are closed. */
export class JointCloser {
  readonly #rigid: RigidBodies;
  readonly #joints: JointBlocks;
  readonly #rows: RowSystem;
  readonly #islands: Islands;
  readonly #solver: IslandSolver;
  readonly #empty = new ContactList(0);
  readonly #velocity: Float64Array;
  readonly #push: Float64Array;
  readonly #x: Float64Array;
  readonly #q: Float64Array;
  /** Gap of each block [m]. */
  readonly #gaps: Float64Array;

  constructor(rigid: RigidBodies, sides: SoftSides, joints: JointBlocks, bodyCount: number) {
    this.#rigid = rigid;
    this.#joints = joints;
    this.#rows = new RowSystem(rigid, sides, joints, this.#empty);
    this.#islands = new Islands(bodyCount, 0, joints.count);
    this.#solver = new IslandSolver(this.#rows, { gradientRows: joints.count, sweeps: [0, 0] }, bodyCount);
    this.#velocity = new Float64Array(rigid.velocity.length);
    this.#x = new Float64Array(rigid.x.length);
    this.#q = new Float64Array(rigid.q.length);
    this.#push = new Float64Array(joints.count * 3);
    this.#gaps = new Float64Array(joints.count);
  }

  /** What short chains are solved by. */
  get chains(): ChainSolve {
    return this.#solver.chains;
  }

  /** Closes all joints; velocities and impulses stay as they are. */
  close(movable: Uint8Array): void {
    const rigid = this.#rigid;
    const joints = this.#joints;
    let open = joints.count > 0 ? joints.largestGap(rigid, this.#gaps) : 0;
    if (open <= CLOSED) return;
    this.#velocity.set(rigid.velocity);
    this.#push.set(joints.push[0]);
    this.#islands.build(this.#empty, joints, movable);
    for (let n = 0; n < STEPS && open > CLOSED; n++) {
      // chains that are closed are let alone
      this.#islands.keepBeyond(CLOSED, this.#gaps);
      rigid.velocity.fill(0);
      joints.push[0].fill(0);
      this.#rows.select(this.#empty, 0);
      // a step of one second: velocities are distances
      joints.prepare(rigid, 0, 1, true);
      this.#solver.solve(this.#islands, 0, CLOSED);
      this.#x.set(rigid.x);
      this.#q.set(rigid.q);
      rigid.advance(1);
      const after = joints.largestGap(rigid, this.#gaps);
      // what cannot be closed is not torn further open
      if (!(after <= open)) {
        this.#undo();
        break;
      }
      open = after;
    }
    joints.push[0].set(this.#push);
    rigid.velocity.set(this.#velocity);
  }

  #undo(): void {
    const rigid = this.#rigid;
    rigid.x.set(this.#x);
    rigid.q.set(this.#q);
    for (let b = 0; b < rigid.count; b++) rigid.refresh(b);
  }
}
