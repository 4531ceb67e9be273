/** Steps a scene with two threads in a module worker, whose first helper is test/support/dying-helper.mjs; what became of it. */

/** What the worker says. */
export interface DyingRun {
  readonly hash: string;
  /** Threads once there was time to start another one. */
  readonly threads: number;
  /** Helpers that were started in all. */
  readonly started: number;
  /** The step within which the helper died, −1 where it did not. */
  readonly diedIn: number;
  /** How long that step took [ms]. */
  readonly took: number;
}

interface Wanted {
  readonly scene: string;
  readonly way: string;
  readonly steps: number;
}

const RealWorker = globalThis.Worker;
let started = 0;

async function run({ scene, way, steps }: Wanted): Promise<DyingRun> {
  globalThis.Worker = class extends RealWorker {
    constructor(script: string | URL, options?: WorkerOptions) {
      const query = new URLSearchParams({ way, calls: '40', helper: String(script) });
      super(started++ === 0 ? `/test/support/dying-helper.mjs?${query}` : script, options);
    }
  };
  const dist = '/dist/';
  const library = (await import(`${dist}src/index.js`)) as typeof import('../../src/index.js');
  const { buildScene } = (await import(`${dist}scenes/index.js`)) as typeof import('../../scenes/index.js');
  const world = await library.createWorld(buildScene(scene), { threads: 2 });
  if (world.threads.threads !== 2) throw new Error('no helper has started');
  let diedIn = -1;
  let took = 0;
  for (let n = 0; n < steps; n++) {
    const began = performance.now();
    if (!library.stepWorld(world)) throw world.fault;
    if (diedIn >= 0 || world.threads.threads === 2) continue;
    diedIn = n;
    took = performance.now() - began;
    for (let wait = 0; wait < 500 && world.threads.threads < 2; wait++) await new Promise((go) => setTimeout(go, 20));
  }
  return { hash: library.hashWorld(world), threads: world.threads.threads, started, diedIn, took };
}

self.onmessage = ({ data }: MessageEvent<Wanted>) => {
  run(data).then(
    (result) => self.postMessage({ result }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
};
