/**
 * Bodies with bones and joints, 20 iterations on one thread, against a native program that solves the same tets without
 * bones, both without contact; and the share of the bones and joints in the total.
 */
import { buildScene } from '../scenes/index.js';
import { requireFlesh } from '../src/body/kinds/any-body-def.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../src/index.js';
import { withoutContact } from './contact/without-contact.js';
import { findNative, runNative } from './native.js';
import { only } from './only.js';
import { machine, type Spread, spread } from './stats.js';

/** Scenes with a limit for their time; the last is there for the share of its nine bones and eight joints. */
const COMPARED = ['bar', 'aerial-silk', 'mermaid', 'snail', 'washing-machine'];
/** Total over the native program's time, at most. */
const MOST_RATIO = 2;
/** Bones and joints over total, at most, for `washing-machine`. */
const MOST_SHARE = 0.1;
const WARM_UP = 5;
/** Steps timed before the native program runs, and again after: what else runs on the machine then hits both. */
const FRAMES = 30;

/** One scene measured. */
export interface SceneRow {
  readonly scene: string;
  readonly tets: number;
  readonly bones: number;
  readonly joints: number;
  /** Whole step, and the part of the bones and joints [ms]. */
  readonly totalMs: Spread;
  readonly jointMs: Spread;
  /** Least of jointMs over least of totalMs. */
  readonly jointShare: number;
  readonly optimisedMs: number;
  readonly textbookMs: number;
  /** Least of totalMs over optimisedMs. */
  readonly ratio: number;
}

interface SceneOptions {
  /** Folder of the comparator. */
  readonly native: string;
  readonly json?: boolean;
  /** Only this one. */
  readonly scene?: string;
}

/** Measures and prints, one line per scene. */
export async function benchScenes(options: SceneOptions): Promise<void> {
  const run = findNative(options.native);
  const names = only(COMPARED, options.scene, '--scene');
  if (!options.json) {
    console.log(`with bones and joints, against the native program without; ${machine()}`);
    console.log('scene              tets bones joints   total [ms]  optimised  ratio   joints [ms]  share');
  }
  for (const name of names) {
    const row = await compareScene(name, run);
    console.log(options.json ? JSON.stringify(row) : line(row));
  }
  if (options.json) return;
  const targets = `ratio at most ${MOST_RATIO} (not asked of washing-machine), its share at most ${100 * MOST_SHARE} %`;
  console.log(`min (median) of ${2 * FRAMES} steps; targets: ${targets}\n`);
}

/** Runs a scene, the comparator, and the scene again. */
async function compareScene(name: string, run: string): Promise<SceneRow> {
  const scene = withoutContact(buildScene(name));
  const [{ body }] = scene.bodies;
  const world = await createWorld(scene, { threads: 1 });
  const totals: number[] = [];
  const joints: number[] = [];
  const measure = () => {
    for (let n = 0; n < WARM_UP; n++) step(world);
    for (let frame = 0; frame < FRAMES; frame++) {
      totals.push(step(world));
      joints.push(world.certificate.ms.bones);
    }
  };
  measure();
  const { optimisedMs, textbookMs } = runNative(requireFlesh(body), run);
  measure();
  disposeWorld(world);
  const { model } = world.bodies[0];
  const totalMs = spread(totals);
  const jointMs = spread(joints);
  return {
    scene: name,
    tets: model.tetCount,
    bones: model.bones.count,
    joints: model.joints.count,
    totalMs,
    jointMs,
    jointShare: jointMs.min / totalMs.min,
    optimisedMs,
    textbookMs,
    ratio: totalMs.min / optimisedMs,
  };
}

/** One step of the scene's own 20 iterations [ms]. */
function step(world: World): number {
  const began = performance.now();
  if (!stepWorld(world)) throw world.fault;
  return performance.now() - began;
}

function line({ scene, tets, bones, joints, totalMs, jointMs, jointShare, optimisedMs, ratio }: SceneRow): string {
  const both = ({ min, median }: Spread) => `${min.toFixed(1)} (${median.toFixed(1)})`;
  const missed = (scene === 'washing-machine' ? jointShare > MOST_SHARE : ratio > MOST_RATIO) ? '  MISSED' : '';
  const cells = [
    scene.padEnd(15),
    String(tets).padStart(7),
    String(bones).padStart(5),
    String(joints).padStart(6),
    both(totalMs).padStart(14),
    optimisedMs.toFixed(1).padStart(9),
    ratio.toFixed(2).padStart(6),
    both(jointMs).padStart(13),
    `${(100 * jointShare).toFixed(1)} %`.padStart(7),
  ];
  return `${cells.join(' ')}${missed}`;
}
