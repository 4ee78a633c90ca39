import type { MockFlink } from './mock-flink.js';
import { startMockFlink, type MockFlinkOptions } from './start-mock-flink.js';

/**
 * A fixture for vitest (and Playwright test): `const it = base.extend({ flink: mockFlinkFixture({ scenario: 'slow-sink' }) })`. Each test
 * has a cluster of its own, which is closed behind it.
 */
export function mockFlinkFixture(options: MockFlinkOptions = {}) {
  // The runners read the names in the braces: none is needed.
  // eslint-disable-next-line no-empty-pattern
  return async ({}: object, use: (flink: MockFlink) => Promise<void>): Promise<void> => {
    await using flink = await startMockFlink(options);
    await use(flink);
  };
}
