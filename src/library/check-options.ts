import { ControlError } from '../control/problem.js';
import { nearestName } from '../scenario/nearest-name.js';
import type { MockFlinkOptions } from './start-mock-flink.js';

interface Check {
  readonly allowed: string;
  readonly fits: (value: unknown) => boolean;
}

const whole = (value: unknown, most: number): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** Every option; null where what uses it checks it. */
const CHECKS: { readonly [K in keyof Required<MockFlinkOptions>]: Check | null } = {
  scenario: null,
  flinkVersion: null,
  seed: { allowed: 'a whole number from 0 to 4294967295', fits: (value) => whole(value, 0xffffffff) },
  config: null,
  clock: { allowed: 'manual, real', fits: (value) => value === 'manual' || value === 'real' },
  speed: { allowed: 'a number from 0 to 100000', fits: (value) => typeof value === 'number' && value >= 0 && value <= 100_000 },
  startTime: { allowed: 'scenario, now, or epoch ms', fits: (value) => value === 'scenario' || value === 'now' || Number.isFinite(value) },
  openAt: null,
  host: null,
  port: { allowed: '0 to 65535', fits: (value) => whole(value, 65_535) },
  listen: null,
  basePath: null,
  control: null,
  tls: null,
  basicAuth: null,
  snapshot: null,
  snapshotDirectory: null,
  journalEntries: null,
  logger: null,
};

/** Throws for options that a compiler would have refused: callers in JavaScript have none. */
export function checkOptions(options: MockFlinkOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof MockFlinkOptions] : undefined;
    if (check === undefined) {
      const near = nearestName(name, Object.keys(CHECKS));
      throw new ControlError(400, `unknown option ${name}; ${near === null ? '' : `did you mean ${near}? `}allowed: ${Object.keys(CHECKS).join(', ')}`);
    }
    if (check !== null && value !== undefined && !check.fits(value)) throw new ControlError(400, `option ${name}: found ${typeof value === 'number' ? value : JSON.stringify(value)}; allowed: ${check.allowed}`);
  }
}
