/** Rigid bodies of one bone in the projective solver: what a step costs while a heap of them falls, lands and lies, and how deep they come into each other. */
import { buildRigidHeap } from '../scenes/cast/rigid-heap.js';
import { createWorld, disposeWorld, stepWorld } from '../src/index.js';
import { busyMs } from './peers/peer.js';
import { machine } from './stats.js';

interface RigidBenchOptions {
  readonly json?: boolean;
  readonly count: string;
  readonly steps: string;
  readonly threads: string;
}

/** Steps told together. */
const TOGETHER = 10;

/** Some steps. */
export interface RigidRow {
  readonly bodies: number;
  /** The last of the steps. */
  readonly step: number;
  readonly contacts: number;
  /** Least, median and most, by the clock, and the median of the processor [ms]. */
  readonly stepMs: readonly [number, number, number];
  readonly processorMs: number;
  /** Deepest of these steps [m], and the most parts one of them was taken in. */
  readonly penetration: number;
  readonly parts: number;
}

/** Measures and prints. */
export async function benchRigid({ json, count, steps, threads }: RigidBenchOptions): Promise<void> {
  if (!json) {
    console.log(`${machine()}; ${count} rigid bodies, ${threads} threads; ms a step, least (median, most)`);
    console.log('step  contacts          by the clock   processor  deepest mm  parts');
  }
  const world = await createWorld(buildRigidHeap(Number(count)), { threads: Number(threads) });
  for (let step = TOGETHER; step <= Number(steps); step += TOGETHER) {
    const [clock, busy]: [number[], number[]] = [[], []];
    let [penetration, parts] = [0, 0];
    for (let n = 0; n < TOGETHER; n++) {
      const began = [performance.now(), busyMs()];
      if (!stepWorld(world)) throw world.fault;
      clock.push(performance.now() - began[0]);
      busy.push(busyMs() - began[1]);
      penetration = Math.max(penetration, world.certificate.penetration);
      parts = Math.max(parts, world.certificate.substeps);
    }
    for (const times of [clock, busy]) times.sort((a, b) => a - b);
    const row: RigidRow = {
      bodies: world.bodies.length,
      step,
      contacts: world.certificate.contacts,
      stepMs: [clock[0], clock[TOGETHER >> 1], clock[TOGETHER - 1]],
      processorMs: busy[TOGETHER >> 1],
      penetration,
      parts,
    };
    console.log(json ? JSON.stringify(row) : line(row));
  }
  disposeWorld(world);
}

function line({ step, contacts, stepMs: [least, median, most], processorMs, penetration, parts }: RigidRow): string {
  const clock = `${least.toFixed(1)} (${median.toFixed(1)}, ${most.toFixed(0)})`;
  return [
    String(step).padStart(4),
    String(contacts).padStart(9),
    clock.padStart(21),
    processorMs.toFixed(1).padStart(11),
    (1000 * penetration).toFixed(1).padStart(11),
    String(parts).padStart(6),
  ].join(' ');
}
