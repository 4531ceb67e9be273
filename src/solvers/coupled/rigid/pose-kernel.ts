/** Poses and rates of the bones of rigid bodies after a step, by a kernel (assembly/rigid-write.ts): to go to the arrays of a thousand bodies one by one took longer than what is written. */
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { moveArrays } from '../../../kernels/move-arrays.js';
import { type Cut, RangeRunner } from '../../../kernels/range-runner.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { CoupledState } from '../motors.js';
import type { BodyMap } from '../world-bodies.js';
import type { RigidBodies } from './rigid-bodies.js';

/** Words that say where everything is, and words per part. */
const TABLE = 8;
const PART = 5;
/** Parts that one thread writes at least. */
const LEAST = 256;

/** Writes poses. */
export class PoseKernel {
  readonly #map: BodyMap;
  readonly #rigid: RigidBodies;
  readonly #table: Slot<Int32Array>;
  readonly #parts: Slot<Int32Array>;
  readonly #turns: Slot<Float64Array>;
  readonly #time: Slot<Float64Array>;
  readonly #runner: RangeRunner;
  readonly #cut: Cut;
  readonly #move: () => void;

  constructor(plan: MemoryPlan, rigid: RigidBodies, map: BodyMap) {
    const count = map.firstPart[map.firstPart.length - 1];
    this.#map = map;
    this.#rigid = rigid;
    this.#table = plan.i32(TABLE);
    this.#parts = plan.i32(count * PART);
    this.#turns = plan.f64(map.turns.length);
    this.#time = plan.f64(1);
    this.#runner = new RangeRunner(plan);
    this.#cut = this.#runner.cutEvenly(count, LEAST);
    this.#move = moveArrays(plan, rigid, ['v', 'l']);
  }

  /** Once the memory exists, and what else of rigid bodies lies in it. Bodies with flesh are left to plain code. */
  start(threads: ThreadPool, states: readonly CoupledState[]): void {
    this.#move();
    this.#runner.start(threads);
    this.#turns.view.set(this.#map.turns);
    const { q, x, v, l, inverseMass, inverseInertia } = this.#rigid;
    const arrays = [q, x, v, l, inverseMass, inverseInertia, this.#turns.view].map(({ byteOffset }) => byteOffset);
    this.#table.view.set([...arrays, this.#parts.address]);
    const { firstPart, softOf } = this.#map;
    states.forEach(({ poses, boneRates, clock }, i) => {
      if (softOf[i] >= 0) return;
      for (let part = firstPart[i]; part < firstPart[i + 1]; part++) {
        const bone = part - firstPart[i];
        const { quats, rotations, translations } = poses;
        const time = bone === 0 ? clock.byteOffset : 0;
        const places = [bone * 32, bone * 72, bone * 24, bone * 96];
        const starts = [quats, rotations, translations, boneRates].map(({ byteOffset }, n) => byteOffset + places[n]);
        this.#parts.view.set([...starts, time], part * PART);
      }
    });
  }

  /** After a step of h [s]. */
  write(h: number): void {
    this.#time.view[0] = h;
    this.#runner.run('writeBodies', this.#cut, 0, 0, this.#table.address, this.#time.address);
  }
}
