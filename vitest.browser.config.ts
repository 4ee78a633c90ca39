import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    // Pages answer when they are drawn.
    expect: { poll: { timeout: 15_000, interval: 100 } },
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
