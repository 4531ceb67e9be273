/** Every scene of the gallery in a real browser: it loads, runs, keeps its promises, and the light says how exact its steps are. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SCENES } from '../../scenes/index.js';
import { STEP_ERROR } from '../../viewer/panel/figures.js';
import { NOT_DRAWN } from '../../viewer/worker/page-scenes.js';
import { fleshScene } from '../support/models/bodies.js';
import {
  PATIENCE,
  positionsOf,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

const STEPS = 60;
/** What falls and strikes something in the middle of that: until it lies. */
const FALLING: ReadonlyMap<string, number> = new Map([
  ['ragdoll', 120],
  ['ragdoll-limits', 140],
  ['stairs', 120],
  ['falling-cat', 140],
]);
/** Large bodies, or many: a step takes as long as twenty of the others. All of it without the page: test/scenes. */
const HEAVY: ReadonlyMap<string, number> = new Map([
  ['snail', 30],
  ...['washing-machine', 'aerial-silk', 'aerial-silk-loose', 'pile'].map((name) => [name, 12] as const),
  ...['trampoline', 'flopping-fish'].map((name) => [name, 25] as const),
  ...['maggots', 'maggots-tori', 'maggot-plate', 'sidewinder'].map((name) => [name, 8] as const),
  ['pile-1600', 4],
]);
/**
 * Where flesh is squeezed, between things or in the bend of a joint, a few tets are inside out, and the page says so: at most
 * this share of all, and nothing else may be amiss.
 */
const MOST_INVERTED = 0.01;
const SQUEEZED: ReadonlySet<string> = new Set([
  'aerial-silk',
  'aerial-silk-loose',
  'drum',
  'fist',
  'pile',
  'quadruped',
  'snail',
  'washing-machine',
]);

function tetsOf(scene: string): number {
  return fleshScene(scene).bodies.reduce((sum, { body }) => sum + body.tets.length / 4, 0);
}

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
  it.each([...SCENES.keys()].filter((name) => !NOT_DRAWN.includes(name)))(
    'runs %s and keeps its promises',
    async (scene) => {
      await page.evaluate((wanted) => {
        location.hash = wanted;
      }, scene);
      await waitForScene(page, scene);
      await resetPaused(page);
      await takeSteps(page, HEAVY.get(scene) ?? FALLING.get(scene) ?? STEPS);
      const { inverted, error } = await page.evaluate(() => tendonViewer.lanes[0].certificate);
      if (inverted > 0) expect(inverted).toBeLessThanOrEqual(SQUEEZED.has(scene) ? MOST_INVERTED * tetsOf(scene) : 0);
      // how far ten iterations come is the scene's matter, and the light says it; everything else is a promise
      const isFar = error > STEP_ERROR.good;
      const broken = await page.locator('#figures dd:is([data-state="warn"], [data-state="bad"])').count();
      expect(broken).toBe((inverted > 0 ? 1 : 0) + (isFar ? 1 : 0));
      const exact = isFar ? `${error > STEP_ERROR.bad ? 'Warning' : 'Coarse'}: step error` : 'All checks passed';
      expect(await page.textContent('#verdict')).toBe(inverted > 0 ? 'Warning: inverted tets' : exact);
      expect((await positionsOf(page)).every(Number.isFinite)).toBe(true);
      expect(errors).toEqual([]);
    },
  );
});
