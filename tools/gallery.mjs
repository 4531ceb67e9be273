/**
 * Makes the pictures of the gallery: every scene, as the viewer draws it in a real Chromium, into docs/gallery/.
 * `npm run build && node tools/gallery.mjs [SCENE ...]`
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startViewerServer } from '../dist/cli/server.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'docs/gallery');
const MAX_BYTES = 60_000;
const PLACES = [
  process.env.TENDON_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const FLAGS = ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** A wide window, of which the middle is kept: at the sides is room for panels. */
const WINDOW = { width: 760, height: 400 };
const CLIP = { x: 140, y: 16, width: 480, height: 320 };
/** Steps after which a scene looks like itself, and how far away to look at it from: 1 fits the bodies. */
const SHOTS = {
  bar: { steps: 26 },
  chain: { steps: 14 },
  drum: { steps: 80, away: 1.75 },
  'aerial-silk': { steps: 60 },
  'jelly-bar': { steps: 40 },
  'jelly-drop': { steps: 48, away: 1.1 },
  mermaid: { steps: 30 },
  pendulum: { steps: 20 },
  ragdoll: { steps: 50, away: 1.2 },
  snail: { steps: 12 },
  'washing-machine': { steps: 40 },
};
const USUAL = { steps: 40, away: 1 };

const executablePath = PLACES.find((place) => place && existsSync(place));
if (!executablePath) throw new Error('no Chromium found: run "node tools/ensure-chromium.mjs"');
mkdirSync(OUT, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'tendon-gallery-'));
const server = await startViewerServer({ root: join(ROOT, 'dist/viewer'), port: 0 });
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  args: FLAGS,
  viewport: WINDOW,
  colorScheme: 'light',
});
try {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.tendonViewer?.frames > 0, undefined, { timeout: 120_000 });
  const all = await page.$$eval('button[data-scene]', (buttons) => buttons.map(({ dataset }) => dataset.scene));
  const wanted = process.argv.slice(2);
  for (const scene of wanted.length > 0 ? wanted : all) await takePicture(page, scene);
} finally {
  await context.close();
  await server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

/** Looks at the middle of the bodies, from where the camera is, just far enough away. Runs in the page. */
function fitCamera(away) {
  const viewer = globalThis.tendonViewer;
  const low = [1e9, 1e9, 1e9];
  const high = [-1e9, -1e9, -1e9];
  for (let body = 0; viewer.positions(body).length > 0; body++) {
    viewer.positions(body).forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
  }
  const middle = low.map((value, k) => (value + high[k]) / 2);
  const [wide, tall, deep] = low.map((value, k) => high[k] - value);
  const place = viewer.camera();
  const view = [0, 1, 2].map((k) => place[k] - place[k + 3]);
  const length = Math.hypot(...view);
  const distance = away * (Math.max(2.05 * tall, 1.45 * wide + 0.6 * deep) + 0.6 * deep);
  viewer.camera([...middle.map((value, k) => value + (view[k] / length) * distance), ...middle]);
}

async function takePicture(page, scene) {
  // Another page each time: cameras and panels start afresh.
  await page.goto('about:blank');
  await page.goto(`${server.url}#${scene}`);
  await page.waitForFunction(
    (name) => globalThis.tendonViewer?.scene === name && globalThis.tendonViewer.frames > 1,
    scene,
    { timeout: 120_000 },
  );
  await page.click('#play');
  await page.click('#reset');
  await page.waitForFunction(() => globalThis.tendonViewer.stepCount === 0);
  const { steps, away } = { ...USUAL, ...SHOTS[scene] };
  for (let i = 0; i < steps; i++) await page.keyboard.press('s');
  await page.waitForFunction((n) => globalThis.tendonViewer.stepCount === n, steps, { timeout: 120_000 });
  await page.evaluate(() => {
    for (const part of document.body.children) if (part.id !== 'canvas') part.style.display = 'none';
  });
  // A camera that follows a body takes a moment to be there.
  await page.waitForTimeout(1000);
  await page.evaluate(fitCamera, away);
  await page.waitForTimeout(500);
  const path = join(OUT, `${scene}.jpg`);
  for (let quality = 88; quality >= 50; quality -= 8) {
    await page.screenshot({ path, type: 'jpeg', quality, clip: CLIP });
    if (statSync(path).size < MAX_BYTES) break;
  }
  console.log(`${scene}.jpg ${(statSync(path).size / 1000).toFixed(1)} kB`);
}
