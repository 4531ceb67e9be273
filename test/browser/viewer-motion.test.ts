/** Motion in the viewer, in and out: clips that a character came with, and recordings that other programs play. */
import { readFileSync } from 'node:fs';
import { NodeIO } from '@gltf-transform/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildModel } from '../../src/body/model.js';
import { ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { hasAssets, readAsset } from '../support/assets.js';
import {
  PATIENCE,
  positionsOf,
  press,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
} from '../support/viewer-page.js';

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
  it('is a .glb that has every recorded state to the last bit but one', async () => {
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
    expect(download.suggestedFilename()).toBe('ragdoll.glb');
    expect(await page.textContent('#record-motion')).toBe('GLB');
    const bytes = new Uint8Array(readFileSync(await download.path()));

    // our own reader has nothing to complain about
    const model = await readGltf(bytes);
    expect(model.warnings).toEqual([]);
    expect(model.clips.length).toBe(1);

    const root = (await new NodeIO().readBinary(bytes)).getRoot();
    const skin = root.listNodes().find((node) => node.getName() === 'human skin')!;
    const [primitive] = skin.getMesh()!.listPrimitives();
    const targets = primitive.listTargets().map((target) => target.getAttribute('POSITION')!.getArray()!);
    const base = primitive.getAttribute('POSITION')!.getArray()!;
    expect(targets.length).toBe(4);
    states.forEach((state, i) => {
      const shown = Array.from(base, (x, k) => Math.fround(x + (i === 0 ? 0 : targets[i - 1][k])));
      const worst = state.reduce((most, x, k) => Math.max(most, Math.abs(x - shown[k])), 0);
      // a metre or two from the origin an f32 has steps of 1.2e-7; difference and sum are rounded once each
      expect(worst, `state ${i}`).toBeLessThanOrEqual(2.4e-7);
      expect(shown.length).toBe(state.length);
    });
    expect(states[4]).not.toEqual(states[0]);

    const channels = root.listAnimations()[0].listChannels();
    const sampler = (node: string, path: string) =>
      channels.find((one) => one.getTargetNode()!.getName() === node && one.getTargetPath() === path)!.getSampler()!;
    const times = Array.from(sampler('human skin', 'weights').getInput()!.getArray()!);
    times.forEach((time, i) => {
      expect(time).toBeCloseTo(i / 30, 6);
    });
    // each time one target and no other
    const weights = Array.from(sampler('human skin', 'weights').getOutput()!.getArray()!);
    expect(weights).toEqual(times.flatMap((_, i) => [1, 2, 3, 4].map((target) => (target === i ? 1 : 0))));
    const names = root.listNodes().map((node) => node.getName());
    const torso = sampler('torso', 'translation').getOutput()!.getArray()!;
    expect(names).toContain('obstacle');
    bones.forEach((poses, i) => {
      const at = (names.indexOf('torso') - names.indexOf('human skin') - 1) * POSE_STRIDE + 4;
      expect(Array.from(torso.slice(3 * i, 3 * i + 3))).toEqual(poses.slice(at, at + 3));
    });
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
    const { page, errors } = await viewer.open('#pendulum', { size: { width: 1000, height: 640 } });
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
