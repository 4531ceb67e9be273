/** Every scene of the gallery in a real browser: it loads, takes 120 steps, and its certificate is green. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SCENES } from '../../scenes/index.js';
import { PATIENCE, resetPaused, startViewer, type ViewerRig, waitForScene } from '../support/viewer-page.js';

type Viewer = import('../../viewer/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE });

const STEPS = 120;
/** Nothing stops them: the page would start them again before the steps are taken. */
const FALLING: ReadonlySet<string> = new Set(['snail', 'washing-machine']);
/** A body squeezed in a corner of the drum has tets that are inside out for a moment, and the page says so. */
const SQUEEZED: ReadonlySet<string> = new Set(['drum']);

let viewer: ViewerRig;
let page: Page;
let errors: string[];
beforeAll(async () => {
  viewer = await startViewer();
  // One small page for all: what is asked here is not how it looks.
  ({ page, errors } = await viewer.open('#pendulum', { size: { width: 160, height: 120 } }));
});
afterAll(() => viewer?.close());

describe('the gallery', () => {
  it.each([...SCENES.keys()])('runs %s and keeps its promises', async (scene) => {
    const hash = FALLING.has(scene) ? `#${scene}?gravity=0` : `#${scene}`;
    await page.evaluate((wanted) => {
      location.hash = wanted;
    }, hash);
    await waitForScene(page, scene);
    await resetPaused(page);
    await page.evaluate((steps) => {
      for (let i = 0; i < steps; i++) document.dispatchEvent(new KeyboardEvent('keydown', { key: 's' }));
    }, STEPS);
    await page.waitForFunction((n) => tendonViewer.stepCount === n, STEPS, { timeout: PATIENCE });
    await page.keyboard.press('s');
    await page.waitForFunction((n) => tendonViewer.stepCount === n, STEPS + 1, { timeout: PATIENCE });
    await page.waitForTimeout(250);
    const verdict = await page.textContent('#verdict');
    if (!SQUEEZED.has(scene) || verdict !== 'Warning: inverted tets') expect(verdict).toBe('All checks passed');
    expect(await page.evaluate(() => tendonViewer.positions().every(Number.isFinite))).toBe(true);
    expect(errors).toEqual([]);
  });
});
