/** Compiling the kernels: from the package, from bytes, from an address, and every way in which it can fail. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TendonError } from '../../src/errors.js';
import { compileKernels, instantiateKernels, requireWasm } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { PLAIN_WASM, SHARED_WASM } from '../../src/kernels/wasm-binary.generated.js';

const NAMES = [
  'addScaledRows',
  'advanceBodies',
  'answerBodies',
  'answerSide',
  'backwardSkyline',
  'beginSlots',
  'boneFronts',
  'countInverted',
  'denseProduct',
  'denseRows',
  'dotOthers',
  'dotRows',
  'elasticBodies',
  'energyTets',
  'factorSkyline',
  'findPairs',
  'finishSlots',
  'firstNonzero',
  'forwardInTurn',
  'forwardSkyline',
  'latticeCopy',
  'latticeElastic',
  'latticeHold',
  'latticeInertia',
  'latticeKeep',
  'latticeLaplacian',
  'latticeLargest',
  'latticeMove',
  'latticeMoveDot',
  'latticeProlong',
  'latticeProlongRows',
  'latticeRelax',
  'latticeRelaxRows',
  'latticeRestrict',
  'latticeRestrictRows',
  'latticeSparse',
  'latticeStiffness',
  'latticeTry',
  'latticeVolumes',
  'latticeWeigh',
  'layRows',
  'laySlots',
  'localNeoHookean',
  'localTets',
  'measureRows',
  'mixRows',
  'moveRows',
  'nodalStrain',
  'readyJoints',
  'refreshBodies',
  'rotationBySvd',
  'solveBackward',
  'solveChains',
  'solveContacts',
  'solveForward',
  'solveSixSkyline',
  'sumCopies',
  'svd3',
  'sweepBoxes',
  'sweepFew',
  'sweepRows',
  'takeRows',
  'takeSlots',
  'touchBegin',
  'touchBones',
  'touchEnd',
  'touchFind',
  'touchSweep',
  'warmRows',
  'writeBodies',
];

const original = globalThis.WebAssembly;

afterEach(() => {
  globalThis.WebAssembly = original;
});

/** The error that `promise` is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<TendonError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TendonError);
  return error as TendonError;
}

/** Runs `action` with an address that answers every request with `status` and `body`. */
async function withServer<T>(status: number, body: Uint8Array, action: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await action(`http://127.0.0.1:${(server.address() as AddressInfo).port}/kernels.wasm`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('compileKernels', () => {
  it.each([
    ['plain', PLAIN_WASM],
    ['shared', SHARED_WASM],
    // a page loads them before anything else; sweeps, searches and fronts of three solvers are in them, all that goes through the rows and joints of a heap, means around vertices (2 kB), bones that are solved for with four products of the factor at a time (0.9 kB), boxes that overlap and poses of a thousand bodies (1 kB), and contacts that are chosen by height as well (0.2 kB)
  ])('keeps the %s build at 92.25 kB or less', (_name, base64) => {
    const bytes = Buffer.from(base64, 'base64').length;
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThanOrEqual(92.25 * 1024);
  });

  it('compiles the embedded kernels once, with exactly the functions of the table', async () => {
    const module = await compileKernels(false);
    expect(await compileKernels(false)).toBe(module);
    expect(await compileKernels(true)).not.toBe(module);
    for (const shared of [false, true]) {
      const exports = WebAssembly.Module.exports(await compileKernels(shared));
      expect(
        exports
          .filter((entry) => entry.kind === 'function')
          .map((entry) => entry.name)
          .sort(),
      ).toEqual(NAMES);
      // The only thing they need from outside.
      expect(WebAssembly.Module.imports(await compileKernels(shared))).toEqual([
        { module: 'env', name: 'memory', kind: 'memory' },
      ]);
    }
  });

  it('takes bytes in place of the embedded kernels', async () => {
    const plan = new MemoryPlan();
    const work = plan.f64(30);
    const memory = plan.allocate();
    const module = await compileKernels(false, { plain: Buffer.from(PLAIN_WASM, 'base64') });
    work.view.set([3, 0, 0, 0, 2, 0, 0, 0, 1]);
    expect(instantiateKernels(module, memory).svd3(work.address)).toBe(1);
    expect(Array.from(work.view.subarray(18, 21))).toEqual([3, 2, 1]);
  });

  it('takes an address, as a string or a URL', async () => {
    await withServer(200, Buffer.from(SHARED_WASM, 'base64'), async (url) => {
      for (const source of [url, new URL(url)]) {
        const module = await compileKernels(true, { shared: source });
        expect(WebAssembly.Module.exports(module).some((entry) => entry.name === 'localTets')).toBe(true);
      }
    });
  });

  it('refuses bytes that are not WebAssembly, and an empty file', async () => {
    for (const bytes of [new Uint8Array([1, 2, 3, 4]), new Uint8Array(0), new Uint8Array(1000)]) {
      expect((await errorOf(compileKernels(false, { plain: bytes }))).code).toBe('E_WASM');
    }
    await withServer(200, new TextEncoder().encode('<html>'), async (url) => {
      expect((await errorOf(compileKernels(false, { plain: url }))).code).toBe('E_WASM');
    });
  });

  it('refuses an address that answers with an error or not at all', async () => {
    await withServer(404, new Uint8Array(0), async (url) => {
      const error = await errorOf(compileKernels(false, { plain: url }));
      expect(error.code).toBe('E_WASM');
      expect(error.message).toContain('404');
    });
    // Port 9 (discard) is closed, and fetch refuses it anyway.
    for (const url of ['http://127.0.0.1:9/kernels.wasm', 'not an address']) {
      expect((await errorOf(compileKernels(false, { plain: url }))).code).toBe('E_WASM');
    }
  });

  it('says so where there is no WebAssembly', async () => {
    (globalThis as { WebAssembly?: unknown }).WebAssembly = undefined;
    const error = await errorOf(compileKernels(false));
    expect(error.code).toBe('E_WASM');
    expect(error.place).toBe('WebAssembly');
  });

  it('says so where there is no SIMD', async () => {
    (globalThis as { WebAssembly?: unknown }).WebAssembly = { ...original, validate: () => false };
    const error = await errorOf(compileKernels(false));
    expect(error.code).toBe('E_WASM');
    expect(error.place).toBe('WebAssembly/simd');
  });

  it('finds SIMD here, and its probe is valid only with SIMD', () => {
    expect(() => requireWasm()).not.toThrow();
    let probe: Uint8Array | undefined;
    (globalThis as { WebAssembly?: unknown }).WebAssembly = {
      validate: (bytes: Uint8Array) => {
        probe = bytes;
        return original.validate(bytes as Uint8Array<ArrayBuffer>);
      },
    };
    requireWasm();
    // 0xfd is the prefix of every SIMD instruction.
    expect(Array.from(probe ?? [])).toContain(0xfd);
  });
});
