/** Helper threads that die over a part in Chromium: the step ends at once, with the bits of one thread in Node, and another helper comes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index.js';
import { createWorld, hashWorld, stepWorld } from '../../src/index.js';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/pages/chromium.js';
import type { DyingRun } from './dying-worker.js';

const SCENE = 'falling-limb';
const STEPS = 12;

let chromium: Chromium;
let server: StaticServer;

beforeAll(async () => {
  server = await startServer({ isolated: true });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

/** Source of a program that runs the scene in a worker whose first helper dies. */
function runInWorker(way: string): string {
  return `new Promise((resolve, reject) => {
    const worker = new Worker('/test/browser/dying-worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => (data.result ? resolve(data.result) : reject(new Error(data.error)));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(${JSON.stringify({ scene: SCENE, way, steps: STEPS })});
  })`;
}

describe('a helper that dies over a part in Chromium', () => {
  it.each([
    ['unreachable', /unreachable/],
    ['bounds', /out of bounds/],
    ['exception', /no more/],
  ])('%s: is replaced', async (way, cause) => {
    const { page, errors } = await chromium.open(`${server.url}/blank`);
    const result = await page.evaluate<DyingRun>(runInWorker(way));
    await page.close();
    // none where it was ended before its error had come in
    for (const error of errors) expect(error).toMatch(cause);
    expect(result.diedIn).toBeGreaterThan(-1);
    // one that says nothing is waited for eight seconds
    expect(result.took).toBeLessThan(8000);
    expect(result.threads).toBe(2);
    expect(result.started).toBe(2);
    const world = await createWorld(buildScene(SCENE));
    for (let n = 0; n < STEPS; n++) stepWorld(world);
    expect(result.hash).toBe(hashWorld(world));
  });
});
