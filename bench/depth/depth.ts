/** How deep bodies are in anything in the scenes where they touch, themselves included: by the certificate of every step, and by a measure of their own flesh that knows nothing of contacts. */
import { Progress } from '../../cli/progress.js';
import { findScene, SCENES } from '../../scenes/index.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { machine } from '../stats.js';
import { ownOverlap } from './own-overlap.js';

/** A depth as a share of the size of the body it is in, and the step it was seen in, the first being 1; 0 where there was none. */
export interface Deepest {
  depth: number;
  step: number;
}

/** What was seen of a scene. */
export interface DepthRow {
  readonly scene: string;
  readonly steps: number;
  /** By the certificate. */
  readonly penetration: Deepest;
  readonly turnedDepth: Deepest;
  /** By points in tets, in steps looked at. */
  readonly crease: Deepest;
  readonly insideOut: Deepest;
  /** Steps that failed. */
  readonly faults: number;
}

interface DepthOptions {
  readonly steps: string;
  readonly every: string;
  readonly json?: boolean;
}

/** Runs the scenes named, or all of flesh that can touch something, and prints a row for each that did. */
export async function benchDepth(names: readonly string[], options: DepthOptions): Promise<void> {
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e6, '--steps'));
  const every = Math.round(requireInRange(Number(options.every), 1, 1e6, '--every'));
  for (const name of names) findScene(name);
  const often = every === 1 ? 'every step' : `one step in ${every}`;
  if (!options.json)
    console.log(`${machine()}; ${steps} steps, in % of the size (step); measured: ${often}\n\n${HEAD}`);
  for (const name of names.length > 0 ? names : [...SCENES.keys()].filter(isOfFlesh)) {
    const row = await depthOf(name, steps, every);
    if (options.json) console.log(JSON.stringify(row));
    else if (names.length > 0 || hasTouched(row)) console.log(line(row));
  }
}

/** Runs a scene; looks at its own flesh in one step of so many. */
export async function depthOf(name: string, steps: number, every = 1): Promise<DepthRow> {
  const world = await createWorld(findScene(name).build(), { threads: 1 });
  const progress = new Progress(name, steps);
  const row = { penetration: nothing(), turnedDepth: nothing(), crease: nothing(), insideOut: nothing() };
  let faults = 0;
  for (let n = 1; n <= steps; n++) {
    if (!stepWorld(world)) faults++;
    for (const body of world.bodies) {
      const { report, model } = body;
      note(row.penetration, report.penetration / model.size, n);
      note(row.turnedDepth, report.turnedDepth / model.size, n);
      if (n % every !== 0 || model.tetCount === 0) continue;
      const { crease, turned } = ownOverlap(body);
      note(row.crease, crease / model.size, n);
      note(row.insideOut, turned / model.size, n);
    }
    progress.update(n);
  }
  disposeWorld(world);
  return { scene: name, steps, ...row, faults };
}

function nothing(): Deepest {
  return { depth: 0, step: 0 };
}

function note(deepest: Deepest, depth: number, step: number): void {
  if (depth > deepest.depth) Object.assign(deepest, { depth, step });
}

/** Scenes of the default solver: of others the own pages say how deep things come. */
function isOfFlesh(name: string): boolean {
  const { solver } = findScene(name).build();
  return solver === undefined || solver.kind === 'projective';
}

function hasTouched({ penetration, crease }: DepthRow): boolean {
  return penetration.depth > 0 || crease.depth > 0;
}

const HEAD =
  '| scene | `penetration` | creases, measured | `turnedDepth` | inside out, measured |\n| --- | --- | --- | --- | --- |';

function line({ scene, penetration, crease, turnedDepth, insideOut, faults }: DepthRow): string {
  const cells = [penetration, crease, turnedDepth, insideOut].map(({ depth, step }) =>
    depth < 5e-5 ? '0' : `${(100 * depth).toFixed(2)} (${step})`,
  );
  return `| ${scene} | ${cells.join(' | ')} |${faults > 0 ? ` ${faults} steps failed` : ''}`;
}
