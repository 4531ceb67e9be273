/**
 * The kernels in Chromium: the very bits of Node, on a page and in a worker, with one thread and with two, and one
 * thread where the page is not isolated.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/pages/chromium.js';
import { runKernelSequence, type SequenceOptions, type SequenceResult } from './kernel-sequence.js';

const ROUNDS = 30;
let chromium: Chromium;
let isolated: StaticServer;
let open: StaticServer;
let node: SequenceResult;

beforeAll(async () => {
  isolated = await startServer({ isolated: true });
  open = await startServer({ isolated: false });
  chromium = await launchChromium();
  const library = new URL('../../dist/src/', import.meta.url).href;
  node = await runKernelSequence({ library, threads: 1, rounds: ROUNDS });
});

afterAll(async () => {
  await chromium?.close();
  await isolated?.close();
  await open?.close();
});

/** Source of a program that runs the sequence on the thread of the page. */
function runOnPage(options: SequenceOptions): string {
  return `import('/test/browser/kernel-sequence.js').then((it) => it.runKernelSequence(${JSON.stringify(options)}))`;
}

/** Source of a program that runs the sequence in a module worker. */
function runInWorker(options: SequenceOptions): string {
  return `new Promise((resolve, reject) => {
    const worker = new Worker('/test/browser/kernel-worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => (data.result ? resolve(data.result) : reject(new Error(data.error)));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(${JSON.stringify(options)});
  })`;
}

/** Runs the sequence on a page of `server`, in the page itself or in a module worker of it. */
async function runInPage(server: StaticServer, threads: number, worker: boolean) {
  const { page, errors } = await chromium.open(`${server.url}/blank`);
  const options: SequenceOptions = { library: `${server.url}/dist/src/`, threads, rounds: ROUNDS };
  // As text: vitest rewrites the imports of functions it sees.
  const result = await page.evaluate<SequenceResult>(worker ? runInWorker(options) : runOnPage(options));
  const crossOriginIsolated = await page.evaluate(() => globalThis.crossOriginIsolated);
  await page.close();
  return { result, errors, crossOriginIsolated };
}

describe('kernels in Chromium', () => {
  it.each([
    ['on an isolated page, one thread', true, 1, false, 1],
    ['in a worker of an isolated page, one thread', true, 1, true, 1],
    ['in a worker of an isolated page, two threads', true, 2, true, 2],
    ['on an isolated page, which must not wait, two asked for', true, 2, false, 1],
    ['in a worker without COOP and COEP, two asked for', false, 2, true, 1],
    ['on a page without COOP and COEP, two asked for', false, 2, false, 1],
  ])('give the bits of Node %s', async (_name, isolate, threads, worker, expected) => {
    const { result, errors, crossOriginIsolated } = await runInPage(isolate ? isolated : open, threads, worker);
    expect(errors).toEqual([]);
    expect(crossOriginIsolated).toBe(isolate);
    expect(result.threads).toBe(expected);
    expect(result.hash).toBe(node.hash);
    expect(result.repaired).toBe(node.repaired);
    expect(node.finite).toBe(true);
  });

  it('are compared by a hash that notices one bit', async () => {
    const library = new URL('../../dist/src/', import.meta.url).href;
    const shorter = await runKernelSequence({ library, threads: 1, rounds: ROUNDS - 1 });
    expect(shorter.hash).not.toBe(node.hash);
  });
});
