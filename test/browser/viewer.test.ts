/** The viewer in a real browser, served as `tendon view` serves it: it runs, its promises hold, bodies can be pulled. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startViewerServer, type ViewerServer } from '../../cli/server.js';
import { type Chromium, launchChromium } from '../support/chromium.js';

/** What `tendonViewer` answers in the page; see viewer/inspect.ts. */
type Viewer = import('../../viewer/inspect.js').Inspection;
declare const tendonViewer: Viewer;

const ROOT = fileURLToPath(new URL('../../dist/viewer/', import.meta.url));
/** Software rendering on a busy machine of two cores is slow [ms]. */
const PATIENCE = 120_000;

vi.setConfig({ testTimeout: 3 * PATIENCE });

let server: ViewerServer;
let chromium: Chromium;

beforeAll(async () => {
  server = await startViewerServer({ root: ROOT, port: 0 });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

afterEach(async () => {
  for (const page of chromium.context.pages()) await page.close();
});

/** Opens the page on a scene and waits for its first picture. */
async function openScene(scene: string, size = { width: 480, height: 360 }) {
  const { page, errors } = await chromium.open('about:blank');
  // A small window: every pixel is drawn by the processor.
  await page.setViewportSize(size);
  await page.goto(`${server.url}#${scene}`);
  await page.waitForFunction((name) => tendonViewer.scene === name && tendonViewer.frames > 2, scene, {
    timeout: PATIENCE,
  });
  return { page, errors };
}

const positionsOf = (page: Page) => page.evaluate(() => tendonViewer.positions());

/** Pauses, goes back to the start and returns the positions there. */
async function resetPaused(page: Page): Promise<number[]> {
  if ((await page.textContent('#play')) === 'Pause') await page.click('#play');
  await page.click('#reset');
  await page.waitForFunction(() => tendonViewer.stepCount === 0, undefined, { timeout: PATIENCE });
  return positionsOf(page);
}

async function takeSteps(page: Page, count: number): Promise<void> {
  const from = await page.evaluate(() => tendonViewer.stepCount);
  for (let i = 0; i < count; i++) await page.keyboard.press('s');
  await page.waitForFunction((n) => tendonViewer.stepCount === n, from + count, { timeout: PATIENCE });
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0));

/** Middle of the vertices within `radius` of a point at the start. */
function patch(start: readonly number[], now: readonly number[], point: readonly number[], radius: number): number[] {
  const sum = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < start.length; i += 3) {
    if (distance(start.slice(i, i + 3), point) > radius) continue;
    count++;
    for (let k = 0; k < 3; k++) sum[k] += now[i + k];
  }
  return sum.map((value) => value / count);
}

describe('the viewer', () => {
  it('runs 120 frames of the bar without an error, a broken policy or a broken promise', async () => {
    const { page, errors } = await openScene('bar', { width: 240, height: 180 });
    await page.waitForFunction(() => tendonViewer.frames >= 120, undefined, { timeout: PATIENCE });
    const positions = await positionsOf(page);
    expect(positions.length).toBeGreaterThan(3000);
    expect(positions.every(Number.isFinite)).toBe(true);
    expect(await page.evaluate(() => tendonViewer.stepCount)).toBeGreaterThan(60);
    expect(await page.getAttribute('#certificate', 'data-state')).toBe('good');
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('goes back to the first positions, and to the same ones after the same steps', async () => {
    const { page, errors } = await openScene('bar');
    const first = await resetPaused(page);
    await takeSteps(page, 5);
    const fifth = await positionsOf(page);
    expect(fifth).not.toEqual(first);
    expect(await resetPaused(page)).toEqual(first);
    await takeSteps(page, 5);
    expect(await positionsOf(page)).toEqual(fifth);
    expect(errors).toEqual([]);
  });

  it('pulls the surface to the pointer, and lets go', async () => {
    const { page, errors } = await openScene('bar');
    const start = await resetPaused(page);
    const middle = patch(start, start, [0, 0, 0], Number.POSITIVE_INFINITY);
    const [x, y] = await page.evaluate((point) => tendonViewer.toScreen(point), middle as [number, number, number]);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.waitForFunction(() => tendonViewer.grabbed !== undefined, undefined, { timeout: PATIENCE });
    const grabbed = await page.evaluate(() => tendonViewer.grabbed as [number, number, number]);
    await page.mouse.move(x, y - 70, { steps: 4 });
    await takeSteps(page, 60);
    const held = await page.evaluate(() => {
      const point = tendonViewer.grabbed as [number, number, number];
      const screen = tendonViewer.toScreen(point);
      // A centimetre up, there, in pixels.
      const centimetre = screen[1] - tendonViewer.toScreen([point[0], point[1] + 0.01, point[2]])[1];
      return { point, screen, centimetre };
    });
    // The grabbed point is under the pointer to within a centimetre, and the skin around it went along.
    expect(Math.hypot(held.screen[0] - x, held.screen[1] - (y - 70))).toBeLessThan(held.centimetre);
    const before = patch(start, start, grabbed, 0.06);
    const after = patch(start, await positionsOf(page), grabbed, 0.06);
    const moved = after.map((value, k) => value - before[k]);
    const asked = held.point.map((value, k) => value - grabbed[k]);
    expect(distance(moved, asked)).toBeLessThan(0.3 * distance(asked, [0, 0, 0]));

    await page.mouse.up();
    await takeSteps(page, 1);
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();
    const released = patch(start, await positionsOf(page), grabbed, 0.06);
    await page.mouse.move(x, y + 70);
    await takeSteps(page, 3);
    // Free again: what the pointer does now pulls nothing down.
    const free = patch(start, await positionsOf(page), grabbed, 0.06);
    expect(free[1]).toBeGreaterThan(released[1] - 0.1);
    expect(errors).toEqual([]);
  });

  it('pulls with a finger, and turns the view with a finger beside the body', async () => {
    const { page, errors } = await openScene('bar');
    const start = await resetPaused(page);
    const middle = patch(start, start, [0, 0, 0], Number.POSITIVE_INFINITY) as [number, number, number];
    const touch = await page.context().newCDPSession(page);
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const [x, y] = await page.evaluate((point) => tendonViewer.toScreen(point), middle);
    await finger('touchStart', x, y);
    await finger('touchMove', x, y - 60);
    await takeSteps(page, 25);
    const height = await page.evaluate(
      () => tendonViewer.toScreen(tendonViewer.grabbed as [number, number, number])[1],
    );
    expect(height).toBeLessThan(y - 40);
    await finger('touchEnd');
    await takeSteps(page, 1);
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();

    // towards the camera, where a turn of the view moves it most
    const beside: [number, number, number] = [middle[0], middle[1], middle[2] + 0.5];
    // from one point to another on the screen: the camera may follow the body, only a turn of the view changes this
    const onScreen = async () => {
      const [from, to] = await page.evaluate((points) => points.map((p) => tendonViewer.toScreen(p)), [middle, beside]);
      return [to[0] - from[0], to[1] - from[1]];
    };
    const moved = async (from: readonly number[]) => {
      const [x, y] = await onScreen();
      return Math.hypot(x - from[0], y - from[1]);
    };
    const before = await onScreen();
    await takeSteps(page, 1);
    // nothing but the finger turns the view; following the body changes the perspective a little
    expect(await moved(before)).toBeLessThan(3);
    // on the canvas, not on one of the cards over it
    expect(await page.evaluate(() => document.elementFromPoint(60, 200)?.id)).toBe('canvas');
    await finger('touchStart', 60, 200);
    await finger('touchMove', 110, 200);
    await finger('touchMove', 160, 200);
    await finger('touchEnd');
    // the view follows with a little inertia, so it is watched until it has turned
    await expect.poll(() => moved(before), { timeout: 20_000 }).toBeGreaterThan(20);
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('says that the printed bone step leaves a residual, and changes scenes', async () => {
    const { page, errors } = await openScene('chain');
    await page.waitForSelector('#certificate[data-state="good"]', { timeout: PATIENCE });
    await page.click('#panel .lil-title');
    await page.selectOption('#panel select >> nth=0', { label: 'As printed' });
    // A small window has no room for the card beside the panel.
    await page.waitForSelector('#certificate[data-state="warn"]', { timeout: PATIENCE, state: 'attached' });
    await page.click('button[data-scene="pendulum"]');
    await page.waitForFunction(() => tendonViewer.scene === 'pendulum' && tendonViewer.frames > 2, undefined, {
      timeout: PATIENCE,
    });
    expect(new URL(page.url()).hash).toBe('#pendulum');
    expect(errors).toEqual([]);
  });

  it('survives scenes being changed faster than they are built', async () => {
    const { page, errors } = await openScene('pendulum');
    for (const scene of ['chain', 'bar', 'mermaid', 'chain', 'jelly-drop', 'pendulum', 'chain', 'pendulum', 'chain']) {
      await page.click(`button[data-scene="${scene}"]`);
      // Sometimes while it is built, sometimes between a question and its answer.
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.waitForFunction(() => tendonViewer.scene === 'chain' && tendonViewer.frames > 5, undefined, {
      timeout: PATIENCE,
    });
    expect(errors).toEqual([]);
  });

  it('goes on when the graphics card takes its context away and gives it back', async () => {
    const { page, errors } = await openScene('jelly-drop');
    const lost = await page.evaluateHandle(() => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      return (canvas.getContext('webgl2') as WebGL2RenderingContext).getExtension('WEBGL_lose_context');
    });
    await lost.evaluate((extension) => extension?.loseContext());
    const step = await page.evaluate(() => tendonViewer.stepCount);
    await page.waitForFunction((n) => tendonViewer.stepCount > n, step, { timeout: PATIENCE });
    await lost.evaluate((extension) => extension?.restoreContext());
    await page.waitForFunction((n) => tendonViewer.stepCount > n, step + 10, { timeout: PATIENCE });
    if ((await page.textContent('#play')) === 'Pause') await page.click('#play');
    // A picture, not an empty page: many different colours. Watched, because a canvas read between two frames is empty.
    const countColours = () =>
      page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        const canvas = document.querySelector('canvas') as HTMLCanvasElement;
        const copy = new OffscreenCanvas(64, 48).getContext('2d') as OffscreenCanvasRenderingContext2D;
        copy.drawImage(await createImageBitmap(canvas), 0, 0, 64, 48);
        return new Set(new Uint32Array(copy.getImageData(0, 0, 64, 48).data.buffer)).size;
      });
    await expect.poll(countColours, { timeout: PATIENCE }).toBeGreaterThan(20);
    expect(errors).toEqual([]);
  });

  it('fits a phone', async () => {
    const { page, errors } = await openScene('jelly-bar');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const id of ['#transport', '#certificate', '#panel', '#gallery', '#heading']) {
      const box = await page.locator(id).boundingBox();
      expect(box, id).not.toBeNull();
      expect(box!.x, id).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width, id).toBeLessThanOrEqual(390);
      expect(box!.y + box!.height, id).toBeLessThanOrEqual(844);
    }
    expect(errors).toEqual([]);
  });
});
