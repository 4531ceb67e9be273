/**
 * The matrix of models, reduced, in the page: a figure without clips and an arm with one stand, are pulled by a pointer that jumps across the window,
 * are let go of and fall, and play. Nothing fails, and no model gets ten times its size.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { figureGlb } from '../support/models/odd-rigs.js';
import { armModel } from '../support/models/rigged-model.js';
import {
  middleOnScreen,
  PATIENCE,
  positionsOf,
  startViewer,
  type ViewerRig,
  waitForSteps,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

/** Largest side of the box around what is drawn [m]. */
async function sizeOf(page: Page): Promise<number> {
  const all = await positionsOf(page);
  const sides = [0, 1, 2].map((k) => {
    const column = all.filter((_, i) => i % 3 === k);
    return column.reduce((a, b) => Math.max(a, b)) - column.reduce((a, b) => Math.min(a, b));
  });
  return Math.max(...sides);
}

/** Takes the tick off the first bone that is held. */
function letRootGo(page: Page): Promise<void> {
  return page.evaluate(() => {
    const titles = [...document.querySelectorAll('#panel .lil-title')];
    const folder = titles.find(({ textContent }) => textContent?.startsWith('Held bones'))?.parentElement;
    const held = [...(folder?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])].find(
      (one) => one.checked,
    );
    if (!held) throw new Error('no bone is held');
    held.click();
  });
}

/** Chooses a clip in the panel, folded or not. */
function playClip(page: Page, clip: string): Promise<void> {
  return page.evaluate((name) => {
    const lists = [...document.querySelectorAll<HTMLSelectElement>('#panel select')];
    const list = lists.find(({ options }) => [...options].some(({ label }) => label === name));
    if (!list) throw new Error('no clip to choose');
    list.selectedIndex = [...list.options].findIndex(({ label }) => label === name);
    list.dispatchEvent(new Event('change'));
  }, clip);
}

describe.each([
  ['figure.glb', () => figureGlb()],
  ['arm.glb', () => writeGltf(armModel({ swing: 0.6 }))],
])('%s in the page', (name, make) => {
  let viewer: ViewerRig;

  beforeAll(async () => {
    viewer = await startViewer({ name, body: Buffer.from(await make()) });
  }, PATIENCE);
  afterAll(() => viewer.close());

  it(
    'stands, is pulled about, falls and plays',
    async () => {
      const { page, errors } = await viewer.open(`#file:${name}`);
      const rest = await sizeOf(page);
      await waitForSteps(page, 10);
      const [x, y] = await middleOnScreen(page);
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const far of [150, -150, 100]) {
        await page.mouse.move(x + far, y - Math.abs(far) / 2);
        await waitForSteps(page, 4);
        expect(await sizeOf(page)).toBeLessThan(10 * rest);
      }
      await page.mouse.up();
      await letRootGo(page);
      await waitForSteps(page, 12);
      if (name === 'arm.glb') {
        await playClip(page, 'swing');
        await waitForSteps(page, 12);
      }
      expect(await sizeOf(page)).toBeLessThan(3 * rest);
      expect(await page.evaluate(() => tendonViewer.lanes.map(({ fault }) => fault))).toEqual([undefined]);
      expect(errors).toEqual([]);
    },
    PATIENCE,
  );
});
