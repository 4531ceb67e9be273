/**
 * A helper thread that dies over a part it took: it serves as the helper of the address `helper` does, and dies in one `way` within its call of a kernel of
 * number `calls`, after the kernel has written; or it lives, but is slow. In Node it is given these as its data, in Chromium as its address's query.
 */
let given;
let calls = 0;

/** A module with a memory of one page, a function `stop` that is unreachable, and one, `stray`, that reads beyond the memory. */
const TRAPS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 3, 2, 0, 0, 5, 3, 1, 0, 1, 7, 16, 2, 4, 115, 116, 111, 112, 0, 0,
  5, 115, 116, 114, 97, 121, 0, 1, 10, 14, 2, 3, 0, 0, 11, 8, 0, 65, 127, 40, 2, 0, 26, 11,
]);

const RealInstance = WebAssembly.Instance;
const trap = (name) => new RealInstance(new WebAssembly.Module(TRAPS)).exports[name]();

const WAYS = {
  unreachable: () => trap('stop'),
  bounds: () => trap('stray'),
  exception: () => {
    throw new Error('no more');
  },
  exit: () => process.exit(3),
  memory: () => {
    for (const kept = []; ; ) kept.push(new Array(1000).fill(Math.sqrt(kept.length)));
  },
  // until somebody else ends it; says that it is there to be ended
  terminate: () => {
    Atomics.store(new Int32Array(given.told), 0, 1);
    for (;;);
  },
  // longer than any helper that says nothing was waited for once
  slow: () => void Atomics.wait(new Int32Array(given.told), 1, 0, 2500),
};

WebAssembly.Instance = function DyingInstance(module, imports) {
  const { exports } = new RealInstance(module, imports);
  const wrapped = {};
  for (const [name, kernel] of Object.entries(exports)) {
    wrapped[name] = (...args) => {
      const result = kernel(...args);
      if (++calls === Number(given.calls)) WAYS[given.way]();
      return result;
    };
  }
  return { exports: wrapped };
};

/** Serves, once the real helper is there; in browsers a message that comes in before somebody listens is lost. */
async function begin() {
  if (typeof process === 'object') {
    given = (await import('node:worker_threads')).workerData;
    await import(given.helper);
    return;
  }
  const first = new Promise((resolve) => {
    globalThis.onmessage = resolve;
  });
  given = Object.fromEntries(new URL(import.meta.url).searchParams);
  await import(given.helper);
  globalThis.onmessage(await first);
}

void begin();
