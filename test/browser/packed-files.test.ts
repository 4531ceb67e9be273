/**
 * Files that other programs made small, and what files have besides shapes, in a real browser: packed models become the same bodies as plain ones, KTX2
 * pictures have the pixels of the PNG they were made of, morph targets move the skin. In the page of the viewer, and in one that uses `tendon/three`.
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
/** See `watchPictures`. */
declare const given: number[][];
declare const lab: import('./three-page/lab.js').Lab;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

/** The picture on the arm, points across and down. */
const PICTURE_SIZE = 16;

/** Mean difference of two pictures, 0 to 255. */
function difference(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

/** Keeps what the page gives to the graphics card as pictures of this size, r,g,b,a per point, in `given`; runs in the page before anything else. */
function watchPictures(size: number): void {
  const all: number[][] = [];
  Object.assign(globalThis, { given: all });
  const read = (picture: unknown): ArrayLike<number> | undefined => {
    if (picture instanceof Uint8Array) return picture.length === 4 * size * size ? picture : undefined;
    if (!(picture instanceof ImageBitmap) || picture.width !== size || picture.height !== size) return undefined;
    const copy = new OffscreenCanvas(size, size).getContext('2d') as OffscreenCanvasRenderingContext2D;
    copy.drawImage(picture, 0, 0);
    return copy.getImageData(0, 0, size, size).data;
  };
  for (const call of ['texImage2D', 'texSubImage2D'] as const) {
    const upload = WebGL2RenderingContext.prototype[call] as (...words: unknown[]) => void;
    Object.assign(WebGL2RenderingContext.prototype, {
      [call](this: WebGL2RenderingContext, ...words: unknown[]): void {
        const pixels = words.map(read).find((found) => found !== undefined);
        if (pixels) all.push(Array.from(pixels));
        upload.apply(this, words);
      },
    });
  }
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

  it('KTX2 pictures of both kinds have the pixels of the PNG they were made of', async () => {
    const before = (page: Page) => page.addInitScript(watchPictures, PICTURE_SIZE);
    const { page, errors } = await viewer.open('#pendulum', { before });
    const pixels: number[][] = [];
    for (const kind of ['png', 'etc1s', 'uastc'] as const) {
      await page.evaluate(() => given.splice(0));
      await show(page, `${kind}.glb`, await picturedArm(kind));
      // a picture is put on once it is decoded
      await page.waitForFunction(() => given.length > 0);
      pixels.push(await page.evaluate(() => given[0]));
    }
    const [png, etc1s, uastc] = pixels;
    const colours = Array.from({ length: png.length / 4 }, (_, i) => png.slice(4 * i, 4 * i + 4).join());
    expect(new Set(colours).size).toBe(4);
    // ETC1S keeps five bits of each of red, green and blue: half of 255/31 off at most
    expect(farthest(etc1s, png)).toBeLessThanOrEqual(255 / 31 / 2);
    // UASTC has a way to write blocks of one colour that loses nothing
    expect(farthest(uastc, png)).toBe(0);
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
