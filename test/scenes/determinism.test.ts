/**
 * Same bits whoever computes them: every scene in Node with one and with two threads, from run to run, and in Chromium.
 * Runs the compiled library, because threads cannot be started from TypeScript sources.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENES } from '../../scenes/index.js';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/chromium.js';

/** Steps until a scene is in the middle of what it touches; those of many vertices take no more than they need. */
const STEPS = new Map([
  ['snail', 6],
  ['washing-machine', 10],
  ['aerial-silk', 6],
  ['aerial-silk-loose', 6],
  ['pile', 12],
  ['fist', 105],
]);
const USUAL_STEPS = 30;
/** Scenes in which nothing is there to be touched. */
const UNTOUCHED = ['jelly-bar', 'hand', 'pendulum', 'chain'];
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
  const pushes = world.contacts.force.some((force) => force !== 0);
  const result = { hash: hashWorld(world), threads: world.threads.threads, pushes };
  disposeWorld(world);
  return result;
}`;

type Result = { hash: string; threads: number; pushes: boolean };

async function runInNode(name: string, threads: number): Promise<Result> {
  // as text: vitest would rewrite the imports
  const source = `export default ${RUN}`;
  const { default: run } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`);
  return run(DIST, name, threads, STEPS.get(name) ?? USUAL_STEPS);
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
    expect(one.pushes).toBe(!UNTOUCHED.includes(name));
    expect(two.hash).toBe(one.hash);
    expect(again.hash).toBe(one.hash);
    const { page, errors } = await chromium.open(`${server.url}/blank`);
    const source = `(${RUN})('${server.url}/dist/', '${name}', 1, ${STEPS.get(name) ?? USUAL_STEPS})`;
    const browser = await page.evaluate<Result>(source);
    await page.close();
    expect(errors).toEqual([]);
    expect(browser.hash).toBe(one.hash);
  });
});
