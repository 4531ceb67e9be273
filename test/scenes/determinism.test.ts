/**
 * Same bits whoever computes them, and the same as ever: every scene in Node with one and with two threads and in Chromium has the
 * hash that golden-hashes.json keeps (`npm run golden` writes it; a commit that changes it says why). Runs the compiled library,
 * because threads cannot be started from TypeScript sources.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYERED_SCENES, SCENES } from '../../scenes/index.js';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/pages/chromium.js';

/** A scene's fingerprint after some steps, enough that everything that will touch does. */
type Golden = { readonly steps: number; readonly touches: boolean; readonly hash: string };
type Result = { hash: string; threads: number; touches: boolean };

const GOLDEN = JSON.parse(readFileSync(new URL('golden-hashes.json', import.meta.url), 'utf8')) as Record<
  string,
  Golden
>;
const DIST = new URL('../../dist/', import.meta.url).href;
// as text: vitest would rewrite the imports, and a page needs text anyway
const PROGRAM = readFileSync(new URL('golden-run.mjs', import.meta.url), 'utf8');

async function runInNode(name: string, threads: number): Promise<Result> {
  const source = `data:text/javascript,${encodeURIComponent(PROGRAM)}`;
  const { runGolden } = await import(/* @vite-ignore */ source);
  return runGolden(DIST, name, threads, GOLDEN[name].steps);
}

describe('every scene has the bits that are kept', () => {
  let chromium: Chromium;
  let server: StaticServer;
  /** One for all scenes: the hundreds of modules of the library take longer to load than most scenes to run. */
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    server = await startServer({ isolated: true });
    chromium = await launchChromium();
    ({ page, errors } = await chromium.open(`${server.url}/blank`));
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.close();
  });

  it('has all scenes in the file, and no others', () => {
    expect(Object.keys(GOLDEN)).toEqual([...SCENES.keys(), 'stretch', 'falling-limb', ...LAYERED_SCENES.keys()]);
  });

  it.each(Object.keys(GOLDEN))('%s: one thread, two threads, and in Chromium', async (name) => {
    const { hash, touches, steps } = GOLDEN[name];
    const call = `runGolden('${server.url}/dist/', '${name}', 1, ${steps})`;
    const source = `import('data:text/javascript,${encodeURIComponent(PROGRAM)}').then(({ runGolden }) => ${call})`;
    // side by side: a machine with two cores has nothing else to do at the end of the tests
    const [node, browser] = await Promise.all([runInNode(name, 1), page.evaluate<Result>(source)]);
    expect(node).toEqual({ hash, touches, threads: 1 });
    expect(await runInNode(name, 2)).toEqual({ hash, touches, threads: 2 });
    expect(errors).toEqual([]);
    expect(browser).toEqual({ hash, touches, threads: 1 });
  });

  // pages cannot wait for threads, workers can; one scene of a solver is enough: the kernels that run on threads are the same in all
  it.each(['falling-limb', 'tangled-tubes', 'pile-1600'])('%s: two threads in a worker in Chromium', async (name) => {
    const { hash, touches, steps } = GOLDEN[name];
    const program = `${PROGRAM}
      runGolden('${server.url}/dist/', '${name}', 2, ${steps}).then(postMessage, (error) => postMessage(String(error)));`;
    const source = `new Promise((resolve) => {
      const url = URL.createObjectURL(new Blob([${JSON.stringify(program)}], { type: 'text/javascript' }));
      new Worker(url, { type: 'module' }).onmessage = ({ data }) => resolve(data);
    })`;
    const result = await page.evaluate<Result>(source);
    expect(errors).toEqual([]);
    expect(result).toEqual({ hash, touches, threads: 2 });
  });
});
