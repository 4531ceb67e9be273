/** The pile in Tendon, Rapier and Jolt in one run: time of the processor per frame while it falls, lands and lies, and how deep bodies come into each other. */
import { Progress } from '../../../cli/progress.js';
import { machine } from '../../stats.js';
import { installPeers, loadPeer, peersFolder } from '../install.js';
import { busyMs } from '../peer.js';
import { buildHeap, type Heap, type HeapPoses, HeapRuler, type HeapRun } from './heap.js';
import { measureFlesh } from './heap-flesh.js';
import { joltHeap } from './jolt-heap.js';
import { rapierHeap } from './rapier-heap.js';
import { tendonHeap } from './tendon-heap.js';

/** How it is run. */
export interface HeapBenchOptions {
  readonly json?: boolean;
  readonly frames: number;
  readonly each: number;
  /** Whether flesh is in it. */
  readonly soft?: boolean;
  readonly into?: string;
}

/** Frames by what the pile does in them: it falls, lands, lies. */
const PHASES = [
  ['falling', 0, 30],
  ['landing', 30, 70],
  ['heap', 70, Number.POSITIVE_INFINITY],
] as const;
/** Frames between two looks of the ruler. */
const LOOK = 3;
/** Before it is timed each engine lets a small pile fall for so many frames: until then what runs often is still being compiled, and the first engine would pay for all. */
const WARM_UP = { each: 40, frames: 150 } as const;

/** An engine in a phase. */
export interface HeapRow {
  readonly engine: string;
  readonly phase: string;
  readonly bodies: number;
  /** Median of the frames, of the processor [ms]. */
  readonly frameMs: number;
  /** Deepest of the phase, and widest joint [m]; bodies that have left in its last frame. */
  readonly penetration: number;
  readonly jointGap: number;
  readonly lost: number;
  /** Deepest of rigid bodies in soft ones, and of soft ones in each other [m]; 0 where there are none. */
  readonly rigidInSoft: number;
  readonly softInSoft: number;
}

/** Measures and prints. */
export async function benchHeap({ json, frames, each, soft, into }: HeapBenchOptions): Promise<void> {
  const folder = peersFolder(into);
  installPeers(folder, ['rapier', 'jolt']);
  const heap = buildHeap(each, soft);
  const small = buildHeap(WARM_UP.each, soft);
  const runs: ((heap: Heap, each: number) => Promise<HeapRun>)[] = [2, 4].map(
    (substeps) => (heap, each) => tendonHeap(heap, each, substeps),
  );
  const rapier = await loadPeer(folder, 'rapier');
  const jolt = await loadPeer(folder, 'jolt');
  if (rapier) runs.push((heap) => rapierHeap(rapier, heap));
  if (rapier && soft) runs.push((heap) => rapierHeap(rapier, heap, 'Fem'));
  if (jolt) runs.push((heap) => joltHeap(jolt, heap));
  if (!json) {
    const { parts, joints, flesh } = heap;
    const what = `${parts.length} rigid bodies, ${joints.length} joints, ${flesh.length} soft bodies`;
    console.log(`${machine()}; ${what}, frames of 1/60 s`);
    console.log('engine               phase     ms a frame  deepest mm  in flesh  flesh in flesh  joints mm  lost');
  }
  for (const make of runs) {
    warmUp(await make(small, WARM_UP.each));
    const run = await make(heap, each);
    for (const row of measure(run, heap, frames)) console.log(json ? JSON.stringify(row) : line(row));
    run.dispose();
  }
}

function warmUp(run: HeapRun): void {
  for (let n = 0; n < WARM_UP.frames; n++) run.step();
  run.dispose();
}

function measure(run: HeapRun, heap: Heap, frames: number): HeapRow[] {
  const ruler = new HeapRuler(heap);
  const count = heap.parts.length;
  const poses: HeapPoses = {
    positions: new Float64Array(count * 3),
    rotations: new Float64Array(count * 4),
    flesh: heap.flesh.map(({ model }) => new Float64Array(model.positions.length)),
  };
  const progress = new Progress(run.name, frames);
  const rows: HeapRow[] = [];
  for (const [phase, from, to] of PHASES) {
    const times: number[] = [];
    let [penetration, jointGap, lost, rigidInSoft, softInSoft] = [0, 0, 0, 0, 0];
    for (let n = from; n < Math.min(to, frames); n++) {
      const began = busyMs();
      run.step();
      times.push(busyMs() - began);
      progress.update(n + 1, `${times[times.length - 1].toFixed(0)} ms`);
      if (n % LOOK !== 0) continue;
      run.read(poses);
      const found = ruler.measure(poses);
      penetration = Math.max(penetration, found.deepest);
      jointGap = Math.max(jointGap, found.gap);
      const inFlesh = measureFlesh(heap, poses);
      rigidInSoft = Math.max(rigidInSoft, inFlesh.rigidInSoft);
      softInSoft = Math.max(softInSoft, inFlesh.softInSoft);
      lost = found.lost + inFlesh.lost;
    }
    if (times.length === 0) continue;
    times.sort((a, b) => a - b);
    const frameMs = times[times.length >> 1];
    const bodies = count + heap.flesh.length;
    rows.push({ engine: run.name, phase, bodies, frameMs, penetration, jointGap, lost, rigidInSoft, softInSoft });
  }
  return rows;
}

function line({ engine, phase, frameMs, penetration, jointGap, lost, ...soft }: HeapRow): string {
  return [
    engine.padEnd(20),
    phase.padEnd(8),
    frameMs.toFixed(1).padStart(11),
    (1000 * penetration).toFixed(2).padStart(11),
    (1000 * soft.rigidInSoft).toFixed(2).padStart(9),
    (1000 * soft.softInSoft).toFixed(2).padStart(15),
    (1000 * jointGap).toPrecision(2).padStart(10),
    String(lost).padStart(5),
  ].join(' ');
}
