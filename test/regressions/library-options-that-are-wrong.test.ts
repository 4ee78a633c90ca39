import { expect, it } from 'vitest';
import { startMockFlink, type MockFlinkOptions } from '../../src/index.js';

// In JavaScript nothing checks these; each was taken, and then a cluster started that was not the one asked for.
it.each<[object, RegExp]>([
  [{ opnAt: 0 }, /unknown option opnAt; did you mean openAt\? allowed: scenario, flinkVersion/],
  [{ clock: 'fast' }, /option clock: found "fast"; allowed: manual, real/],
  [{ clock: 'real', speed: -1 }, /option speed: found -1; allowed: a number from 0 to 100000/],
  [{ speed: Number.NaN }, /option speed: found NaN/],
  [{ seed: 'x' }, /option seed: found "x"; allowed: a whole number from 0 to 4294967295/],
  [{ port: 99_999 }, /option port: found 99999; allowed: 0 to 65535/],
  [{ startTime: 'tomorrow' }, /option startTime: found "tomorrow"; allowed: scenario, now, or epoch ms/],
])('startMockFlink(%j) throws and says what is allowed', async (options, message) => {
  const start = async (): Promise<void> => {
    const flink = await startMockFlink({ listen: false, openAt: 0, ...options } as MockFlinkOptions);
    await flink.close();
  };
  await expect(start()).rejects.toThrow(message);
});
