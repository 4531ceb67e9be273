/** Worlds that are measured from a later frame on: how they are there is kept in a folder for temporary files, so that only the first run pays for getting there. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress } from '../cli/progress.js';
import { TendonError } from '../src/errors.js';
import { restoreSnapshot, stepWorld, takeSnapshot, type World } from '../src/index.js';

/** Takes a world to a frame, by the snapshot kept of it or step by step; a snapshot of another world is made anew. */
export function goToFrame(world: World, scene: string, frame: number, folder = join(tmpdir(), 'tendon-bench')): void {
  if (frame === 0) return;
  const file = join(folder, `${scene}-${frame}.snapshot`);
  if (existsSync(file) && isRestored(world, file)) return;
  const progress = new Progress(`${scene}, until frame ${frame}`, frame);
  while (world.stepCount < frame) {
    if (!stepWorld(world)) throw world.fault;
    progress.update(world.stepCount, '');
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, takeSnapshot(world));
}

function isRestored(world: World, file: string): boolean {
  try {
    restoreSnapshot(world, readFileSync(file));
    return true;
  } catch (error) {
    if (error instanceof TendonError && error.code === 'E_SNAPSHOT') return false;
    throw error;
  }
}
