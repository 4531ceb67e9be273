/**
 * Makes the pictures of the gallery: every scene, as the viewer draws it in a real Chromium, into docs/gallery/.
 * `npm run build && node tools/gallery.mjs [SCENE ...]`; with `--moving SCENE` one that moves, by FFmpeg, as the README begins with.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startViewerServer } from '../dist/cli/server.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'docs/gallery');
const MAX_BYTES = 60_000;
/** Longest that anything in the page may take [ms]. */
const PATIENCE = 300_000;
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
/** Steps after which a scene looks like itself, how far away (1 fits the bodies), from where [degrees], and how many times as high. */
const SHOTS = {
  bar: { steps: 9, away: 1.12, turn: 25 },
  chain: { steps: 18 },
  crowd: { steps: 130, away: 0.88, turn: -20, rise: 2.6 },
  dancer: { steps: 70, away: 0.95 },
  deer: { steps: 74, away: 0.92, turn: 35 },
  drum: { steps: 40, away: 2 },
  'falling-cat': { steps: 58, turn: 22 },
  fish: { steps: 6, turn: 65 },
  'falling-limb': { steps: 26, away: 1.1 },
  'flexing-arm': { steps: 118, away: 1.1 },
  fist: { steps: 100 },
  'aerial-silk': { steps: 60 },
  incline: { steps: 50, away: 2.2, turn: 55, rise: 1.2 },
  'jelly-bar': { steps: 40 },
  'jelly-drop': { steps: 30 },
  mermaid: { steps: 30, away: 1.1 },
  'mermaid-rock': { steps: 45, away: 1.05 },
  pendulum: { steps: 20, away: 1.25 },
  pile: { steps: 80, away: 0.92 },
  quadruped: { steps: 8, turn: 20 },
  ragdoll: { steps: 42, away: 1.25 },
  'ragdoll-limits': { steps: 34, away: 0.95 },
  reaching: { steps: 58, away: 1.15 },
  snail: { steps: 8, away: 1.3, turn: -35 },
  snake: { steps: 40, away: 1.05 },
  'swimming-fish': { steps: 65, turn: 65 },
  'tracked-walk': { steps: 110, away: 0.92, turn: 30 },
  tubes: { steps: 6, away: 1.15 },
  'washing-machine': { steps: 30, away: 1.25, turn: 25 },
  'flopping-fish': { steps: 70 },
  maggots: { steps: 60, away: 1.45, rise: 1.7 },
  'maggots-tori': { steps: 60, away: 1.45, rise: 1.7 },
  'maggot-plate': { steps: 60, away: 1.15 },
  'pile-1600': { steps: 110 },
  'mixed-stack': { steps: 62, away: 0.95 },
  sidewinder: { steps: 60, away: 1.5, turn: -20, rise: 1.6 },
  trampoline: { steps: 44, away: 0.95, rise: 2 },
  'winding-chain': { steps: 330 },
  'twisting-bar': { steps: 150, away: 1.15 },
};
const USUAL = { steps: 40, away: 1, turn: 0, rise: 1 };

const executablePath = PLACES.find((place) => place && existsSync(place));
if (!executablePath) throw new Error('no Chromium found: run "node tools/ensure-programs.mjs"');
mkdirSync(OUT, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'tendon-gallery-'));
const server = await startViewerServer({ root: join(ROOT, 'dist/viewer'), port: 0 });
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  args: FLAGS,
  viewport: WINDOW,
  colorScheme: 'light',
});
// large scenes build and draw slowly without a graphics card
context.setDefaultTimeout(PATIENCE);
try {
  const page = await context.newPage();
  await page.addInitScript(drawWhenAsked);
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.tendonViewer?.frames > 0, undefined, { timeout: PATIENCE });
  const all = await page.$$eval('button[data-scene]', (buttons) => buttons.map(({ dataset }) => dataset.scene));
  const [first, ...others] = process.argv.slice(2);
  const wanted = first === undefined ? all : [first, ...others];
  if (first === '--moving') for (const scene of others) await takeMovingPicture(page, scene);
  else for (const scene of wanted) await takePicture(page, scene);
} finally {
  await context.close();
  await server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes drawing calls do nothing until `drawn` is set: without a graphics card every picture takes longer than its step. Runs in the page. */
function drawWhenAsked() {
  for (const call of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'clear']) {
    const draw = WebGL2RenderingContext.prototype[call];
    WebGL2RenderingContext.prototype[call] = function (...words) {
      if (globalThis.drawn) draw.apply(this, words);
    };
  }
}

/** Moves the camera so that the bodies fill most of the clip. Runs in the page. */
function fitCamera({ clip, away, turn, rise }) {
  const MOST_BODIES = 1000;
  const viewer = globalThis.tendonViewer;
  const points = [];
  // bodies that are drawn by their parts have no vertices of their own
  for (let body = 0; body < MOST_BODIES; body++) {
    const all = viewer.positions(body);
    for (let i = 0; i < all.length; i += 3) points.push(all.slice(i, i + 3));
  }
  const normalised = (v) => v.map((value) => value / Math.hypot(...v));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const [x0, y0, z0, ...start] = viewer.camera();
  const [dx, dz] = [x0 - start[0], z0 - start[2]];
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const height = start[1] + rise * (y0 - start[1]);
  viewer.camera([start[0] + cos * dx + sin * dz, height, start[2] + cos * dz - sin * dx, ...start]);
  for (let round = 0; round < 6; round++) {
    const place = viewer.camera();
    const target = place.slice(3);
    const back = [0, 1, 2].map((k) => place[k] - target[k]);
    const right = normalised(cross([0, 1, 0], back));
    const up = normalised(cross(back, right));
    const seen = points.map((point) => viewer.toScreen(point));
    const [left, top] = [0, 1].map((k) => seen.reduce((least, at) => Math.min(least, at[k]), 1e9));
    const [end, bottom] = [0, 1].map((k) => seen.reduce((most, at) => Math.max(most, at[k]), -1e9));
    // Metres per pixel where the camera looks.
    const one = viewer.toScreen(target.map((value, k) => value + 0.01 * up[k]))[1];
    const scale = 0.01 / (viewer.toScreen(target)[1] - one);
    const x = ((left + end) / 2 - clip.x - clip.width / 2) * scale;
    const y = (clip.y + clip.height / 2 - (top + bottom) / 2) * scale;
    const zoom = away * Math.max((end - left) / (0.8 * clip.width), (bottom - top) / (0.8 * clip.height));
    const aim = target.map((value, k) => value + x * right[k] + y * up[k]);
    viewer.camera([...aim.map((value, k) => value + back[k] * zoom), ...aim]);
  }
}

/** Opens a scene, takes its steps and puts the camera where the bodies fill the picture. */
async function open(page, scene) {
  // Another page each time: cameras and panels start afresh.
  await page.goto('about:blank');
  await page.goto(`${server.url}#${scene}`);
  await page.waitForFunction(
    (name) => globalThis.tendonViewer?.scene === name && globalThis.tendonViewer.frames > 1,
    scene,
    { timeout: PATIENCE },
  );
  await page.click('#play');
  await page.click('#reset');
  await page.waitForFunction(() => globalThis.tendonViewer.stepCount === 0);
  const { steps, away, turn, rise } = { ...USUAL, ...SHOTS[scene] };
  await page.evaluate((n) => globalThis.tendonViewer.take(n), steps);
  await page.waitForFunction((n) => globalThis.tendonViewer.stepCount === n, steps, { timeout: PATIENCE });
  await page.evaluate(() => {
    globalThis.drawn = true;
    for (const part of document.body.children) if (part.id !== 'canvas') part.style.display = 'none';
  });
  // A camera that follows a body takes a moment to be there.
  await page.waitForTimeout(1000);
  await page.evaluate(fitCamera, { clip: CLIP, away, turn, rise });
  await page.waitForTimeout(500);
  return steps;
}

async function takePicture(page, scene) {
  await open(page, scene);
  const path = join(OUT, `${scene}.jpg`);
  for (let quality = 88; quality >= 50; quality -= 8) {
    await page.screenshot({ path, type: 'jpeg', quality, clip: CLIP });
    if (statSync(path).size < MAX_BYTES) break;
  }
  console.log(`${scene}.jpg ${(statSync(path).size / 1000).toFixed(1)} kB`);
}

/** Pictures every other step for two seconds, put together to one that moves. */
async function takeMovingPicture(page, scene) {
  let steps = await open(page, scene);
  const path = join(OUT, `${scene}.webp`);
  const input = ['-hide_banner', '-loglevel', 'error', '-y', '-f', 'image2pipe', '-framerate', '30', '-i', '-'];
  const output = ['-c:v', 'libwebp_anim', '-quality', '62', '-loop', '0', '-vf', 'scale=420:-1', path];
  const ffmpeg = spawn('ffmpeg', [...input, ...output], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => ffmpeg.on('close', resolve));
  for (let frame = 0; frame < 60; frame++) {
    steps += 2;
    for (let i = 0; i < 2; i++) await page.keyboard.press('s');
    await page.waitForFunction((n) => globalThis.tendonViewer.stepCount === n, steps, { timeout: PATIENCE });
    await page.waitForTimeout(60);
    ffmpeg.stdin.write(await page.screenshot({ type: 'png', clip: CLIP }));
  }
  ffmpeg.stdin.end();
  await ended;
  console.log(`${scene}.webp ${(statSync(path).size / 1000).toFixed(1)} kB`);
}
