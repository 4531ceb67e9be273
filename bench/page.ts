/**
 * `npm run build && node dist/bench/page.js [SCENE|FILE.glb ...]`: the viewer's page in a real Chromium on this machine. How long it
 * takes to be ready, what a step takes in its worker, what a picture costs the page, and how much there is to load. Models from files are
 * opened as they are by default, let go of, and fall.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { startViewerServer } from '../cli/server.js';
import { machine, type Spread, spread } from './stats.js';

/** The part of what the page answers that is used here; see viewer/inspect.ts. */
declare const tendonViewer: {
  readonly scene: string | undefined;
  readonly frames: number;
  readonly stepCount: number;
  readonly settled: boolean;
  readonly readyMs: number | undefined;
  take(steps: number): void;
  positions(): number[];
};
/** What a page has counted of its own work; see `countCost`. */
declare const pictureCosts: number[];
declare const stepTimes: number[];

const VIEWER = fileURLToPath(new URL('../viewer/', import.meta.url));
const PLACES = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const FLAGS = ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** Scenes that have to run in real time, 10 iterations and contact on; the human is the one of the ragdoll. */
const CAST = ['ragdoll', 'hand', 'snake', 'mermaid-rock', 'fish'];
const STARTS = 7;
const STEPS = 150;
const WARM_UP = 20;

const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
if (executablePath === undefined) throw new Error('no Chromium found: run "node tools/ensure-programs.mjs"');
const server = await startViewerServer({ root: VIEWER, port: 0 });
console.log(`${machine()}, load ${load()}`);
console.log(`to load, without three: ${bundleSize().toFixed(0)} kB gzipped`);
const starts: number[] = [];
for (let i = 0; process.argv.length === 2 && i < STARTS; i++)
  await inBrowser(async (context) => void starts.push(await measureStart(context)));
if (starts.length > 0) console.log(`page ready: ${format(spread(starts))} of ${STARTS} first visits, load ${load()}`);
const wanted = process.argv.slice(2);
const isFile = (name: string) => name.endsWith('.glb');
for (const file of wanted.filter(isFile)) await inBrowser((context) => measureFall(context, file));
const scenes = wanted.filter((name) => !isFile(name));
for (const scene of wanted.length > 0 ? scenes : CAST) await inBrowser((context) => measureSteps(context, scene));
if (wanted.length === 0) await inBrowser(measurePictures);
await server.close();

/** A browser that has never seen the page. */
async function inBrowser(use: (context: BrowserContext) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'tendon-bench-'));
  const viewport = { width: 320, height: 240 };
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, viewport });
  context.setDefaultTimeout(120_000);
  try {
    await use(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** From the start of the navigation to the first picture with a body [ms]. */
async function measureStart(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => tendonViewer?.readyMs !== undefined);
  return page.evaluate(() => tendonViewer.readyMs as number);
}

/**
 * Steps of a scene in the page's worker. All are asked for at once, so that the page draws nothing in between: without a graphics
 * card drawing takes both cores, and a step then waits for them.
 */
async function measureSteps(context: BrowserContext, scene: string): Promise<void> {
  const page = await openScene(context, `${scene}?iterations=10`, countCost);
  await takeSteps(page, WARM_UP + STEPS);
  const times = await page.evaluate((count) => stepTimes.slice(-count), STEPS);
  console.log(`${scene.padEnd(16)} step ${format(spread(times))} of ${STEPS}, load ${load()}`);
}

/** The same for a model as the page makes it soft by default, once nothing holds it any more. */
async function measureFall(context: BrowserContext, path: string): Promise<void> {
  const name = basename(path);
  const served = await startViewerServer({ root: VIEWER, port: 0, file: { name, body: readFileSync(path) } });
  const page = await openScene(context, `file:${name}`, countCost, served.url);
  await page.evaluate(() => {
    const held = [...document.querySelectorAll('#panel .lil-title')].find((one) => one.textContent?.startsWith('Held'));
    for (const box of held?.parentElement?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? []) {
      if (box.checked) box.click();
    }
  });
  await takeSteps(page, WARM_UP + STEPS);
  const times = await page.evaluate((count) => stepTimes.slice(-count), STEPS);
  const said = await page.evaluate(
    () => document.getElementById('scene-description')?.textContent?.match(/chosen.*/i)?.[0] ?? '',
  );
  console.log(`${name.padEnd(20)} falls, step ${format(spread(times))} of ${STEPS}, load ${load()}; ${said}`);
  await served.close();
}

/** What the page spends on the pictures of its largest scene, from the worker's message to the graphics card's copy. */
async function measurePictures(context: BrowserContext): Promise<void> {
  const page = await openScene(context, 'snail', countCost);
  for (let i = 0; i < WARM_UP + STEPS; i++) await takeSteps(page, 1);
  const costs = await page.evaluate((count) => pictureCosts.slice(-count), STEPS);
  const vertices = await page.evaluate(() => tendonViewer.positions().length / 3);
  console.log(`picture of ${vertices} vertices costs the page ${format(spread(costs))}, load ${load()}`);
}

async function openScene(
  context: BrowserContext,
  hash: string,
  prepare?: () => void,
  url: string = server.url,
): Promise<Page> {
  const page = await context.newPage();
  if (prepare) await page.addInitScript(prepare);
  await page.goto(`${url}#${hash}`);
  const name = hash.replace(/^file:/, '').split('?')[0];
  await page.waitForFunction((scene) => tendonViewer?.scene === scene && tendonViewer.frames > 0, name);
  await page.click('#play');
  await page.click('#reset');
  await page.waitForFunction(() => tendonViewer.settled && tendonViewer.stepCount === 0);
  return page;
}

/** Takes steps, asked for all at once. */
async function takeSteps(page: Page, count: number): Promise<void> {
  const end = await page.evaluate((steps) => {
    tendonViewer.take(steps);
    return tendonViewer.stepCount + steps;
  }, count);
  await page.waitForFunction((n) => tendonViewer.settled && tendonViewer.stepCount === n, end);
}

/** Keeps the time that every answer of a worker costs the page, and that its step took. Runs in the page. */
function countCost(): void {
  const costs: number[] = [];
  const times: number[] = [];
  Object.assign(globalThis, {
    pictureCosts: costs,
    stepTimes: times,
    Worker: class extends Worker {
      override set onmessage(hear: ((event: MessageEvent) => void) | null) {
        super.onmessage = (event) => {
          const began = performance.now();
          hear?.(event);
          if (event.data.kind !== 'frame') return;
          costs.push(performance.now() - began);
          // a picture may hold several steps, and knows their mean
          const { steps, stepMs } = event.data.news;
          for (let n = 0; n < steps; n++) times.push(stepMs);
        };
      }
    },
  });
}

/** Scripts and styles that a first visit may load [kB]. */
function bundleSize(): number {
  const folder = join(VIEWER, 'assets');
  // decoders are fetched for packed models only
  const counted = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name) && !/^(three|basis|draco)/.test(name));
  const page = gzipSync(readFileSync(join(VIEWER, 'index.html'))).length;
  return counted.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, page) / 1000;
}

function format({ min, median }: Spread): string {
  return `min ${min.toFixed(2)}, median ${median.toFixed(2)} ms`;
}

function load(): string {
  return loadavg()[0].toFixed(1);
}
