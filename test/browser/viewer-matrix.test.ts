/**
 * The matrix of models in the page: each stands, is pulled by a pointer that jumps across the window, is let go of and falls, and plays its clip where
 * it has one. Nothing fails, and no model gets ten times its size. A figure and an arm, and with TENDON_MATRIX=all the others and the files of
 * TENDON_MODELS (paths, separated by colons).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MATRIX_MODELS } from '../support/models/matrix-models.js';
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

/** Chooses the last clip in the panel, folded or not; false where there is none. */
function playClip(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('#panel .lil-controller')];
    const row = rows.find((one) => one.querySelector('.lil-name')?.textContent?.startsWith('Clip'));
    const list = row?.querySelector('select');
    if (!list || list.options.length < 2) return false;
    list.selectedIndex = list.options.length - 1;
    list.dispatchEvent(new Event('change'));
    return true;
  });
}

const isAll = process.env.TENDON_MATRIX === 'all';
const chosen = [...MATRIX_MODELS].filter(([name]) => isAll || name === 'plain' || name === 'arm with a clip');
const files = (process.env.TENDON_MODELS ?? '').split(':').filter((path) => path !== '');

describe.each([
  ...chosen.map(([name, make]) => [`${name.replaceAll(' ', '-')}.glb`, make] as const),
  ...files.map((path) => [basename(path), async () => readFileSync(path)] as const),
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
      const plays = await playClip(page);
      if (name === 'arm-with-a-clip.glb') expect(plays).toBe(true);
      if (plays) await waitForSteps(page, 12);
      expect(await sizeOf(page)).toBeLessThan(3 * rest);
      expect(await page.evaluate(() => tendonViewer.lanes.map(({ fault }) => fault))).toEqual([undefined]);
      expect(errors).toEqual([]);
    },
    PATIENCE,
  );
});

describe('a model that the page deforms', () => {
  let viewer: ViewerRig;

  beforeAll(async () => {
    const make = MATRIX_MODELS.get('arm with a clip')!;
    viewer = await startViewer({ name: 'arm.glb', body: Buffer.from(await make()) });
  }, PATIENCE);
  afterAll(() => viewer.close());

  it(
    'becomes a lattice, is at rest without a clip and bends with it, no cell inside out',
    async () => {
      // TENDON_PICTURE: where to leave a picture of it
      const picture = process.env.TENDON_PICTURE ?? '';
      const isSeen = picture !== '';
      const { page, errors } = await viewer.open('#file:arm.glb?deform=true', { drawn: isSeen });
      expect(await page.textContent('#scene-description')).toMatch(/as a lattice of \d+/);
      const rest = await positionsOf(page);
      const moved = (now: readonly number[]): number =>
        now.reduce((most, value, i) => Math.max(most, Math.abs(value - rest[i])), 0);
      await waitForSteps(page, 5);
      expect(moved(await positionsOf(page))).toBeLessThan(1e-3 * (await sizeOf(page)));
      expect(await playClip(page)).toBe(true);
      // live: the skin is drawn while the clip goes on
      await expect.poll(async () => moved(await positionsOf(page)), { timeout: PATIENCE }).toBeGreaterThan(0.02);
      const lanes = await page.evaluate(() =>
        tendonViewer.lanes.map(({ fault, certificate }) => ({ fault, certificate })),
      );
      expect(lanes.map(({ fault }) => fault)).toEqual([undefined]);
      expect(lanes[0].certificate.inverted).toBe(0);
      if (isSeen) await page.screenshot({ path: picture });
      expect(errors).toEqual([]);
    },
    2 * PATIENCE,
  );
});
