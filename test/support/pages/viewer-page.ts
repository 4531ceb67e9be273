/** The viewer's page in a real browser, served as `tendon view` serves it, and what tests do with it. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startViewerServer, type ViewerServerOptions } from '../../../cli/server.js';
import { type Chromium, launchChromium, PATIENCE } from './chromium.js';

export { PATIENCE };

/** What `tendonViewer` answers in the page; see viewer/inspect.ts. */
type Viewer = import('../../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

const ROOT = fileURLToPath(new URL('../../../dist/viewer/', import.meta.url));
/** A small window: every pixel is drawn by the processor. */
const SMALL = { width: 480, height: 360 };

/** A browser and a server for the tests of one file. */
export interface ViewerRig {
  readonly url: string;
  readonly chromium: Chromium;
  /** Opens the page on a scene and waits for its first pictures. */
  open(hash: string, options?: OpenOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly size?: { readonly width: number; readonly height: number };
  /** Another server's page. */
  readonly url?: string;
  /** Called before the page is loaded. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** False: do not wait for pictures. */
  readonly wait?: boolean;
  /** True: pictures are looked at, so they are drawn. */
  readonly drawn?: boolean;
}

/** Starts both. */
export async function startViewer(file?: ViewerServerOptions['file']): Promise<ViewerRig> {
  const server = await startViewerServer({ root: ROOT, port: 0, file });
  const chromium = await launchChromium();
  return {
    url: server.url,
    chromium,
    open: async (hash, { size = SMALL, url = server.url, before, wait = true, drawn = false } = {}) => {
      await chromium.close();
      const { page, errors } = await chromium.open('about:blank', { drawn });
      await page.setViewportSize(size);
      await before?.(page);
      await page.goto(`${url}${hash}`);
      if (wait) await waitForScene(page, decodeURIComponent(hash.replace(/^#(file:)?/, '').split('?')[0]));
      return { page, errors };
    },
    close: async () => {
      await chromium.close();
      await server.close();
    },
  };
}

/** Waits until a scene is on and has been drawn a few times. */
export async function waitForScene(page: Page, name: string): Promise<void> {
  const drawn = (scene: string) => tendonViewer.scene === scene && tendonViewer.frames > 2;
  await page.waitForFunction(drawn, name);
}

/** Presses a button beside the picture; in a low window it is in the menu. */
export async function press(page: Page, selector: string): Promise<void> {
  if (await page.isVisible('#menu')) await page.click('#menu');
  await page.click(selector);
}

export async function waitForSteps(page: Page, more: number): Promise<void> {
  const from = await page.evaluate(() => tendonViewer.stepCount);
  await page.waitForFunction((n) => tendonViewer.stepCount >= n, from + more);
}

/** Pauses and goes back to the start, camera included. */
export async function resetPaused(page: Page): Promise<void> {
  if ((await page.textContent('#play')) === 'Pause') await page.click('#play');
  await page.click('#reset');
  const there = () => tendonViewer.settled && tendonViewer.still && tendonViewer.stepCount === 0;
  await page.waitForFunction(there);
}

/** Takes that many steps of a paused page and waits until the last is on the screen, however long that takes. */
export async function takeSteps(page: Page, count: number): Promise<void> {
  const wanted = await page.evaluate((steps) => {
    tendonViewer.take(steps);
    return tendonViewer.stepCount + steps;
  }, count);
  const there = (n: number) => tendonViewer.settled && tendonViewer.stepCount === n;
  await page.waitForFunction(there, wanted);
}

/** Surface positions of the first body. */
export function positionsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => tendonViewer.positions());
}

/** Colours of 64 x 48 points of the picture, r,g,b,a each; to be polled, since a canvas is empty between two pictures. */
export function readPicture(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const copy = new OffscreenCanvas(64, 48).getContext('2d') as OffscreenCanvasRenderingContext2D;
    copy.drawImage(await createImageBitmap(canvas), 0, 0, 64, 48);
    return Array.from(copy.getImageData(0, 0, 64, 48).data);
  });
}

/** Where the middle of a body is on the screen [pixels]. */
export function middleOnScreen(page: Page): Promise<[number, number]> {
  return page.evaluate(() => {
    const all = tendonViewer.positions();
    const sum = [0, 1, 2].map((k) => all.filter((_, i) => i % 3 === k).reduce((total, x) => total + x, 0));
    return tendonViewer.toScreen(sum.map((x) => x / (all.length / 3)) as [number, number, number]);
  });
}
