/**
 * Chromium for tests: a static server on 127.0.0.1 for the compiled library and for the scripts of a test folder, and a
 * fresh browser that reports everything its console calls an error.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { transformWithOxc } from 'vite';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The places where Chromium is looked for, in this order; the same as in tools/ensure-programs.mjs. */
const PLACES = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // without a graphics card these are slower by the card's ways than by plain ones: half the processor time of a page that draws
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
];

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.ts': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** How long a page is waited for: software rendering on a busy machine of two cores is slow [ms]. */
export const PATIENCE = 120_000;

export interface ServerOptions {
  /** Send COOP and COEP, so that pages are cross-origin isolated and have SharedArrayBuffer. */
  readonly isolated: boolean;
  /** Folders to serve, by first path segment, absolute or relative to the repository; default { dist, test }. */
  readonly folders?: Readonly<Record<string, string>>;
}

export interface StaticServer {
  /** "http://127.0.0.1:port", without a slash at the end. */
  readonly url: string;
  /** Every answer so far: status and path. */
  readonly answers: string[];
  close(): Promise<void>;
}

/**
 * Serves folders of the repository, by default dist/ as /dist/ and test/ as /test/. A .ts file is sent as JavaScript
 * (types stripped), also where it is asked for as .js. /blank is an empty page.
 */
export async function startServer(options: ServerOptions): Promise<StaticServer> {
  const folders = options.folders ?? { dist: 'dist', test: 'test' };
  const answers: string[] = [];
  const server = createServer((request, response) => {
    if (options.isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
      response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    }
    respond(folders, request.url ?? '/').then(
      ({ status, type, body }) => {
        answers.push(`${status} ${request.url}`);
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

async function respond(folders: Readonly<Record<string, string>>, address: string): Promise<Answer> {
  const path = decodeURIComponent(new URL(address, 'http://host').pathname);
  if (path === '/blank') {
    return { status: 200, type: 'text/html', body: '<!doctype html><meta charset="utf-8"><title>test</title>' };
  }
  if (path === '/favicon.ico') return { status: 204, type: 'text/plain', body: '' };
  const [first, ...rest] = path.slice(1).split('/');
  const missing = { status: 404, type: 'text/plain', body: `no ${path}` };
  if (!Object.hasOwn(folders, first)) return missing;
  const folder = resolve(ROOT, folders[first]);
  let file = normalize(join(folder, ...rest));
  // sources import each other as .js
  if (file.endsWith('.js') && !existsSync(file)) file = `${file.slice(0, -3)}.ts`;
  if (!file.startsWith(folder + sep) || !existsSync(file) || !statSync(file).isFile()) return missing;
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  if (!file.endsWith('.ts')) return { status: 200, type, body: readFileSync(file) };
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, { sourcemap: false });
  return { status: 200, type, body: code };
}

/** The browser of this process, as long as a file of tests uses it. */
export interface Chromium {
  readonly context: BrowserContext;
  /** Opens a page; `errors` collects what the console calls an error, uncaught exceptions and crashes. */
  open(url: string, options?: PageOptions): Promise<{ page: Page; errors: string[] }>;
  /** Closes all pages; storage is by address, and every file has a server of its own. */
  close(): Promise<void>;
}

export interface PageOptions {
  /** False: nobody looks at the pictures, see `stopDrawing`. */
  readonly drawn?: boolean;
}

/** How many pixels wide and high a CSS pixel is: each is drawn by the processor. */
const COARSE = 0.5;

/** Started once for all files of a test process: a start takes longer than most tests. It ends with the process. */
let started: Promise<BrowserContext> | undefined;

async function startBrowser(): Promise<BrowserContext> {
  const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) throw new Error('no Chromium found: run "node tools/ensure-programs.mjs"');
  const profile = mkdtempSync(join(tmpdir(), 'tendon-chromium-'));
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...FLAGS],
    deviceScaleFactor: COARSE,
  });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/** Starts Chromium, or takes the one that runs. */
export async function launchChromium(): Promise<Chromium> {
  started ??= startBrowser();
  const context = await started;
  const opened: Page[] = [];
  return {
    context,
    open: async (url, { drawn = true } = {}) => {
      const page = await context.newPage();
      opened.push(page);
      if (!drawn) await stopDrawing(page);
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('crash', () => errors.push('the page crashed'));
      await page.goto(url);
      return { page, errors };
    },
    close: async () => {
      for (const page of opened) await page.close();
    },
  };
}

/**
 * Makes the drawing calls of a page do nothing, from its next load on. The page does all it does otherwise, shaders are compiled and buffers filled; what is
 * left out is the colouring of pixels, which the processor does here and which takes more of it than everything else.
 */
async function stopDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const nothing = (): void => undefined;
    const calls = ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'clear'];
    for (const call of calls) Object.assign(WebGL2RenderingContext.prototype, { [call]: nothing });
  });
}
