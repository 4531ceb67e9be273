/** Runs an outside program in a folder of its own: no shell, a time limit, a cap on what it prints. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TendonError } from '../src/errors.js';

/** A run of a program. */
export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** Time it may take [s]. */
  readonly seconds: number;
  /** One line on how to get the program, for when it is not there. */
  readonly install: string;
}

/** What a program that ran to its end, well or badly, left behind. */
export interface ProgramResult {
  readonly ok: boolean;
  /** Everything it printed, on both streams. */
  readonly text: string;
  /** How it ended: 'exit code 1', 'signal SIGABRT'. */
  readonly end: string;
}

/** What a program may print [bytes]. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/** Runs it. `E_PROGRAM` where it is missing, takes too long or prints too much; a failed run is a result. */
export function runProgram({ program, args, folder, seconds, install }: ProgramRun): Promise<ProgramResult> {
  const options = {
    cwd: folder,
    timeout: 1000 * seconds,
    killSignal: 'SIGKILL' as const,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
    // No settings of the user's, and messages in English.
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C' },
  };
  return new Promise((resolve, reject) => {
    const fail = (value: unknown, advice: string): void => reject(new TendonError('E_PROGRAM', program, value, advice));
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`;
      if (error === null) resolve({ ok: true, text, end: 'exit code 0' });
      else if (error.code === 'ENOENT' || error.code === 'EACCES')
        fail(error.code, `the program is missing: ${install}`);
      else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') fail(MAX_OUTPUT, 'the program printed too much');
      else if (error.killed) fail(`${seconds} s`, 'the program took too long: mesh more coarsely, or allow more time');
      else resolve({ ok: false, text, end: error.signal ? `signal ${error.signal}` : `exit code ${error.code}` });
    });
  });
}

/** Calls `work` with a new folder, which is gone afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-mesh-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
