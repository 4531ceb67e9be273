/** A browser that nobody sees, spoken to over a pipe (the DevTools protocol): one page, and what a script in it answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { TendonError } from '../../src/errors.js';

const PLACES = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--hide-scrollbars',
];
/** How long an answer is waited for: drawing in software is slow [ms]. */
const PATIENCE = 120_000;

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** One page in a browser of its own. */
export class HiddenPage {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<number, { done(answer: Answer): void; fail(error: Error): void }>();
  #text = '';
  #count = 0;
  #session: string | undefined;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    const out = child.stdio[4] as Readable;
    out.setEncoding('utf8');
    out.on('data', (text: string) => this.#hear(text));
    child.on('exit', () => {
      const error = new TendonError('E_PROGRAM', 'chromium', 'exit', 'the browser ended by itself');
      for (const { fail } of this.#waiting.values()) fail(error);
    });
  }

  /** Opens an address in a window of that size [pixels]. `E_PROGRAM` where there is no browser. */
  static async open(address: string, width: number, height: number): Promise<HiddenPage> {
    const program = PLACES.find((path) => path !== undefined && existsSync(path));
    if (program === undefined) {
      const advice = 'pictures and films are drawn by Chromium: apt-get install chromium, or set TENDON_CHROMIUM';
      throw new TendonError('E_PROGRAM', 'chromium', 'missing', advice);
    }
    const folder = mkdtempSync(join(tmpdir(), 'tendon-film-'));
    // a browser run by root has no sandbox to offer
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(program, [...FLAGS, ...root, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const page = new HiddenPage(child, folder);
    try {
      const { targetId } = await page.#ask('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await page.#ask('Target.attachToTarget', { targetId, flatten: true });
      page.#session = sessionId as string;
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await page.#ask('Emulation.setDeviceMetricsOverride', metrics);
      await page.#ask('Page.navigate', { url: address });
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** What an expression in the page gives; promises are waited for. */
  async ask(expression: string): Promise<unknown> {
    const answer = await this.#ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as { result: { value: unknown }; exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new TendonError('E_PROGRAM', 'chromium', exceptionDetails.text, 'the page failed');
    return result.value;
  }

  /** Ends the browser and waits until it is gone with all it kept. */
  async close(): Promise<void> {
    this.#child.removeAllListeners('exit');
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#session = undefined;
    this.#ask('Browser.close', {}).catch(() => {});
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    await ended;
    clearTimeout(late);
    for (const { fail } of this.#waiting.values()) fail(new Error('closed'));
    try {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch {
      // a process of the browser may still write: the system clears its temporary folder
    }
  }

  #ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const message = { id, method, params, ...(this.#session !== undefined && { sessionId: this.#session }) };
    return new Promise((resolve, reject) => {
      const end = <T>(act: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          act(value);
        };
      };
      const fail = end(reject);
      const timer = setTimeout(() => {
        fail(new TendonError('E_PROGRAM', 'chromium', method, 'the browser does not answer'));
      }, PATIENCE);
      const done = end<Answer>(({ result, error }) => {
        if (error) reject(new TendonError('E_PROGRAM', 'chromium', method, error.message));
        else resolve(result ?? {});
      });
      this.#waiting.set(id, { done, fail });
      (this.#child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    });
  }

  #hear(text: string): void {
    const parts = (this.#text + text).split('\0');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      const answer = JSON.parse(part) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.done(answer);
    }
  }
}
