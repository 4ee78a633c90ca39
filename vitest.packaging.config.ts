import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/packaging/**/*.test.ts'],
    globalSetup: ['test/packaging/packed-product.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
