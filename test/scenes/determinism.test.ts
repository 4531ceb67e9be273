/**
 * Same bits whoever computes them: every scene in Node with one and with two threads, from run to run, and in Chromium.
 * Runs the compiled library, because threads cannot be started from TypeScript sources.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENES } from '../../scenes/index.js';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/chromium.js';

const STEPS = 6;
const NAMES = [...SCENES.keys()];
const DIST = new URL('../../dist/', import.meta.url).href;

/** The program, as text so that a browser can run it too. */
const RUN = `async (base, name, threads, steps) => {
  const { createWorld, disposeWorld, hashWorld, stepWorld } = await import(base + 'src/index.js');
  const { SCENES } = await import(base + 'scenes/index.js');
  const { build, drive } = SCENES.get(name);
  const world = await createWorld(build(), { threads, iterations: 5 });
  for (let i = 0; i < steps; i++) {
    drive?.(world);
    if (!stepWorld(world)) throw world.fault;
  }
  const result = { hash: hashWorld(world), threads: world.threads.threads };
  disposeWorld(world);
  return result;
}`;

type Result = { hash: string; threads: number };

async function runInNode(name: string, threads: number): Promise<Result> {
  // as text: vitest would rewrite the imports
  const source = `export default ${RUN}`;
  const { default: run } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`);
  return run(DIST, name, threads, STEPS);
}

describe('every scene has the same bits', () => {
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

  it.each(NAMES)('%s: one thread, two threads, again, and in Chromium', async (name) => {
    const one = await runInNode(name, 1);
    const two = await runInNode(name, 2);
    const again = await runInNode(name, 1);
    expect(two.threads).toBe(2);
    expect(two.hash).toBe(one.hash);
    expect(again.hash).toBe(one.hash);
    const { page, errors } = await chromium.open(`${server.url}/blank`);
    const source = `(${RUN})('${server.url}/dist/', '${name}', 1, ${STEPS})`;
    const browser = await page.evaluate<Result>(source);
    await page.close();
    expect(errors).toEqual([]);
    expect(browser.hash).toBe(one.hash);
  });
});
