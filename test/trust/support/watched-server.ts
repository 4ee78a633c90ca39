import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { createJobTemplates } from '../../../src/scenario/job-templates.js';
import { parseScenario } from '../../../src/scenario/load-scenario.js';
import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/start-server.js';
import { SMALL_SCENARIO } from '../../control/small-cluster.js';

/** A server of which is known what it complained about, and whether its state has changed. */
export interface WatchedServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly port: number;
  /** Lines of its log at level error and above: defects of ours, as expected errors are not logged. */
  readonly complaints: string[];
  /** Everything logged. */
  readonly log: string[];
  /** Digest of the whole simulated state. */
  stateDigest(): string;
}

export interface WatchedOptions extends Partial<ServerOptions> {
  readonly yaml?: string;
  /** Virtual time that has passed at the start. */
  readonly passMs?: number;
  /** Flink options by Flink's names. */
  readonly config?: Readonly<Record<string, string>>;
}

/** Starts the small cluster with a held clock; DELETE /cluster is answered but ends nothing. */
export async function watchedServer(version: string, { yaml = SMALL_SCENARIO, passMs = 30_000, config = {}, ...options }: WatchedOptions = {}): Promise<WatchedServer> {
  const scenario = parseScenario(yaml, 'small.yaml', { flinkVersion: version, options: config });
  const complaints: string[] = [];
  const log: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void (log.push(line), (JSON.parse(line) as { level: number }).level >= 50 && complaints.push(line)) });
  const rejected = (reason: unknown): void => void complaints.push(`unhandled: ${reason instanceof Error ? reason.stack : String(reason)}`);
  process.on('unhandledRejection', rejected);
  const server = await startServer({
    model: scenario.model,
    port: 0,
    clock: { mode: 'manual' },
    jobTemplates: createJobTemplates(scenario.jarTemplates),
    logger,
    onShutdown: () => undefined,
    ...options,
  });
  await server.advanceBy(passMs);
  return {
    server,
    port: Number(new URL(server.url).port),
    complaints,
    log,
    stateDigest: () => createHash('sha256').update(plainText(server.simulation.state)).digest('hex'),
    async [Symbol.asyncDispose]() {
      await server.close();
      process.off('unhandledRejection', rejected);
    },
  };
}

/** The values of a state as text, whatever V8 keeps them in. */
function plainText(state: unknown): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (value instanceof Map) return ['map', ...value];
    if (value instanceof Set) return ['set', ...value];
    if (ArrayBuffer.isView(value)) return ['array', ...(value as unknown as Iterable<number>)];
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  });
}
