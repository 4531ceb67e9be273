/** The runtimes of [Li2019, Table 1] on this machine: five bodies without contact, 20 iterations, time step 0.033 s. */
import { buildScene } from '../scenes/index.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld } from '../src/index.js';
import { withoutContact } from './contact/without-contact.js';
import { only } from './only.js';
import { machine, type Spread, spread } from './stats.js';

/** Published total and plain projective dynamics times [ms], Intel i7-8750H. */
const PAPER: Readonly<Record<string, { total: number; pd: number }>> = {
  bar: { total: 76, pd: 56 },
  snail: { total: 1014, pd: 1159 },
  'washing-machine': { total: 521, pd: 431 },
  'aerial-silk': { total: 669, pd: 439 },
  mermaid: { total: 284, pd: 273 },
};

interface Table1Options {
  readonly json?: boolean;
  readonly threads: string;
  readonly scene?: string;
  readonly frames: string;
  /** Iterations that are not accelerated, as in versions before there was acceleration. */
  readonly plain?: boolean;
}

/** Measures and prints the table. */
export async function benchTable1(options: Table1Options): Promise<void> {
  const names = only(Object.keys(PAPER), options.scene, '--scene');
  if (!options.json) console.log(`${machine()}; milliseconds per step of 20 iterations, min (median)\n${HEAD}`);
  for (const name of names) {
    const row = await measureScene(name, Number(options.threads), Number(options.frames), !options.plain);
    console.log(options.json ? JSON.stringify(row) : line(row));
  }
}

/** One row of the table. */
export interface Table1Row {
  readonly scene: string;
  readonly vertices: number;
  readonly elasticVertices: number;
  readonly tets: number;
  readonly bones: number;
  readonly joints: number;
  readonly iterations: number;
  readonly threads: number;
  readonly affineMs: Spread;
  readonly jointMs: Spread;
  readonly totalMs: Spread;
  readonly pdMs: Spread;
  readonly jointGap: number;
  readonly paperTotalMs: number;
}

/** Runs a scene with its bones and without. */
export async function measureScene(
  name: string,
  threads: number,
  frames: number,
  accelerated = true,
): Promise<Table1Row> {
  const scene = withoutContact(buildScene(name));
  const full = await timeScene(scene, threads, frames, accelerated);
  const plain = await timeScene(withoutBones(scene), threads, frames, accelerated);
  return { scene: name, ...full, pdMs: plain.totalMs, paperTotalMs: PAPER[name].total };
}

/** The same bodies as flesh alone. */
export function withoutBones(scene: AnySceneDef): AnySceneDef {
  return {
    ...scene,
    bodies: scene.bodies.map((placed) => ({ ...placed, body: { ...placed.body, bones: [], joints: [] } })),
  };
}

async function timeScene(scene: AnySceneDef, threads: number, frames: number, accelerated: boolean) {
  const world = await createWorld(scene, { threads, accelerated });
  const totals: number[] = [];
  const affine: number[] = [];
  const joint: number[] = [];
  let jointGap = 0;
  const warmUp = 5;
  for (let frame = 0; frame < frames + warmUp; frame++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    const total = performance.now() - began;
    const { ms } = world.certificate;
    jointGap = Math.max(jointGap, world.certificate.jointGap);
    if (frame < warmUp) continue;
    totals.push(total);
    affine.push(total - ms.bones);
    joint.push(ms.bones);
  }
  const row = {
    vertices: sum(world.bodies.map(({ model }) => model.vertexCount)),
    elasticVertices: sum(world.bodies.map(({ model }) => model.vertexCount - model.bones.vertices.length)),
    tets: sum(world.bodies.map(({ model }) => model.tetCount)),
    bones: sum(world.bodies.map(({ model }) => model.bones.count)),
    joints: sum(world.bodies.map(({ model }) => model.joints.count)),
    iterations: world.options.iterations,
    threads: world.threads.threads,
    affineMs: spread(affine),
    jointMs: spread(joint),
    totalMs: spread(totals),
    jointGap,
  };
  disposeWorld(world);
  return row;
}

const HEAD =
  'scene            vertices elastic   tets bones joints        affine       joints           total              PD   gap [m]  paper';

function line(row: Table1Row): string {
  const pad = (value: string | number, width: number) => String(value).padStart(width);
  const both = ({ min, median }: Spread) => `${min.toFixed(1)} (${median.toFixed(1)})`;
  return [
    row.scene.padEnd(16),
    pad(row.vertices, 8),
    pad(row.elasticVertices, 7),
    pad(row.tets, 6),
    pad(row.bones, 5),
    pad(row.joints, 6),
    pad(both(row.affineMs), 13),
    pad(both(row.jointMs), 12),
    pad(both(row.totalMs), 15),
    pad(both(row.pdMs), 15),
    pad(row.jointGap.toExponential(0), 9),
    pad(row.paperTotalMs, 6),
  ].join(' ');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
