/** A crowd in a real browser: plain skinned meshes that are where the solver has them, in a worker and on the page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Chromium, launchChromium, PATIENCE, type StaticServer, startServer } from '../support/pages/chromium.js';
import { buildThreePage } from '../support/pages/three-page.js';

declare const lab: import('./three-page/lab.js').Lab;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

let chromium: Chromium;
let server: StaticServer;
let page: Page;

beforeAll(async () => {
  server = await startServer({ isolated: true, folders: { page: await buildThreePage() } });
  chromium = await launchChromium();
  ({ page } = await chromium.open(`${server.url}/page/index.html`));
  await page.waitForFunction(() => 'lab' in globalThis);
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

/** Six arms of two models: two play the clip, at different times of it, four fall on a floor. */
async function play(worker: boolean) {
  return page.evaluate(async (inWorker) => {
    const entries = [0, 1, 2, 3, 4, 5].map((i) => ({
      source: i % 2 === 0 ? 'arm.glb' : 'fine.glb',
      position: [0, 0.25 * i - 0.5, 0] as const,
    }));
    const floor = { name: 'floor', shape: { kind: 'plane' }, position: [0, -0.75, 0], friction: 0.5 } as const;
    await lab.loadCrowd(entries, { worker: inWorker, obstacles: [floor] });
    const { members, simulation } = lab.crowd;
    const clip = members[5].clips[0].name;
    members[4].playClip(clip);
    members[5].playClip(clip, { speed: 2, at: 0.5 });
    await simulation.advance(80);
    return {
      ...(await lab.compareCrowd()),
      dents: simulation.news?.dentNodes.length ?? 0,
      dented: [...(simulation.news?.dentStart ?? [])],
      // what is not dented shares its positions with all others of its model
      shares: members.map(
        ({ geometry }) => geometry.getAttribute('position') !== members[0].geometry.getAttribute('position'),
      ),
      transport: simulation.transport,
      hash: await simulation.ask('hash'),
    };
  }, worker);
}

it('draws bones and dents where the solver has them, and the same in a worker and on the page', async () => {
  const inWorker = await play(true);
  expect(inWorker.transport).toBe('shared memory');
  expect(inWorker.dents).toBeGreaterThan(20);
  // positions on the page are of single precision, about a metre from the origin
  expect(inWorker.worst).toBeLessThan(3e-6);
  expect(inWorker.covered).toBeGreaterThan(500);
  expect(inWorker.different).toBeLessThan(0.01 * inWorker.covered);
  const onPage = await play(false);
  expect(onPage.transport).toBe('main thread');
  expect(onPage.hash).toBe(inWorker.hash);
});

it('names what it does not know', async () => {
  const said = await page.evaluate(async () => {
    const clip = await lab
      .loadCrowd([{ source: 'arm.glb' }])
      .then(() => lab.crowd.members[0].playClip('no such clip'))
      .catch((error: Error) => error.message);
    const empty = await lab.loadCrowd([]).catch((error: Error) => error.message);
    return { clip, empty };
  });
  expect(said.clip).toContain('no such clip');
  expect(said.empty).toContain('at least one character');
});
