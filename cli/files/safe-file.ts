/**
 * A file that grows while a program runs and gets its name only when it is complete: it is written under a temporary name beside its
 * place, flushed to the disk and renamed. Whatever happens before that, the name holds what it held.
 */
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { TendonError } from '../../src/errors.js';

const COPY_BYTES = 1 << 20;

/** Bytes that are appended now and get a header later. */
export class SafeFile {
  readonly path: string;
  readonly #temporary: string;
  #file: number | undefined;

  constructor(path: string) {
    this.path = path;
    this.#temporary = `${path}.${process.pid}.part`;
    this.#file = this.#try(() => openSync(this.#temporary, 'w+'));
  }

  append(bytes: Uint8Array): void {
    this.#try(() => writeAll(this.#open, bytes));
  }

  /** Puts `header` before and `footer` after what was appended, and gives the file its name. */
  finish(header: Uint8Array, footer: Uint8Array): void {
    const whole = `${this.path}.${process.pid}.whole`;
    try {
      this.#try(() => {
        const out = openSync(whole, 'w');
        try {
          writeAll(out, header);
          copyAll(this.#open, out);
          writeAll(out, footer);
          fsyncSync(out);
        } finally {
          closeSync(out);
        }
        renameSync(whole, this.path);
      });
    } finally {
      rmSync(whole, { force: true });
      this.abandon();
    }
  }

  /** Leaves nothing behind. */
  abandon(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#temporary, { force: true });
  }

  get #open(): number {
    if (this.#file === undefined) throw new Error('the file is closed');
    return this.#file;
  }

  #try<T>(act: () => T): T {
    try {
      return act();
    } catch (cause) {
      this.abandon();
      throw new TendonError('E_FORMAT', this.path, String(cause), 'the file cannot be written');
    }
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Everything in a file, from its beginning, to the end of another one. */
function copyAll(from: number, to: number): void {
  const room = new Uint8Array(COPY_BYTES);
  for (let at = 0; ; ) {
    const count = readSync(from, room, 0, room.length, at);
    if (count === 0) return;
    writeAll(to, room.subarray(0, count));
    at += count;
  }
}
