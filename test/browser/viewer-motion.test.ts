/** Motion in the viewer, in and out: clips that a character came with, and recordings that other programs play. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { unzipSync } from 'three/addons/libs/fflate.module.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildModel } from '../../src/body/model.js';
import { ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { hasAssets, readAsset } from '../support/assets.js';
import { playGlb } from '../support/checks/play-glb.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import {
  PATIENCE,
  positionsOf,
  press,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

let viewer: ViewerRig;
beforeAll(async () => {
  viewer = await startViewer();
});
afterAll(() => viewer?.close());

/** Steps from one recorded state to the next, for scenes that run at 60 steps a second. */
const BETWEEN = 2;

describe('a recording', () => {
  it('is a valid .glb that plays every recorded state', async () => {
    const { page, errors } = await viewer.open('#ragdoll', { size: { width: 1000, height: 640 } });
    await resetPaused(page);
    await press(page, '#record-motion');
    expect(await page.textContent('#record-motion')).toBe('Stop');
    const states = [await positionsOf(page)];
    const bones = [await bonesOf(page)];
    for (let i = 0; i < 4; i++) {
      await takeSteps(page, BETWEEN);
      states.push(await positionsOf(page));
      bones.push(await bonesOf(page));
    }
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '#record-motion')]);
    // not the name of a file that may have been dropped
    expect(download.suggestedFilename()).toBe('ragdoll-motion.glb');
    expect(await page.textContent('#record-motion')).toBe('GLB');
    const bytes = new Uint8Array(readFileSync(await download.path()));
    expect(await validateGltf(bytes)).toEqual([]);

    const played = playGlb(bytes, 'human skin');
    states.forEach((state, i) => {
      const worst = state.reduce((most, x, k) => Math.max(most, Math.abs(x - played[i][k])), 0);
      // a part of 5e-4 of a human of 1.8 m is the tolerance
      expect(worst, `state ${i}`).toBeLessThanOrEqual(9e-4);
      expect(played[i].length).toBe(state.length);
    });
    expect(states[4]).not.toEqual(states[0]);

    const model = await readGltf(bytes);
    expect(model.warnings).toEqual([]);
    const [{ channels }] = model.clips;
    const names = model.nodes.map(({ name }) => name);
    expect(names).toContain('obstacle');
    const torso = channels.find(({ node, path }) => names[node] === 'torso' && path === 'translation')!;
    torso.times.forEach((time, i) => {
      expect(time).toBeCloseTo(i / 30, 6);
    });
    bones.forEach((poses, i) => {
      const at = names.indexOf('torso') * POSE_STRIDE + 4;
      expect(Array.from(torso.values.slice(3 * i, 3 * i + 3))).toEqual(poses.slice(at, at + 3));
    });
    expect(errors).toEqual([]);
  });

  it('is a picture of every state where that is asked for, drawn apart from the page', async () => {
    const { page, errors } = await viewer.open('#pendulum', { size: { width: 1000, height: 640 }, drawn: true });
    await resetPaused(page);
    await page.click('#panel .lil-title:has-text("Machine")');
    const saved = page.locator('#panel .lil-controller:has-text("Motion saved as") select');
    await saved.selectOption({ label: 'Pictures (.png)' });
    await press(page, '#record-motion');
    for (let i = 0; i < 3; i++) await takeSteps(page, 8);
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '#record-motion')]);
    expect(download.suggestedFilename()).toBe('pendulum-motion-png.zip');
    const files = unzipSync(new Uint8Array(readFileSync(await download.path())));
    const names = Object.keys(files);
    expect(names[0]).toBe('pendulum-motion.0000.png');
    expect(names.length).toBeGreaterThan(4);
    const [first, last] = [files[names[0]], files[names.at(-1)!]].map((bytes) => Buffer.from(bytes));
    expect([first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual([1280, 720]);
    // it swings
    expect(first.equals(last)).toBe(false);
    expect(errors).toEqual([]);
  });

  it('is given up when another scene is chosen', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    await press(page, '#record-motion');
    await press(page, 'button[data-scene="chain"]');
    await waitForScene(page, 'chain');
    expect(await page.textContent('#record-motion')).toBe('GLB');
    expect(errors).toEqual([]);
  });
});

const bonesOf = (page: Page) => page.evaluate(() => tendonViewer.bones());

describe.skipIf(!hasAssets('CesiumMan.glb'))('a clip', () => {
  it('drives the bones of a man as the file has it, and lets him go limp', async () => {
    const bytes = readAsset('CesiumMan.glb');
    const character = await loadCharacter(bytes, { name: 'CesiumMan' });
    const [clip] = character.clips;
    // as fine as the character beside it, whatever the machine
    const { page, errors } = await viewer.open('#pendulum?quality=full', { size: { width: 1000, height: 640 } });
    const file = { name: 'CesiumMan.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from(bytes) };
    await page.setInputFiles('#file', file);
    await waitForScene(page, 'CesiumMan.glb');
    await resetPaused(page);
    await page.selectOption('#panel .lil-controller:has(.lil-name:text-is("Clip")) select', { label: clip.name });
    await takeSteps(page, 45);

    const expected = new Float64Array(POSE_STRIDE * character.skeleton.length);
    new ClipPlayer(character, buildModel(character.body)).pose(clip, 45 / 60, expected);
    const driven = await bonesOf(page);
    expect(driven.length).toBe(expected.length);
    // turns may have either sign; f32 on the way to the page
    for (let o = 0; o < driven.length; o += POSE_STRIDE) {
      const dot = [0, 1, 2, 3].reduce((sum, k) => sum + driven[o + k] * expected[o + k], 0);
      expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-6);
      for (let k = 4; k < POSE_STRIDE; k++) expect(driven[o + k]).toBeCloseTo(expected[o + k], 5);
    }

    await page.selectOption('#panel .lil-controller:has(.lil-name:text-is("Clip")) select', { label: 'None (limp)' });
    await takeSteps(page, 45);
    const limp = await bonesOf(page);
    const fallen = limp.map((value, i) => Math.abs(value - driven[i]));
    // the root is held, the others have sunk
    expect(Math.max(...fallen.slice(0, POSE_STRIDE))).toBeLessThan(1e-6);
    expect(Math.max(...fallen)).toBeGreaterThan(0.1);
    expect(errors).toEqual([]);
  });
});
