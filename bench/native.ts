/** The native comparator: an executable `run MESH THREADS FRAMES` that times projective dynamics without bones on a mesh. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TendonError } from '../src/index.js';
import { writeTetgen } from '../src/io/tets/tetgen.js';
import type { TetMesh } from '../src/mesh/tets/tet-mesh.js';

/** What the comparator prints: milliseconds per step of 20 iterations, least of the frames. */
export interface NativeTimes {
  readonly textbookMs: number;
  readonly optimisedMs: number;
  /** Entries of the factor under CHOLMOD's minimum degree ordering. */
  readonly amdNnz: number;
}

/** The executable in a folder; `E_UNKNOWN` where there is none. */
export function findNative(folder: string): string {
  const run = join(folder, 'run');
  if (!existsSync(run)) throw new TendonError('E_UNKNOWN', '--native', folder, `no comparator at ${run}`);
  return run;
}

/** Times a mesh with the comparator `run`, one thread, 20 frames. */
export function runNative(mesh: TetMesh, run: string): NativeTimes {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-bench-'));
  try {
    const file = join(folder, 'mesh');
    // corners alone: a body has more, and the comparator reads no regions
    const { node, ele } = writeTetgen({ positions: mesh.positions, tets: mesh.tets });
    writeFileSync(`${file}.node`, node);
    writeFileSync(`${file}.ele`, ele);
    return JSON.parse(execFileSync(run, [file, '1', '20'], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
