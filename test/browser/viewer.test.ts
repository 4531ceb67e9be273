/** The viewer in a real browser, served as `tendon view` serves it: it runs, its promises hold, bodies can be pulled. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  PATIENCE,
  positionsOf,
  press,
  readPicture,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
  waitForSteps,
} from '../support/pages/viewer-page.js';

/** What `tendonViewer` answers in the page; see viewer/inspect.ts. */
type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

type Point = [number, number, number];

vi.setConfig({ testTimeout: 3 * PATIENCE, hookTimeout: PATIENCE });

let viewer: ViewerRig;
beforeAll(async () => {
  viewer = await startViewer();
});
afterAll(() => viewer?.close());

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0));

/** Middle of the vertices within `radius` of a point at the start. */
function patch(start: readonly number[], now: readonly number[], point: readonly number[], radius: number): Point {
  const sum: Point = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < start.length; i += 3) {
    if (distance(start.slice(i, i + 3), point) > radius) continue;
    count++;
    for (let k = 0; k < 3; k++) sum[k] += now[i + k];
  }
  return sum.map((value) => value / count) as Point;
}

const middleOf = (start: readonly number[]) => patch(start, start, [0, 0, 0], Number.POSITIVE_INFINITY);

describe('the viewer', () => {
  it('runs 120 frames of the bar without an error, a broken policy or a broken promise', async () => {
    const { page, errors } = await viewer.open('#bar', { size: { width: 240, height: 180 }, drawn: true });
    await page.waitForFunction(() => tendonViewer.frames >= 120 && tendonViewer.stepCount > 60);
    const positions = await positionsOf(page);
    expect(positions.length).toBeGreaterThan(3000);
    expect(positions.every(Number.isFinite)).toBe(true);
    // paused, because a card that changes with every picture is read at one moment
    await page.keyboard.press(' ');
    await page.waitForFunction(() => tendonViewer.settled);
    // how exact a step is that has just struck the floor is no promise
    expect(await page.textContent('#verdict')).toMatch(/^(All checks passed|.*: step error)$/);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('goes back to the first positions, and to the same ones after the same steps', async () => {
    const { page, errors } = await viewer.open('#bar');
    await resetPaused(page);
    const first = await positionsOf(page);
    for (let i = 1; i <= 5; i++) {
      await page.keyboard.press('s');
      await page.waitForFunction((n) => tendonViewer.settled && tendonViewer.stepCount === n, i);
    }
    const fifth = await positionsOf(page);
    expect(fifth).not.toEqual(first);
    await resetPaused(page);
    expect(await positionsOf(page)).toEqual(first);
    await takeSteps(page, 5);
    expect(await positionsOf(page)).toEqual(fifth);
    expect(errors).toEqual([]);
  });

  it('pulls the surface to the pointer, and lets go', async () => {
    const { page, errors } = await viewer.open('#bar?gravity=0', { size: { width: 1000, height: 600 } });
    await resetPaused(page);
    const start = await positionsOf(page);
    const [x, y] = await page.evaluate((point) => tendonViewer.toScreen(point), middleOf(start));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.waitForFunction(() => tendonViewer.grabbed !== undefined);
    const grabbed = await page.evaluate(() => tendonViewer.grabbed as Point);
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
    const { page, errors } = await viewer.open('#bar?gravity=0', { size: { width: 1000, height: 600 } });
    await resetPaused(page);
    const touch = await page.context().newCDPSession(page);
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const heading = () => page.evaluate(() => tendonViewer.heading);
    const first = await heading();
    const [x, y] = await page.evaluate((point) => tendonViewer.toScreen(point), middleOf(await positionsOf(page)));
    await finger('touchStart', x, y);
    await finger('touchMove', x, y - 60);
    await takeSteps(page, 25);
    const height = await page.evaluate(() => tendonViewer.toScreen(tendonViewer.grabbed as Point)[1]);
    expect(height).toBeLessThan(y - 40);
    await finger('touchEnd');
    await takeSteps(page, 10);
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();
    // The camera went along with the body, but neither that nor the pull turned the view.
    await page.waitForFunction(() => tendonViewer.still);
    expect(await heading()).toBeCloseTo(first, 9);

    await resetPaused(page);
    // on the canvas, not on one of the cards over it
    expect(await page.evaluate(() => document.elementFromPoint(300, 470)?.id)).toBe('canvas');
    await finger('touchStart', 300, 470);
    await finger('touchMove', 350, 470);
    await finger('touchMove', 400, 470);
    await finger('touchEnd');
    // The view turns on for a moment; a drag over the height of the picture is a whole turn.
    await page.waitForFunction(() => tendonViewer.still);
    expect(Math.abs((await heading()) - first)).toBeGreaterThan(0.5);
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('says that the published bone step leaves a residual, and changes scenes', async () => {
    const { page, errors } = await viewer.open('#chain', { size: { width: 1000, height: 640 } });
    await page.waitForSelector('#certificate[data-state="good"]');
    await page.selectOption('#panel select >> nth=0', { label: 'As published' });
    await page.waitForSelector('#certificate[data-state="warn"]');
    expect(await page.locator('#verdict').isVisible()).toBe(true);
    expect(await page.textContent('#verdict')).toBe('Warning: residual');
    await press(page, 'button[data-scene="pendulum"]');
    await waitForScene(page, 'pendulum');
    expect(new URL(page.url()).hash).toBe('#pendulum');
    expect(errors).toEqual([]);
  });

  it('survives scenes being changed faster than they are built', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    for (const scene of ['chain', 'bar', 'mermaid', 'chain', 'jelly-drop', 'pendulum', 'chain', 'pendulum', 'chain']) {
      await press(page, `button[data-scene="${scene}"]`);
      // Sometimes while it is built, sometimes between a question and its answer.
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await waitForScene(page, 'chain');
    await waitForSteps(page, 5);
    expect(await page.evaluate(() => tendonViewer.scene)).toBe('chain');
    expect(errors).toEqual([]);
  });

  it('goes on when the graphics card takes its context away and gives it back', async () => {
    const { page, errors } = await viewer.open('#jelly-drop', { drawn: true });
    const lost = await page.evaluateHandle(() => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      return (canvas.getContext('webgl2') as WebGL2RenderingContext).getExtension('WEBGL_lose_context');
    });
    await lost.evaluate((extension) => extension?.loseContext());
    await waitForSteps(page, 1);
    await lost.evaluate((extension) => extension?.restoreContext());
    await waitForSteps(page, 10);
    // A picture, not an empty page: many different colours.
    const colours = async () => new Set(new Uint32Array(Uint8Array.from(await readPicture(page)).buffer)).size;
    await expect.poll(colours, { timeout: PATIENCE }).toBeGreaterThan(20);
    expect(errors).toEqual([]);
  });

  it('fits a phone', async () => {
    const { page, errors } = await viewer.open('#jelly-bar', { size: { width: 390, height: 844 } });
    for (const id of ['#transport', '#certificate', '#panel', '#gallery', '#heading']) {
      const box = await page.locator(id).boundingBox();
      expect(box, id).not.toBeNull();
      expect(box!.x, id).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width, id).toBeLessThanOrEqual(390);
      expect(box!.y + box!.height, id).toBeLessThanOrEqual(844);
    }
    expect(errors).toEqual([]);
  });

  it.each([
    [360, 640],
    [480, 320],
    [240, 180],
    [800, 600],
  ])('leaves the body free in a window of %i x %i', async (width, height) => {
    const { page, errors } = await viewer.open('#jelly-drop', { size: { width, height } });
    await resetPaused(page);
    await takeSteps(page, 30);
    const covered = await page.evaluate(() => {
      const all = tendonViewer.positions();
      const over = new Set<string>();
      for (let i = 0; i < all.length; i += 30) {
        const [x, y] = tendonViewer.toScreen([all[i], all[i + 1], all[i + 2]]);
        over.add(document.elementFromPoint(x, y)?.id ?? 'outside');
      }
      return [...over];
    });
    expect(covered).toEqual(['canvas']);
    expect(errors).toEqual([]);
  });

  it.each([
    [961, 620],
    [1000, 640],
    [1600, 800],
  ])(
    'shows all bodies between its columns in a window of %i x %i, and covers none of its cards',
    async (width, height) => {
      const { page, errors } = await viewer.open('#winding-chain', { size: { width, height } });
      await resetPaused(page);
      const cards = await page.evaluate(() => {
        const of = (name: string) => document.querySelector(name)!.getBoundingClientRect();
        return { side: of('#side'), right: of('#right'), transport: of('#transport'), clock: of('#time') };
      });
      const seen = await page.evaluate(() => {
        const across: number[] = [];
        // eleven links between an anchor and a crank
        for (let body = 0; body < 13; body++) {
          const all = tendonViewer.positions(body);
          for (let i = 0; i < all.length; i += 3)
            across.push(tendonViewer.toScreen([all[i], all[i + 1], all[i + 2]])[0]);
        }
        return { least: Math.min(...across), most: Math.max(...across) };
      });
      expect(seen.least).toBeGreaterThan(cards.side.right);
      expect(seen.most).toBeLessThan(cards.right.left);
      // and they are not small: the chain is as wide as anything can be
      expect(seen.most - seen.least).toBeGreaterThan(0.55 * (cards.right.left - cards.side.right));
      expect(cards.transport.left).toBeGreaterThan(cards.side.right);
      expect(cards.transport.right).toBeLessThan(cards.right.left);
      expect(cards.clock.right).toBeLessThan(cards.transport.right);
      expect(errors).toEqual([]);
    },
  );

  it('shows all of the picture and the name of the scene that is on', async () => {
    const { page, errors } = await viewer.open('#ragdoll-limits', { size: { width: 1000, height: 640 } });
    const list = await page.locator('#gallery').boundingBox();
    const chosen = await page.locator('button[data-scene="ragdoll-limits"]').boundingBox();
    expect(chosen!.y).toBeGreaterThanOrEqual(list!.y);
    expect(chosen!.y + chosen!.height).toBeLessThanOrEqual(list!.y + list!.height);
    expect(errors).toEqual([]);
  });

  it('has a menu in a low window, which what is chosen there closes', async () => {
    const { page, errors } = await viewer.open('#chain', { size: { width: 480, height: 320 } });
    const scene = page.locator('button[data-scene="pendulum"]');
    expect(await scene.isVisible()).toBe(false);
    await page.click('#menu');
    expect(await page.getAttribute('#menu', 'aria-expanded')).toBe('true');
    await scene.click();
    await waitForScene(page, 'pendulum');
    expect(await scene.isVisible()).toBe(false);
    await page.click('#menu');
    await page.click('#menu');
    expect(await page.locator('#actions').isVisible()).toBe(false);
    expect(errors).toEqual([]);
  });
});
