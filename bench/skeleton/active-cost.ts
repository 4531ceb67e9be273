/** What limits and motors on every joint add to a step of the real-time human, or of a rigged model: bodies side by side, stepped in turn, medians. */
import { readFileSync } from 'node:fs';
import { DECODERS } from '../../cli/files/decoders.js';
import { buildHuman } from '../../scenes/cast/human.js';
import type { BodyDef, JointDef } from '../../src/body/body-def.js';
import { characterScene, loadCharacter } from '../../src/character/load-character.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../src/index.js';
import { machine, spread } from '../stats.js';

interface CostOptions {
  readonly steps: string;
  readonly tets: string;
  readonly json?: boolean;
}

/** What a step took. */
export interface CostRow {
  readonly name: string;
  readonly joints: number;
  /** Median of a step, and of its bones alone [ms]; relative to the first row. */
  readonly stepMs: number;
  readonly bonesMs: number;
  readonly share: number;
}

/** Measures and prints; `file`: a rigged model instead of the human, with the limits that are guessed for it. */
export async function benchActiveCost(file: string | undefined, options: CostOptions): Promise<void> {
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e6, '--steps'));
  const bodies = file === undefined ? humans() : await riggedBodies(file, Number(options.tets));
  const rows = await measureActiveCost(steps, bodies);
  const who = `${file ?? 'real-time human'}, ${bodies[0].tets.length / 4} tets`;
  if (!options.json) console.log(`${machine()}; ${who}, hanging by its trunk, medians of ${steps} steps`);
  for (const { name, joints, stepMs, bonesMs, share } of rows) {
    if (options.json) console.log(JSON.stringify({ name, joints, stepMs, bonesMs, share }));
    else {
      const change = `${share >= 0 ? '+' : ''}${(100 * share).toFixed(1)} %`;
      console.log(
        `${name.padEnd(20)} ${joints} joints  ${stepMs.toFixed(3)} ms, bones ${bonesMs.toFixed(3)} ms  ${change}`,
      );
    }
  }
}

/** The human without limits and with them. */
export function humans(): [BodyDef, BodyDef] {
  return [hang(buildHuman({ cell: 0.08, feet: true })), hang(buildHuman({ cell: 0.08, feet: true, limits: true }))];
}

/** A rigged model without limits and with those that are guessed for it. */
async function riggedBodies(file: string, tets: number): Promise<[BodyDef, BodyDef]> {
  requireInRange(tets, 1, 1e6, '--tets');
  const bytes = readFileSync(file);
  const character = await loadCharacter(bytes, { tets, decoders: DECODERS });
  const limited = characterScene(character).bodies[0].body as BodyDef;
  return [withJoints(limited, ({ limits: _, ...joint }) => joint), limited];
}

/** One row per kind of joint. */
export async function measureActiveCost(steps: number, [plain, limited]: [BodyDef, BodyDef]): Promise<CostRow[]> {
  const motor = { stiffness: 30, damping: 3, maxTorque: 40 };
  const driven = withJoints(limited, (joint) => ({ ...joint, motor }));
  const cases: [string, BodyDef][] = [
    ['plain joints', plain],
    ['limits', limited],
    ['limits and motors', driven],
  ];
  const worlds: World[] = [];
  for (const [name, body] of cases) {
    worlds.push(await createWorld({ name, description: '', bodies: [{ body }] }, { dt: 1 / 60, contact: 'none' }));
  }
  const times = worlds.map((): number[] => []);
  const bones = worlds.map((): number[] => []);
  // in turn, so that whatever else the machine does hits all of them
  for (let n = 0; n < steps + WARM_UP; n++) {
    worlds.forEach((world, i) => {
      const began = performance.now();
      stepWorld(world);
      if (n < WARM_UP) return;
      times[i].push(performance.now() - began);
      bones[i].push(world.certificate.ms.bones);
    });
  }
  const first = spread(times[0]).median;
  const rows = worlds.map((world, i) => {
    const stepMs = spread(times[i]).median;
    const { count } = world.bodies[0].model.joints;
    return { name: cases[i][0], joints: count, stepMs, bonesMs: spread(bones[i]).median, share: stepMs / first - 1 };
  });
  for (const world of worlds) disposeWorld(world);
  return rows;
}

const WARM_UP = 40;

function hang(body: BodyDef): BodyDef {
  return { ...body, bones: (body.bones ?? []).map((bone) => ({ ...bone, kinematic: bone.name === 'torso' })) };
}

function withJoints(body: BodyDef, change: (joint: JointDef) => JointDef): BodyDef {
  return { ...body, joints: (body.joints ?? []).map(change) };
}
