/** Rigid meshes, cloth and a character together in a real browser: each carries the next, and the bits are the same in a worker and on the page. */
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

it('takes rigid meshes, cloth and a character together', async () => {
  const positions: number[][] = [];
  for (const worker of [true, false]) {
    const seen = await page.evaluate((inWorker) => lab.dropTogether('arm.glb', inWorker), worker);
    expect(seen.names).toEqual(['block', 'ring', 'sheet']);
    // the arm lies on the cloth, the cloth on the ring, the ring on the block
    for (const pair of ['0 on 3', '2 on 3', '1 on 2']) expect(seen.touched).toContain(pair);
    expect(seen.penetration).toBeLessThan(0.01);
    // each of the four is drawn
    expect(seen.calls).toBeGreaterThanOrEqual(4);
    expect(seen.triangles).toBeGreaterThan(300);
    positions.push(seen.positions);
  }
  expect(positions[0].length).toBeGreaterThan(1000);
  expect(positions[1]).toEqual(positions[0]);
});
