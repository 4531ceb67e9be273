/**
 * `tendon bench layered --ready MODEL...`: how long it is from the bytes of a rigged file to a world with the character on a floor that can take its first
 * step, with no options, the engine's compiling included: every model has a process of its own, in which nothing has run before.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { loadLayered } from '../../src/character/load-character.js';
import { createWorld } from '../../src/world/create-world.js';
import { machine } from '../stats.js';

/** What a model took. */
export interface ReadyTimes {
  readonly model: string;
  readonly nodes: number;
  readonly bones: number;
  /** By the clock, and of all processors [ms]. */
  readonly readyMs: number;
  readonly processorMs: number;
}

/** Runs the command; one model is built here, several by a process each. */
export async function benchReady(files: readonly string[], json: boolean): Promise<void> {
  if (files.length === 1) {
    show(await timeReady(files[0]), json);
    return;
  }
  if (!json) console.log(`${machine()}\nmodel  nodes  bones  ready ms  processor ms`);
  for (const file of files) {
    const command = [process.argv[1], 'bench', 'layered', '--json', '--ready', file];
    const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${file}: ${stderr}`);
    show(JSON.parse(stdout) as ReadyTimes, json);
  }
}

function show(times: ReadyTimes, json: boolean): void {
  const { model, nodes, bones, readyMs, processorMs } = times;
  if (json) console.log(JSON.stringify(times));
  else console.log([model, nodes, bones, Math.round(readyMs), Math.round(processorMs)].join('  '));
}

async function timeReady(file: string): Promise<ReadyTimes> {
  const bytes = new Uint8Array(readFileSync(file));
  const before = process.cpuUsage();
  const began = performance.now();
  const { body } = await loadLayered(bytes);
  await createWorld({
    name: body.name,
    description: 'on a floor',
    solver: { kind: 'layered' },
    bodies: [{ body }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' } }],
  });
  const readyMs = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return {
    model: basename(file, '.glb'),
    nodes: body.positions.length / 3,
    bones: body.bones.length,
    readyMs,
    processorMs: (user + system) / 1000,
  };
}
