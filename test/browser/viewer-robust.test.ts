/** What can go wrong around the viewer: each time it goes on, or says why not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/chromium.js';
import { PATIENCE, startViewer, type ViewerRig, waitForScene, waitForSteps } from '../support/viewer-page.js';

type Viewer = import('../../viewer/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE });

let viewer: ViewerRig;
beforeAll(async () => {
  viewer = await startViewer();
});
afterAll(() => viewer?.close());

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
    const { page, errors } = await viewer.open('#pendulum?iterations=7');
    await page.workers()[0].evaluate(harm);
    await page.waitForFunction(() => tendonViewer.restarts === 1, undefined, { timeout: PATIENCE });
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
    const from = await page.evaluate(() => {
      (globalThis as unknown as { jump(ms: number): void }).jump(3_600_000);
      return tendonViewer.stepCount;
    });
    await waitForSteps(page, 10);
    const state = await page.evaluate(() => ({ steps: tendonViewer.stepCount, restarts: tendonViewer.restarts }));
    expect(state.steps - from).toBeLessThan(400);
    expect(state.restarts).toBe(0);
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
    await page.waitForSelector('#notice[data-kind="failed"]', { timeout: PATIENCE });
    expect(await page.textContent('#notice-text')).toMatch(/^E_WASM .*no WebAssembly SIMD/);
    expect(errors).toEqual([]);
  });
});
