import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The machine this has to be comfortable on has two cores.
    maxWorkers: 2,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
});
