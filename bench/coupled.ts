/** Worlds of the coupled solver: what a frame of 1/60 s costs and how exact it is, while bodies fall and when they lie. */
import { Progress } from '../cli/progress.js';
import {
  buildFloppingFishScene,
  buildMaggotPlateScene,
  buildMaggotsScene,
  buildSidewinderScene,
  buildTwistingBarScene,
} from '../scenes/coupled/coupled-creatures.js';
import {
  buildBallRowScene,
  buildInclineScene,
  buildMixedStackScene,
  buildWindingChainScene,
} from '../scenes/coupled/coupled-figures.js';
import { buildPile1600Scene } from '../scenes/coupled/pile-1600.js';
import { buildTrampolineScene } from '../scenes/coupled/trampoline.js';
import { requireInRange } from '../src/errors.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld, type World } from '../src/index.js';
import { goToFrame } from './coupled-start.js';
import { only } from './only.js';
import { benchHeap } from './peers/heap/heap-bench.js';
import { machine, type Spread, spread } from './stats.js';
import { compareCoupled } from './worlds/coupled-compare.js';

/** A scene measured over some frames. */
export interface CoupledRow {
  readonly scene: string;
  readonly bodies: number;
  /** Rigid parts, soft bodies, sheets. */
  readonly rigid: number;
  readonly soft: number;
  readonly cloth: number;
  /** In the last frame. */
  readonly contacts: number;
  /** Of a frame [s], and the parts it is taken in. */
  readonly dt: number;
  readonly substeps: number;
  readonly frameMs: Spread;
  /** Share of finding contacts in the last frame. */
  readonly searchShare: number;
  /** Deepest of all frames, and of the last [m]. */
  readonly penetration: number;
  readonly lastPenetration: number;
  /** Largest of all frames [kg m/s], and joint gap [m]. */
  readonly momentumDrift: number;
  readonly jointGap: number;
  /** Parts and bodies asleep in the last frame. */
  readonly sleeping: number;
}

interface CoupledBenchOptions {
  readonly json?: boolean;
  readonly frames: string;
  readonly scene?: string;
  readonly from: string;
  readonly threads: string;
  readonly peers?: boolean;
  readonly each: string;
  readonly soft?: boolean;
  readonly into?: string;
  readonly compare?: boolean;
  readonly way?: string;
  readonly substeps?: string;
}

/** Scenes that are measured, by name; those of the pile also without flesh. */
const MEASURED: ReadonlyMap<string, () => AnySceneDef> = new Map([
  ['incline', buildInclineScene],
  ['mixed-stack', buildMixedStackScene],
  ['ball-row', buildBallRowScene],
  ['winding-chain', buildWindingChainScene],
  ['trampoline', buildTrampolineScene],
  ['twisting-bar', buildTwistingBarScene],
  ['maggots', () => buildMaggotsScene()],
  ['maggots-tori', () => buildMaggotsScene({ tori: true })],
  ['maggot-plate', buildMaggotPlateScene],
  ['flopping-fish', buildFloppingFishScene],
  ['sidewinder', buildSidewinderScene],
  ['pile-rigid', () => ({ ...buildPile1600Scene({ soft: false }), name: 'pile-rigid' })],
  ['pile-1600', () => buildPile1600Scene()],
]);

const HEAD =
  'scene           bodies  rigid   soft  contacts  substeps   ms min (median)  search %  deepest mm  last mm    drift';

/** Measures and prints. */
export async function benchCoupled(options: CoupledBenchOptions): Promise<void> {
  const frames = Math.round(requireInRange(Number(options.frames), 1, 1e6, '--frames'));
  if (options.peers) {
    const each = Math.round(requireInRange(Number(options.each), 1, 1e5, '--each'));
    await benchHeap({ json: options.json, frames, each, soft: options.soft, into: options.into });
    return;
  }
  if (options.compare) {
    const { json, scene, way, substeps } = options;
    await compareCoupled({ json, scene, way, substeps: substeps === undefined ? undefined : Number(substeps) });
    return;
  }
  const names = only(MEASURED.keys(), options.scene, '--scene');
  const from = Math.round(requireInRange(Number(options.from), 0, 1e6, '--from'));
  const threads = Number(options.threads);
  const which = `${frames} frames of 1/60 s after the first ${from}, threads: ${threads}`;
  if (!options.json) console.log(`${machine()}; ${which}\n${HEAD}`);
  for (const [name, build] of MEASURED) {
    if (!names.includes(name)) continue;
    const row = await measureCoupled(build(), frames, from, threads);
    console.log(options.json ? JSON.stringify(publicRow(row)) : line(row));
  }
}

/** Runs a scene and says what its frames after the first `from` came to. */
export async function measureCoupled(scene: AnySceneDef, frames: number, from = 0, threads = 1): Promise<CoupledRow> {
  const world = await createWorld(scene, { threads });
  goToFrame(world, scene.name, from);
  const progress = new Progress(scene.name, frames);
  const times: number[] = [];
  let penetration = 0;
  let momentumDrift = 0;
  let jointGap = 0;
  for (let n = 0; n < frames; n++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    times.push(performance.now() - began);
    penetration = Math.max(penetration, world.certificate.penetration);
    momentumDrift = Math.max(momentumDrift, world.certificate.momentumDrift);
    jointGap = Math.max(jointGap, world.certificate.jointGap);
    progress.update(n + 1, `${times[n].toFixed(0)} ms`);
  }
  const row = describe(world, scene, spread(times), { penetration, momentumDrift, jointGap });
  disposeWorld(world);
  return row;
}

function describe(
  { bodies, certificate, dt }: World,
  scene: AnySceneDef,
  frameMs: Spread,
  worst: Pick<CoupledRow, 'penetration' | 'momentumDrift' | 'jointGap'>,
): CoupledRow {
  const rigid = bodies.reduce((sum, { model }) => sum + (model.kind === 'rigid' ? model.bones.count : 0), 0);
  const soft = bodies.filter(({ model }) => model.kind === 'flesh').length;
  const cloth = bodies.filter(({ model }) => model.kind === 'cloth').length;
  const { contact } = certificate.ms;
  const all = Object.values(certificate.ms).reduce((sum, ms) => sum + ms, 0);
  return {
    scene: scene.name,
    bodies: rigid + soft + cloth,
    rigid,
    soft,
    cloth,
    contacts: certificate.contacts,
    dt,
    substeps: Number(scene.solver?.substeps ?? 2),
    frameMs,
    searchShare: contact / all,
    lastPenetration: certificate.penetration,
    sleeping: certificate.sleeping ?? 0,
    ...worst,
  };
}

/** What a line of JSON has; times as the median of the frames [ms]. */
function publicRow(row: CoupledRow) {
  const { scene, bodies, rigid, soft, cloth, contacts, dt, substeps, penetration, momentumDrift } = row;
  const frameMs = row.frameMs.median;
  return { scene, bodies, rigid, soft, cloth, contacts, dt, substeps, frameMs, penetration, momentumDrift };
}

function line(row: CoupledRow): string {
  const { min, median } = row.frameMs;
  return [
    row.scene.padEnd(15),
    String(row.bodies).padStart(6),
    String(row.rigid).padStart(6),
    String(row.soft).padStart(6),
    String(row.contacts).padStart(9),
    String(row.substeps).padStart(9),
    `${min.toFixed(1)} (${median.toFixed(1)})`.padStart(17),
    (100 * row.searchShare).toFixed(0).padStart(9),
    (1000 * row.penetration).toFixed(2).padStart(11),
    (1000 * row.lastPenetration).toFixed(2).padStart(8),
    row.momentumDrift.toExponential(1).padStart(8),
  ].join(' ');
}
