/** Every scene of the gallery in a real browser: it loads, takes 120 steps, and its certificate is green. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SCENES } from '../../scenes/index.js';
import {
  PATIENCE,
  positionsOf,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
} from '../support/viewer-page.js';

type Viewer = import('../../viewer/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

const STEPS = 120;
/** Nothing stops them: the page would start them again before the steps are taken. */
const FALLING: ReadonlySet<string> = new Set(['snail', 'washing-machine']);
/**
 * Squeezed between the wall and the end of the drum, a limp body has a few tets inside out, and the page says so: at most
 * this many of its 4,400, and nothing else may be amiss.
 */
const SQUEEZED: ReadonlyMap<string, number> = new Map([['drum', 40]]);

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
    await takeSteps(page, STEPS);
    const inverted = await page.evaluate(() => tendonViewer.lanes[0].certificate.inverted);
    expect(inverted).toBeLessThanOrEqual(SQUEEZED.get(scene) ?? 0);
    const broken = await page.locator('#figures dd[data-state="warn"]').count();
    expect(broken).toBe(inverted > 0 ? 1 : 0);
    expect(await page.textContent('#verdict')).toBe(inverted > 0 ? 'Warning: inverted tets' : 'All checks passed');
    expect((await positionsOf(page)).every(Number.isFinite)).toBe(true);
    expect(errors).toEqual([]);
  });
});
