/**
 * The matrix of models in the page: each stands, is pulled by a pointer that jumps across the window, is let go of and falls, and plays its clip where
 * it has one. Nothing fails, no edge of a tet gets ten times as long in any step, and what the page records of it is valid under Khronos' validator. Also with
 * the files of TENDON_MODELS (paths, separated by colons).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { MATRIX_MODELS } from '../support/models/matrix-models.js';
import {
  middleOnScreen,
  PATIENCE,
  positionsOf,
  press,
  startViewer,
  type ViewerRig,
  waitForScene,
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

const files = (process.env.TENDON_MODELS ?? '').split(':').filter((path) => path !== '');

/** What the page drops into the visitor's folder when the recording ends. */
async function endRecording(page: Page): Promise<Uint8Array> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, '#record-motion')]);
  return new Uint8Array(readFileSync(await download.path()));
}

/** The one world of the page: what went wrong, and the longest edge of any tet after any step so far, in lengths at rest. */
function laneOf(page: Page): Promise<{ fault: string | undefined; mostStretch: number }> {
  return page.evaluate(() => {
    const [{ fault, mostStretch }] = tendonViewer.lanes;
    return { fault, mostStretch };
  });
}

describe('models in the page, one after the other', () => {
  let viewer: ViewerRig;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    viewer = await startViewer();
    ({ page, errors } = await viewer.open('#pendulum'));
  }, PATIENCE);
  afterAll(() => viewer.close());

  it.each([
    ...[...MATRIX_MODELS].map(([name, make]) => [`${name.replaceAll(' ', '-')}.glb`, make] as const),
    ...files.map((path) => [basename(path), async () => readFileSync(path)] as const),
  ])(
    '%s stands, is pulled about, falls and plays, whole, and its recording is valid',
    async (name, make) => {
      const file = { name, mimeType: 'model/gltf-binary', buffer: Buffer.from(await make()) };
      await page.setInputFiles('#file', file);
      await waitForScene(page, name);
      const rest = await sizeOf(page);
      await press(page, '#record-motion');
      await waitForSteps(page, 10);
      const [x, y] = await middleOnScreen(page);
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const far of [150, -150, 100]) {
        await page.mouse.move(x + far, y - Math.abs(far) / 2);
        await waitForSteps(page, 4);
      }
      await page.mouse.up();
      await letRootGo(page);
      await waitForSteps(page, 24);
      expect(await validateGltf(await endRecording(page))).toEqual([]);
      const pulled = await laneOf(page);
      expect(pulled).toEqual({ fault: undefined, mostStretch: expect.any(Number) });
      expect(pulled.mostStretch).toBeLessThan(10);
      expect(await sizeOf(page)).toBeLessThan(3 * rest);
      const plays = await playClip(page);
      if (name === 'arm-with-a-clip.glb') expect(plays).toBe(true);
      if (plays) {
        await waitForSteps(page, 12);
        const played = await laneOf(page);
        expect(played.fault).toBeUndefined();
        expect(played.mostStretch).toBeLessThan(10);
      }
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
