/** The viewer's tools in a real browser: settings, overlays, pins and pushes, side by side, sharing, recording. */
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  middleOnScreen,
  PATIENCE,
  press,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
  waitForSteps,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

let viewer: ViewerRig;
beforeAll(async () => {
  viewer = await startViewer();
  await viewer.chromium.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(() => viewer?.close());

/** A setting of the panel by its label. */
const setting = (name: string) => `#panel .lil-controller:has(.lil-name:text-is("${name}"))`;

describe('the tools of the viewer', () => {
  it('builds another world for other bones, materials and threads, and holds bones', async () => {
    const { page, errors } = await viewer.open('#bar?threads=2', { size: { width: 1000, height: 500 } });
    expect(await page.evaluate(() => tendonViewer.threads)).toBe(2);
    await page.selectOption(`${setting('Bones')} select`, { label: 'Stiff elements' });
    await page.waitForFunction(() => location.hash.includes('bones=stiff'));
    await page.selectOption(`${setting('Bones')} select`, { label: 'Exact' });
    await page.click('text=Material');
    await page.selectOption(`${setting('Energy')} select`, { label: 'ARAP' });
    await page.waitForFunction(() => location.hash.includes('model=arap'));
    await waitForScene(page, 'bar');
    await page.click('text=Held bones (2)');
    await page.locator('#panel .lil-gui:has(> .lil-title:has-text("Held bones")) input').first().click();
    await page.fill(`${setting('Gravity')} input[type="number"], ${setting('Gravity')} input`, '-5');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('gravity=-5'));
    await waitForSteps(page, 20);
    // Held at one end it does not fall away.
    expect(
      await page.evaluate(() => Math.max(...tendonViewer.positions().filter((_, i) => i % 3 === 1))),
    ).toBeGreaterThan(-1);
    expect(errors).toEqual([]);
  });

  it('lists the limits of joints, and builds the world with those that are changed', async () => {
    const { page, errors } = await viewer.open('#ragdoll-limits', { size: { width: 1000, height: 640 } });
    // it need not fall meanwhile
    await resetPaused(page);
    const table = '#panel .lil-gui:has(> .lil-title:has-text("Joint limits"))';
    await page.click(`${table} > .lil-title`);
    const joint = page.locator(`${table} .lil-gui:has(> .lil-title:has-text("from scene"))`).first();
    const name = (await joint.locator('> .lil-title').textContent())?.split(':')[0] ?? '';
    await joint.locator('> .lil-title').click();
    await joint.locator('.lil-controller:has(.lil-name:text-is("Lean")) input').last().fill('33');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('limits='));
    await waitForScene(page, 'ragdoll-limits');
    expect(decodeURIComponent(await page.evaluate(() => location.hash))).toContain(
      `limits=1%2F${name.split(', ').at(-1)}=33_`,
    );
    const again = page.locator(`${table} .lil-gui:has(> .lil-title:has-text("${name}: changed"))`);
    const lean = again.locator('.lil-controller:has(.lil-name:text-is("Lean")) input').last();
    expect(await lean.inputValue()).toBe('33');
    await page.click(`${table} >> text=As they were`);
    await page.waitForFunction(() => !location.hash.includes('limits='));
    expect(errors).toEqual([]);
  });

  it('shows the mesh, a cut through it, bones, joints, contact forces and strain', async () => {
    const { page, errors } = await viewer.open('#jelly-drop', { drawn: true });
    await resetPaused(page);
    await takeSteps(page, 45);
    expect(await page.evaluate(() => tendonViewer.contacts)).toBe(0);
    const look = async () => (await page.locator('#canvas').screenshot()).toString('base64');
    const plain = await look();
    for (const key of 'mxbjcd') {
      await page.keyboard.press(key);
      await page.waitForFunction(() => tendonViewer.settled);
      expect(await look(), `overlay of key ${key}`).not.toBe(plain);
      await page.keyboard.press(key);
    }
    for (const key of 'mbjcd') await page.keyboard.press(key);
    await takeSteps(page, 1);
    expect(await page.evaluate(() => tendonViewer.contacts)).toBeGreaterThan(4);
    expect(await page.locator('#panel .pairs input:checked').count()).toBe(5);
    expect(errors).toEqual([]);
  });

  it('shows where motors lead as pale bones, and how hard muscles work as colour', async () => {
    const { page, errors } = await viewer.open('#flexing-arm', { drawn: true });
    await resetPaused(page);
    await takeSteps(page, 60);
    expect(await page.evaluate(() => tendonViewer.ghosts())).toBe(0);
    const look = async () => (await page.locator('#canvas').screenshot()).toString('base64');
    const plain = await look();
    await page.keyboard.press('a');
    await page.waitForFunction(() => tendonViewer.settled);
    expect(await look()).not.toBe(plain);
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await page.waitForFunction(() => tendonViewer.settled);
    // the elbow has the one motor
    expect(await page.evaluate(() => tendonViewer.ghosts())).toBe(1);
    // flesh without fibres keeps its colours, and the box says that there is nothing to show
    const box = page.locator('#panel .lil-controller:has-text("Muscles") input');
    expect(await box.isDisabled()).toBe(false);
    await page.evaluate(() => document.querySelector<HTMLElement>('[data-scene="swimming-fish"]')?.click());
    await waitForScene(page, 'swimming-fish');
    expect(await box.isDisabled()).toBe(true);
    expect(errors).toEqual([]);
  });

  it('pushes with the right button and pins with a key', async () => {
    const { page, errors } = await viewer.open('#bar?gravity=0', { size: { width: 1000, height: 600 } });
    await resetPaused(page);
    const [x, y] = await middleOnScreen(page);
    await page.mouse.move(x, y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 90, y, { steps: 3 });
    await takeSteps(page, 15);
    const [pushedTo] = await middleOnScreen(page);
    expect(pushedTo).toBeGreaterThan(x + 40);
    await page.mouse.up({ button: 'right' });
    expect(await page.evaluate(() => tendonViewer.grabbed)).toBeUndefined();

    await resetPaused(page);
    await page.mouse.move(...(await middleOnScreen(page)));
    await page.mouse.down();
    await page.mouse.move(x, y - 40, { steps: 3 });
    await takeSteps(page, 5);
    await page.keyboard.press('p');
    await page.mouse.up();
    await takeSteps(page, 30);
    // The bar goes on spinning, but about the pin.
    const [first] = await page.evaluate(() => tendonViewer.pins);
    await takeSteps(page, 20);
    const pins = await page.evaluate(() => tendonViewer.pins);
    expect(pins.length).toBe(1);
    expect(Math.hypot(...pins[0].map((value, k) => value - first[k]))).toBeLessThan(0.03);
    await page.click('#unpin');
    await page.waitForFunction(() => tendonViewer.pins.length === 0);
    expect(await page.isVisible('#unpin')).toBe(false);
    expect(errors).toEqual([]);
  });

  it('runs exact, published and stiff bones side by side, with plots of each', async () => {
    const { page, errors } = await viewer.open('#bar?compare=true', { size: { width: 1000, height: 700 } });
    await page.waitForFunction(() => tendonViewer.lanes.length === 3);
    expect(await page.locator('#lanes b').allTextContents()).toEqual(['Exact', 'As published', 'Stiff elements']);
    await page.click('#plot-fold > summary');
    await resetPaused(page);
    await takeSteps(page, 10);
    expect(await page.locator('#plots canvas').count()).toBe(5);
    expect(await page.textContent('#plots')).toContain('Joint gap [m] exact published stiff');
    const lanes = await page.evaluate(() => tendonViewer.lanes.map(({ certificate }) => certificate.residual));
    expect(lanes[0]).toBeLessThan(lanes[1]);
    const elastic = await page.evaluate(() => tendonViewer.lanes.map((lane) => lane.elastic));
    for (const energy of elastic) expect(energy).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it('shares a link that brings back scene, settings and view', async () => {
    const { page, errors } = await viewer.open('#pendulum?iterations=7');
    // Beside the body: turns the view.
    await page.mouse.move(20, 300);
    await page.mouse.down();
    await page.mouse.move(140, 280, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction(() => tendonViewer.still);
    await press(page, '#share');
    await page.waitForSelector('#notice[data-kind="remark"]');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain('#pendulum?iterations=7&camera=');
    const camera = link
      .slice(link.indexOf('camera=') + 7)
      .split('_')
      .map(Number);
    expect(camera[0]).not.toBeCloseTo(0, 1);
    const { page: other } = await viewer.open(link.slice(link.indexOf('#')));
    const found = await other.evaluate(() => tendonViewer.camera());
    found.forEach((value, k) => {
      expect(Math.abs(value - camera[k]), `number ${k}`).toBeLessThan(0.02);
    });
    expect(await other.inputValue(`${setting('Iterations')} input`)).toBe('7');
    expect(errors).toEqual([]);
  });

  it('has a picture for every scene; records a video, or says why it cannot', async () => {
    const { page, errors } = await viewer.open('#pendulum', { drawn: true });
    const pictures = await page.$$eval('#scenes img', (all) =>
      all.map((picture) => {
        const { src, loading } = picture as HTMLImageElement;
        (picture as HTMLImageElement).loading = 'eager';
        return `${src === '' ? 'none' : 'some'} ${loading}`;
      }),
    );
    expect(new Set(pictures), 'node tools/gallery.mjs makes them').toEqual(new Set(['some lazy']));
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('#scenes img')].every(({ naturalWidth }) => naturalWidth > 0),
    );

    await press(page, '#record');
    expect(await page.textContent('#record')).toBe('Stop');
    const before = await page.evaluate(() => tendonViewer.frames);
    await page.waitForFunction((frames) => tendonViewer.frames > frames + 20, before);
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '#record')]);
    expect(download.suggestedFilename()).toMatch(/^pendulum\.(webm|mp4)$/);
    expect(statSync(await download.path()).size).toBeGreaterThan(1000);
    expect(await page.textContent('#record')).toBe('Video');

    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'MediaRecorder'));
    await press(page, '#record');
    expect(await page.textContent('#notice-text')).toBe('This browser cannot record: it has no MediaRecorder.');
    expect(errors).toEqual([]);
  });

  it('is worked by the keyboard alone: seen where one is, the list of scenes one stop, boxes ticked, help', async () => {
    const { page, errors } = await viewer.open('#bar', { size: { width: 1000, height: 700 } });
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        return {
          scene: at.dataset.scene,
          id: at.id,
          isSeen: getComputedStyle(at).outlineStyle === 'solid',
          tag: at.tagName,
        };
      });
    const stops: Awaited<ReturnType<typeof focused>>[] = [];
    for (;;) {
      await page.keyboard.press('Tab');
      const stop = await focused();
      if (stop.tag === 'BODY') break;
      stops.push(stop);
    }
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
    expect(stops.flatMap(({ scene }) => scene ?? [])).toEqual(['bar']);
    expect(stops.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['tool-pull', 'open', 'play', 'reset', 'help-open']),
    );

    await page.focus('button[data-scene=bar]');
    await page.keyboard.press('ArrowLeft');
    const { scene } = await focused();
    expect(scene).not.toBe('bar');
    await page.keyboard.press('Enter');
    await waitForScene(page, scene ?? '');

    // the space bar ticks what is in focus instead of stopping the page
    await page.locator('#panel .pairs input').first().focus();
    await page.keyboard.press('Space');
    expect(await page.locator('#panel .pairs input').first().isChecked()).toBe(true);
    expect(await page.textContent('#play')).toBe('Pause');

    await page.focus('#reset');
    await page.keyboard.press('?');
    expect(await page.locator('#help').textContent()).toContain('Pointer and keys');
    expect(await page.isVisible('#help')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#help')).toBe(false);
    expect(errors).toEqual([]);
  });
});
