import { existsSync, rmSync } from 'node:fs';
import { parseIso } from '../scenario/units.js';
import { loadFleet } from '../fleet/load-fleet.js';
import type { RunningFleet } from '../fleet/start-fleet.js';
import { CliError } from './cli-error.js';
import { closeInTime } from './close-in-time.js';
import { explainStart } from './explain-start.js';
import { DASHBOARD_PLACES } from './serve-options.js';
import type { FleetFlags } from './fleet-options.js';
import { resolveServeOptions } from './option-sources.js';
import { keepHeapSmall, relaxUnderLoad } from './small-heap.js';

/** A start-up that lies further back than that would be simulated for too long. */
const FARTHEST_SINCE_MS = 31 * 86_400_000;

function sinceMs(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const ms = parseIso(text)?.epochMs;
  const allowed = 'allowed: an ISO 8601 instant with an offset, not in the future and at most 31 d ago, such as 2024-03-04T09:00:00Z';
  if (ms === undefined || ms > now + 60_000 || ms < now - FARTHEST_SINCE_MS) throw new CliError(`option --since: found ${JSON.stringify(text)}; ${allowed}`);
  return ms;
}

function banner({ url, fleet: clusters }: RunningFleet): string {
  const { path, host } = clusters.definition.routing;
  const first = [...clusters.list()][0]?.name ?? '<name>';
  return [
    `mock-flink plays ${clusters.size} Flink clusters`,
    '',
    `  Clusters     ${url}/_fleet/`,
    ...(path === null ? [] : [`  By path      curl ${url}${path}/${first}/jobs/overview`]),
    ...(host === null ? [] : [`  By host      curl -H 'Host: ${first}.${host}' ${url}/jobs/overview`]),
    `  Health       curl ${url}/_fleet/health`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

/** `mock-flink fleet`: starts many clusters, prints where to look, and resolves when it was told to stop. */
export async function fleet(file: string, flags: FleetFlags): Promise<void> {
  const { since: sinceText, check = false, ...shared } = flags;
  const options = resolveServeOptions(shared, process.env, undefined);
  const now = Date.now();
  const since = sinceMs(sinceText, now);
  const definition = loadFleet(file);
  if (check) {
    process.stdout.write(`${file}: ok, ${definition.clusters.length} clusters\n`);
    return;
  }
  if (options.dashboard !== null && !existsSync(options.dashboard)) throw new CliError(`option --dashboard: ${options.dashboard} does not exist; allowed: ${DASHBOARD_PLACES}`);
  keepHeapSmall();
  const [{ startFleet }, { DashboardError }, { pino }] = await Promise.all([import('../fleet/start-fleet.js'), import('../server/static/file-source.js'), import('pino')]);
  const stopped = new Promise<void>((resolveStop) => {
    const stop = (): void => resolveStop();
    process.once('SIGTERM', stop).once('SIGINT', stop).once('SIGHUP', stop);
  });
  const startTime = options.startTime ?? (options.clock === 'manual' ? 'scenario' : 'now');
  const running = await startFleet({
    definition,
    host: options.host,
    port: options.port,
    clock: options.clock,
    startTimeMs: startTime === 'scenario' ? null : startTime === 'now' ? (since ?? now) : startTime,
    sinceMs: since ?? now,
    ...(options.dashboard === null ? {} : { dashboard: options.dashboard }),
    ...(options.controlToken === null ? {} : { token: options.controlToken }),
    ...(options.basicAuth === null ? {} : { basicAuth: options.basicAuth }),
    logger: pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: true })),
  }).catch((error: unknown) => {
    throw error instanceof DashboardError ? new CliError(`option --dashboard: ${error.message}; allowed: ${DASHBOARD_PLACES}`) : explainStart(error, options);
  });
  relaxUnderLoad(running.server);
  process.once('exit', () => rmSync(running.fleet.temporaryDirectory, { recursive: true, force: true }));
  process.stdout.write(banner(running));
  await stopped;
  await closeInTime(running.close());
}
