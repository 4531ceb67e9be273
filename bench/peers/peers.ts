/**
 * `tendon bench peers`: the same arm and the same pile in Rapier, Jolt, MuJoCo and Tendon, compared on time and on error. The others are
 * installed into a folder outside the package when they are first asked for.
 */
import { writeOutput } from '../../cli/files/write-file.js';
import { COLORS, drawFigure, type Series } from '../figures/svg-plot.js';
import { machine } from '../stats.js';
import { installPeers, loadPeer, type PeerName, peersFolder } from './install.js';
import { joltPeers } from './jolt.js';
import { mujocoPeers } from './mujoco.js';
import { ARM, type Foreign, type Peer, PILE, pileCentres, trueArm } from './peer.js';
import { rapierPeers } from './rapier.js';
import { tendonPeer } from './tendon.js';

/** Who is asked, and what is made of the module. */
const PEERS: readonly [PeerName, (module: Foreign) => Promise<Peer[]>][] = [
  ['rapier', rapierPeers],
  ['jolt', joltPeers],
  ['mujoco', mujocoPeers],
];
const RATES = [30, 60, 120, 240, 480, 960];
/** Runs of which the fastest counts. */
const RUNS = 5;
const PILE_RATE = 60;

interface PeersOptions {
  readonly json?: boolean;
  readonly figure?: string;
  readonly into?: string;
  readonly install: boolean;
}

/** One row of the result. */
interface PeerRow {
  readonly name: string;
  /** Per rate: error of elbow and tip [m], gap of the joint [m], time for a second [ms]. */
  readonly arm: readonly { readonly rate: number; readonly error: number; readonly gap: number; readonly ms: number }[];
  readonly pile: { readonly drift: number; readonly sink: number; readonly msPerStep: number };
}

/** Measures and prints. */
export async function benchPeers(options: PeersOptions): Promise<void> {
  const folder = peersFolder(options.into);
  const peers: Peer[] = [
    tendonPeer('Tendon, projective', 'projective', { iterations: 10 }),
    tendonPeer('Tendon, projective BDF2', 'projective', { iterations: 10, integrator: 'bdf2' }),
    tendonPeer('Tendon, coupled', 'coupled', {}),
  ];
  const names = PEERS.map(([name]) => name);
  if (options.install) installPeers(folder, names);
  for (const [name, make] of PEERS) {
    const module = await loadPeer(folder, name);
    if (module !== undefined) peers.push(...(await make(module)));
  }
  const rows: PeerRow[] = [];
  for (const peer of peers) {
    const row = await measure(peer);
    rows.push(row);
    if (options.json) console.log(JSON.stringify(row));
  }
  if (!options.json) console.log(tableOf(rows));
  if (options.figure !== undefined) writeOutput(options.figure, drawFigure(plot(rows)));
}

async function measure(peer: Peer): Promise<PeerRow> {
  const truth = trueArm();
  const arm: { rate: number; error: number; gap: number; ms: number }[] = [];
  for (const rate of RATES) {
    let best = await peer.arm(1 / rate);
    for (let n = 1; n < RUNS; n++) {
      const run = await peer.arm(1 / rate);
      if (run.ms < best.ms) best = run;
    }
    const error = Math.max(distance(best.elbow, truth.elbow), distance(best.tip, truth.tip));
    arm.push({ rate, error, gap: distance(best.elbow, best.elbowBelow), ms: best.ms / ARM.seconds });
  }
  // the first run warms up
  await peer.pile(1 / PILE_RATE);
  const { centres, ms } = await peer.pile(1 / PILE_RATE);
  let [drift, sink] = [0, 0];
  pileCentres().forEach((start, i) => {
    const moved = start.map((x, k) => centres[3 * i + k] - x);
    drift = Math.max(drift, Math.hypot(...moved));
    sink = Math.max(sink, -moved[1]);
  });
  return { name: peer.name, arm, pile: { drift, sink, msPerStep: ms / (PILE.seconds * PILE_RATE) } };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function tableOf(rows: readonly PeerRow[]): string {
  const mm = (metres: number): string => (1000 * metres).toPrecision(2);
  const lines = rows.map(({ name, arm, pile }) => {
    const at = (rate: number) => arm.find((one) => one.rate === rate)!;
    const cells = [60, 240, 960].map((rate) => `${mm(at(rate).error)} mm, ${at(rate).ms.toFixed(2)} ms`);
    const gap = mm(Math.max(...arm.map((one) => one.gap)));
    const heap = `${mm(pile.drift)} mm, ${pile.msPerStep.toFixed(2)} ms`;
    return `| ${[name, ...cells, `${gap} mm`, heap].join(' | ')} |`;
  });
  const count = PILE.across * PILE.across * PILE.tall;
  return [
    machine(),
    '',
    `| engine | arm at 60 Hz | at 240 Hz | at 960 Hz | widest joint | ${count} cubes: drift, time a step |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

const LOOKS = [
  COLORS.blue,
  COLORS.sky,
  COLORS.green,
  COLORS.red,
  COLORS.orange,
  COLORS.purple,
  COLORS.grey,
  COLORS.black,
];

function plot(rows: readonly PeerRow[]) {
  const lines = rows.map(({ name, arm }, i): Series => {
    const [x, y] = [arm.map(({ ms }) => ms), arm.map(({ error }) => error)];
    return { label: name, x, y, color: LOOKS[i % LOOKS.length], markers: true };
  });
  const points = rows.map(({ name, pile }, i): Series => {
    const y = [Math.max(1e-9, pile.drift)];
    return { label: name, x: [pile.msPerStep], y, color: LOOKS[i % LOOKS.length], markers: true };
  });
  return {
    description: 'Error against time for a two-bone arm and a pile of cubes, in Tendon, Rapier, Jolt and MuJoCo.',
    legend: lines.map((line) => ({ ...line, x: [], y: [] })),
    panels: [
      {
        title: '(a) arm released level, after 1 s; 30 to 960 Hz',
        x: { label: 'time for one second [ms]', scale: 'log', range: range(lines.flatMap(({ x }) => x)) },
        y: { label: 'farthest point off [m]', scale: 'log', range: range(lines.flatMap(({ y }) => y)) },
        series: lines,
        legend: 'none',
      },
      {
        title: '(b) 80 cubes in columns at rest, 2 s at 60 Hz',
        x: { label: 'time for a step [ms]', scale: 'log', range: range(points.flatMap(({ x }) => x)) },
        y: { label: 'farthest cube moved [m]', scale: 'log', range: range(points.flatMap(({ y }) => y)) },
        series: points,
        legend: 'none',
      },
    ],
  } as const;
}

/** Whole powers of ten around all values. */
function range(values: readonly number[]): [number, number] {
  const logs = values.filter((value) => value > 0).map((value) => Math.log10(value));
  return [10 ** Math.floor(Math.min(...logs)), 10 ** Math.ceil(Math.max(...logs))];
}
