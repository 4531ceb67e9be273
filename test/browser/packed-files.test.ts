/**
 * Files that other programs made small, and what files have besides shapes, in a real browser: packed models become the same bodies as plain ones, KTX2
 * pictures look as the PNG they were made of, morph targets move the skin. In the page of the viewer, and in one that uses `tendon/three`.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { packByDraco, packByMeshopt, picturedArm } from '../support/files/packed-models.js';
import { armModel, colouredArm } from '../support/models/rigged-model.js';
import { type Chromium, launchChromium, PATIENCE, type StaticServer, startServer } from '../support/pages/chromium.js';
import { buildThreePage } from '../support/pages/three-page.js';
import {
  positionsOf,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;
declare const lab: import('./three-page/lab.js').Lab;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

/** Mean difference of two pictures, 0 to 255. */
function difference(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

/** What is drawn while the page is paused, without what lies over it: r,g,b,a of 120 x 90 points. */
async function lookAt(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    for (const part of document.body.children) if (part.id !== 'canvas') (part as HTMLElement).style.opacity = '0';
    // the cards are not equally high for every file, and the camera makes room for them
    tendonViewer.camera([0.9, 0.6, 1.9, 0.5, 0, 0]);
  });
  await page.waitForFunction(() => tendonViewer.settled);
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const copy = new OffscreenCanvas(120, 90).getContext('2d') as OffscreenCanvasRenderingContext2D;
    copy.drawImage(await createImageBitmap(new Blob([bytes], { type: 'image/png' })), 0, 0, 120, 90);
    return Array.from(copy.getImageData(0, 0, 120, 90).data);
  }, picture);
}

/** Shares of a picture that are blue, red, green and yellow: wherever in it the arm just is. */
function quarters(picture: readonly number[]): number[] {
  const count = [0, 0, 0, 0];
  for (let i = 0; i < picture.length; i += 4) {
    const [r, g, b] = picture.slice(i, i + 3);
    if (Math.max(r, g, b) - Math.min(r, g, b) < 90) continue;
    count[b > r && b > g ? 0 : g < 0.5 * r ? 1 : r < 0.5 * g ? 2 : 3]++;
  }
  return count.map((all) => (4 * all) / picture.length);
}

/** Largest difference of numbers. */
function farthest(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

describe('in the viewer', () => {
  let viewer: ViewerRig;
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer?.close());

  async function show(page: Page, name: string, bytes: Uint8Array): Promise<void> {
    const buffer = Buffer.from(bytes);
    await page.setInputFiles('#file', { name, mimeType: 'model/gltf-binary', buffer });
    await waitForScene(page, name);
    await resetPaused(page);
  }

  it('KTX2 pictures of both kinds look as the PNG they were made of', async () => {
    const { page, errors } = await viewer.open('#pendulum', { drawn: true });
    const shares = async (): Promise<number[]> => quarters(await lookAt(page));
    await show(page, 'bare.glb', await picturedArm(undefined));
    for (const share of await shares()) expect(share).toBeLessThan(1e-3);
    await show(page, 'png.glb', await picturedArm('png'));
    // a picture is put on once it is decoded
    await expect.poll(async () => Math.min(...(await shares())), { timeout: PATIENCE }).toBeGreaterThan(0.005);
    const png = await shares();
    for (const kind of ['etc1s', 'uastc'] as const) {
      await show(page, `${kind}.glb`, await picturedArm(kind));
      const off = async (): Promise<number> =>
        Math.max(...(await shares()).map((share, i) => Math.abs(share / png[i] - 1)));
      await expect.poll(off, { timeout: PATIENCE }).toBeLessThan(0.2);
    }
    expect(errors).toEqual([]);
  });

  it('models packed by Draco and meshopt are the plain model', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    const skins: number[][] = [];
    for (const [name, bytes] of [
      ['plain.glb', await writeGltf(armModel())],
      ['meshopt.glb', await packByMeshopt()],
      ['draco.glb', (await packByDraco()).bytes],
    ] as const) {
      await show(page, name, bytes);
      skins.push(await positionsOf(page));
    }
    expect(farthest(skins[1], skins[0])).toBeLessThan(1e-6);
    // its packer numbers vertices anew
    const sorted = (skin: readonly number[]) => skin.map((value) => Math.round(1e4 * value)).sort((a, b) => a - b);
    expect(farthest(sorted(skins[2]), sorted(skins[0]))).toBeLessThanOrEqual(1);
    expect(errors).toEqual([]);
  });

  it('a morph target has a slider and moves the skin on top of the simulation', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    await show(page, 'shapes.glb', await writeGltf(colouredArm()));
    const before = await positionsOf(page);
    await page.evaluate(() => {
      const rows = [...document.querySelectorAll('#panel .lil-controller')];
      const row = rows.find((one) => one.querySelector('.lil-name')?.textContent === 'bulge');
      const input = row?.querySelector('input');
      if (!input) throw new Error('no slider for the morph target');
      input.value = '1';
      input.dispatchEvent(new Event('input'));
    });
    await takeSteps(page, 1);
    const after = await positionsOf(page);
    // 5 cm up where it was over the axis, and where it was below: what one step of gravity does
    const rise = after.map((value, i) => (i % 3 === 1 ? value - before[i] : 0));
    const high = before.flatMap((value, i) =>
      i % 3 === 1 && value > Math.max(...before.filter((_, k) => k % 3 === 1)) - 0.03 ? [rise[i]] : [],
    );
    expect(high.length).toBeGreaterThan(5);
    for (const way of high) expect(way).toBeCloseTo(0.05, 2);
    expect(rise.filter((way) => Math.abs(way) < 0.01).length).toBeGreaterThan(rise.length / 2);
    expect(errors).toEqual([]);
  });
});

describe('in tendon/three', () => {
  let chromium: Chromium;
  let server: StaticServer;
  beforeAll(async () => {
    const folders = { page: await buildThreePage(), libs: 'node_modules/three/examples/jsm/libs' };
    server = await startServer({ isolated: true, folders });
    chromium = await launchChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.close();
  });
  afterEach(() => chromium.close());

  async function open(drawn: boolean): Promise<{ page: Page; errors: string[] }> {
    const opened = await chromium.open(`${server.url}/page/index.html`, { drawn });
    await opened.page.waitForFunction(() => 'lab' in globalThis);
    return opened;
  }

  it('KTX2 pictures are shown with a loader that knows them, and asked for without', async () => {
    const { page, errors } = await open(true);
    const [png, etc1s, uastc, said] = await page.evaluate(async () => {
      const build = { build: { tets: 500 } };
      const pictures: number[][] = [];
      for (const name of ['png', 'etc1s', 'uastc']) {
        await lab.loadPacked(`${name}.glb`, '/libs', build);
        pictures.push(lab.picture());
      }
      const refused = await lab.load('etc1s.glb', build).catch((error: Error) => error.message);
      return [...pictures, refused] as const;
    });
    expect(new Set(png as number[]).size).toBeGreaterThan(20);
    expect(difference(etc1s as number[], png as number[])).toBeLessThan(2);
    expect(difference(uastc as number[], png as number[])).toBeLessThan(2);
    expect(said).toMatch(/KHR_texture_basisu|KTX2Loader/);
    expect(errors).toEqual([]);
  });

  it('models packed by meshopt load as they are, by Draco with a decoder, and say so without', async () => {
    const { page, errors } = await open(false);
    const seen = await page.evaluate(async () => {
      const build = { build: { tets: 500 } };
      await lab.load('plain.glb', build);
      const plain = lab.positions();
      await lab.load('meshopt.glb', build);
      const meshopt = lab.positions();
      await lab.loadPacked('draco.glb', '/libs', build);
      const draco = lab.positions();
      const refused = await lab.load('draco.glb', build).catch((error: Error) => error.message);
      return { plain, meshopt, draco, refused };
    });
    expect(farthest(seen.meshopt, seen.plain)).toBeLessThan(1e-6);
    expect(seen.draco.length).toBe(seen.plain.length);
    expect(seen.refused).toMatch(/Draco needs a decoder/);
    expect(errors).toEqual([]);
  });

  it('a morph target moves the skin on top of the simulation, and a clip drives it', async () => {
    const { page, errors } = await open(false);
    const { start, shaped, played } = await page.evaluate(async () => {
      const heights = () => lab.positions().filter((_, i) => i % 3 === 1);
      await lab.load('shapes.glb', { build: { tets: 500 }, gravity: [0, 0, 0], kinematic: 'all' });
      const { character } = lab;
      const rest = heights();
      character.setMorph('bulge', 1);
      await character.simulation.advance(1);
      const one = heights();
      character.setMorph('bulge', 0);
      character.playClip('swing', { fadeIn: 0.01 });
      // one second: the swing is over, the target is in full
      await character.simulation.advance(59);
      return { start: rest, shaped: one, played: heights() };
    });
    const top = Math.max(...start);
    start.forEach((height, i) => {
      if (height > top - 0.03) expect(shaped[i] - height).toBeCloseTo(0.05, 3);
      if (height < 0) expect(Math.abs(shaped[i] - height)).toBeLessThan(1e-3);
    });
    expect(Math.max(...played) - top).toBeGreaterThan(0.03);
    expect(errors).toEqual([]);
  });
});
