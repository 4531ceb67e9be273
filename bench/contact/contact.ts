/** What contact costs: its share in a scene that is full of it, and how it grows with contacts and with vertices. */
import { writeOutput } from '../../cli/files/write-file.js';
import { findScene } from '../../scenes/index.js';
import { requireInRange } from '../../src/errors.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { drawFigure } from '../figures/svg-plot.js';
import { machine, type Spread, spread } from '../stats.js';
import { plotContactCost } from './contact-figure.js';
import { type ContactRow, LONGER, measureSlab, THICKER } from './contact-slab.js';
import { withoutContact } from './without-contact.js';

const SCENE = 'washing-machine';
/** Share of contact in the step, at most. */
const MOST_SHARE = 0.4;
const STEPS = 120;

/** Parts of a step, in their order. */
const STAGES = ['predict', 'local', 'global', 'bones', 'contact', 'finish'] as const;
type Stage = (typeof STAGES)[number];

/** A scene measured. */
export interface ContactShare {
  readonly scene: string;
  readonly vertices: number;
  /** Median over the timed steps. */
  readonly contacts: number;
  readonly totalMs: Spread;
  readonly stagesMs: Readonly<Record<Stage, Spread>>;
  /** Median of contact over median of the step. */
  readonly share: number;
  /** The same body without contact, the whole step. */
  readonly aloneMs: Spread;
}

interface ContactBenchOptions {
  readonly json?: boolean;
  readonly figure?: string;
  /** Steps of the scene that are timed, after as many that are not. */
  readonly steps?: string;
  /** Only the scene, without the slabs. */
  readonly share?: boolean;
}

/** Measures and prints. */
export async function benchContact(options: ContactBenchOptions = {}): Promise<void> {
  const print = (row: ContactShare | ContactRow, text: () => string) =>
    console.log(options.json ? JSON.stringify(row) : text());
  if (!options.json) console.log(`${machine()}; milliseconds per step, min (median)\n`);
  const steps = requireInRange(Number(options.steps ?? STEPS), 1, 100_000, 'steps');
  const share = await measureContactShare(SCENE, steps);
  print(share, () => describeShare(share));
  if (options.share) return;
  if (!options.json) console.log('\nslab        vertices contacts         contact            total');
  const rows: ContactRow[] = [];
  for (const cells of [...LONGER, ...THICKER.slice(1)]) {
    for await (const row of measureSlab(cells)) {
      rows.push(row);
      print(row, () => line(row));
    }
  }
  if (options.figure !== undefined) writeOutput(options.figure, drawFigure(plotContactCost(rows)));
}

/** Runs a scene until its body is well among its contacts, then times as many steps again. */
export async function measureContactShare(name: string, steps = STEPS): Promise<ContactShare> {
  const entry = findScene(name);
  const scene = entry.build();
  const { totals, stages, contacts, vertices } = await timeStages(scene, steps);
  const totalMs = spread(totals);
  const stagesMs = Object.fromEntries(STAGES.map((stage, i) => [stage, spread(stages[i])])) as ContactShare['stagesMs'];
  const alone = await timeStages(withoutContact(scene), steps);
  return {
    scene: name,
    vertices,
    contacts: spread(contacts).median,
    totalMs,
    stagesMs,
    share: stagesMs.contact.median / totalMs.median,
    aloneMs: spread(alone.totals),
  };
}

async function timeStages(scene: AnySceneDef, steps: number) {
  const world = await createWorld(scene, { threads: 1 });
  const totals: number[] = [];
  const contacts: number[] = [];
  const stages = STAGES.map((): number[] => []);
  for (let n = 0; n < 2 * steps; n++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    const total = performance.now() - began;
    if (n < steps) continue;
    totals.push(total);
    contacts.push(world.contacts.count);
    STAGES.forEach((stage, i) => {
      stages[i].push(world.certificate.ms[stage]);
    });
  }
  disposeWorld(world);
  const vertices = world.bodies.reduce((sum, { model }) => sum + model.vertexCount, 0);
  return { totals, stages, contacts, vertices };
}

const both = ({ min, median }: Spread) => `${min.toFixed(2)} (${median.toFixed(2)})`;

function describeShare({ scene, vertices, contacts, totalMs, stagesMs, share, aloneMs }: ContactShare): string {
  const missed = share > MOST_SHARE ? '  MISSED' : '';
  return [
    `${scene}: ${vertices} vertices, ${contacts} contacts`,
    ...STAGES.map((stage) => `  ${stage.padEnd(8)} ${both(stagesMs[stage]).padStart(16)}`),
    `  ${'total'.padEnd(8)} ${both(totalMs).padStart(16)}   without contact ${both(aloneMs)}`,
    `  share of contact ${(100 * share).toFixed(1)} %, target at most ${100 * MOST_SHARE} %${missed}`,
  ].join('\n');
}

function line({ cells, vertices, contacts, contactMs, totalMs }: ContactRow): string {
  const counts = `${String(vertices).padStart(7)} ${String(contacts).padStart(8)}`;
  return `${cells.join(' x ').padEnd(12)} ${counts} ${both(contactMs).padStart(15)} ${both(totalMs).padStart(16)}`;
}
