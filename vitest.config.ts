import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // only to end what hangs: nothing is judged by how long it takes, and the machine may be busy
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The machine this has to be comfortable on has two cores.
    maxWorkers: 2,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
});
