/** What can go wrong around the viewer: each time it goes on, or says why not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/pages/chromium.js';
import { PATIENCE, startViewer, type ViewerRig, waitForScene, waitForSteps } from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

let viewer: ViewerRig;
beforeAll(async () => {
  viewer = await startViewer();
});
afterAll(() => viewer?.close());

/** A page whose patience can be ended: what beats regularly does so a thousand times, or as long as it wants to. */
interface Hurried {
  endPatience(): void;
}

async function keepBeats(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const beating = new Map<number, () => void>();
    const [start, end] = [setInterval.bind(globalThis), clearInterval.bind(globalThis)];
    const hurried = {
      setInterval: (beat: () => void, ms: number) => {
        const timer = start(beat, ms) as unknown as number;
        beating.set(timer, beat);
        return timer;
      },
      clearInterval: (timer: number) => {
        beating.delete(timer);
        end(timer);
      },
      endPatience: () => {
        for (const timer of [...beating.keys()]) for (let i = 0; i < 1000; i++) beating.get(timer)?.();
      },
    };
    Object.assign(globalThis, hurried);
  });
}

/** Waits until no picture has come for a while. */
function waitForSilence(page: Page): Promise<void> {
  return page.evaluate(async () => {
    let [frames, still] = [-1, 0];
    while (still < 60) {
      await new Promise(requestAnimationFrame);
      still = tendonViewer.frames === frames ? still + 1 : 0;
      frames = tendonViewer.frames;
    }
  });
}

describe('the viewer keeps going', () => {
  it.each([
    ['gone', () => (globalThis as unknown as { close(): void }).close()],
    [
      'stuck',
      () => {
        setTimeout(() => {
          for (;;);
        }, 50);
      },
    ],
  ])('when the worker is %s: another one takes over, with the same settings', async (_how, harm) => {
    const { page, errors } = await viewer.open('#pendulum?iterations=7', { before: keepBeats });
    await page.workers()[0].evaluate(harm);
    await waitForSilence(page);
    expect(await page.evaluate(() => tendonViewer.restarts)).toBe(0);
    await page.evaluate(() => (globalThis as unknown as Hurried).endPatience());
    await page.waitForFunction(() => tendonViewer.restarts === 1);
    await waitForScene(page, 'pendulum');
    await waitForSteps(page, 5);
    expect(await page.textContent('#notice-text')).toBe('The simulation stopped answering and was started again.');
    expect(new URL(page.url()).hash).toBe('#pendulum?iterations=7');
    expect(errors).toEqual([]);
  });

  it('when the page was hidden for an hour: it does not catch up, and takes nobody for lost', async () => {
    const before = (page: Page) =>
      page.addInitScript(() => {
        let ahead = 0;
        const [now, frame] = [performance.now.bind(performance), requestAnimationFrame.bind(globalThis)];
        performance.now = () => now() + ahead;
        globalThis.requestAnimationFrame = (call) => frame((time) => call(time + ahead));
        (globalThis as unknown as { jump(ms: number): void }).jump = (ms) => {
          ahead += ms;
        };
      });
    const { page, errors } = await viewer.open('#pendulum', { before });
    const look = (ms: number) =>
      page.evaluate((ahead) => {
        const { time, restarts } = tendonViewer;
        const seen = { simulated: time, clock: performance.now() / 1000, restarts };
        (globalThis as unknown as { jump(ms: number): void }).jump(ahead);
        return seen;
      }, ms);
    const from = await look(3_600_000);
    await waitForSteps(page, 10);
    const to = await look(0);
    // What passed on the real clock, and of the hour no more than a frame may be long, and a step.
    expect(to.simulated - from.simulated).toBeLessThan(to.clock - from.clock - 3600 + 0.25 + 0.04);
    expect(to.restarts).toBe(0);
    expect(errors).toEqual([]);
  });

  it('without shared memory: with one thread, and says so', async () => {
    const plain = await startServer({ isolated: false, folders: { viewer: 'dist/viewer' } });
    const url = `${plain.url}/viewer/index.html`;
    const { page, errors } = await viewer.open('#bar?threads=2', { url, size: { width: 1000, height: 500 } });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await page.evaluate(() => tendonViewer.threads)).toBe(1);
    expect(await page.textContent('#panel')).toContain('Threads (1 here)');
    await waitForSteps(page, 10);
    expect(errors).toEqual([]);
    await plain.close();
  });

  it('without SIMD: says what is missing', async () => {
    const before = (page: Page) =>
      page.route('**/simulation-worker*.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `WebAssembly.validate = () => false;\n${await response.text()}` });
      });
    const { page, errors } = await viewer.open('#bar', { before, wait: false });
    await page.waitForSelector('#notice[data-kind="failed"]');
    expect(await page.textContent('#notice-text')).toMatch(/^E_WASM .*no WebAssembly SIMD/);
    expect(errors).toEqual([]);
  });
});
