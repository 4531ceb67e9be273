import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // only to end what hangs: nothing is judged by how long it takes, and the machine may be busy
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The machine this has to be comfortable on has two cores.
    maxWorkers: 2,
    // one start and one import of the library for all files of a worker: half the time; nothing here leaves anything behind
    isolate: false,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
});
