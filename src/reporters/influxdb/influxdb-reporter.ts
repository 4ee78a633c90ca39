import { InfluxDB, type WriteApi } from '@influxdata/influxdb-client';
import { httpSend } from '../http-post.js';
import { IdentifiedMetrics, type IdentifiedMetric } from '../identified-metrics.js';
import { booleanOf, numberOf, ReporterConfigError, requiredText, type ReporterConfig } from '../reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from '../reporter.js';
import { influxPoint } from './influx-lines.js';

const CONSISTENCY_LEVELS = ['ALL', 'ANY', 'ONE', 'QUORUM'];

/** Lines by process: each process of a cluster writes its own. */
function linesByProcess(metrics: Iterable<IdentifiedMetric>, atMs: number): Map<string, string[]> {
  const byProcess = new Map<string, string[]>();
  for (const metric of metrics) {
    const line = influxPoint(metric, atMs)?.toLineProtocol();
    if (line === undefined) continue;
    let lines = byProcess.get(metric.process);
    if (!lines) byProcess.set(metric.process, (lines = []));
    lines.push(line);
  }
  return byProcess;
}

/** Flink's InfluxdbReporter; with a `token` it writes to the `bucket` of an InfluxDB 2.x instead. */
export class InfluxdbReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;
  readonly #write: (lines: readonly string[]) => Promise<void>;
  readonly #bucket: WriteApi | null;

  constructor(
    config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters);
    const timeoutMs = Math.max(numberOf(config, 'connectTimeout', 10_000), numberOf(config, 'writeTimeout', 10_000));
    const scheme = config.options['scheme'] ?? 'http';
    if (scheme !== 'http' && scheme !== 'https') throw new ReporterConfigError(`metrics.reporter.${config.name}.scheme: found ${JSON.stringify(scheme)}; allowed: http, https`);
    const url = `${scheme}://${requiredText(config, 'host')}:${numberOf(config, 'port', 8086)}`;
    const token = config.options['token'];
    if (token === undefined) {
      this.#bucket = null;
      this.#write = writerOfDatabase(config, url, timeoutMs);
    } else {
      const bucket = new InfluxDB({ url, token, timeout: timeoutMs }).getWriteApi(requiredText(config, 'org'), requiredText(config, 'bucket'), 'ns', { maxRetries: 0, batchSize: 5000, gzipThreshold: booleanOf(config, 'gzip', true) ? 1000 : Infinity });
      this.#bucket = bucket;
      this.#write = (lines) => {
        bucket.writeRecords([...lines]);
        return bucket.flush();
      };
    }
  }

  report(): Delivery {
    const { state } = this.surroundings;
    const byProcess = linesByProcess(this.#metrics.of(state), state.nowMs);
    return async () => {
      for (const lines of byProcess.values()) await this.#write(lines);
    };
  }

  async close(): Promise<void> {
    await this.#bucket?.close();
  }
}

/** InfluxDB 1.x: line protocol to /write. */
function writerOfDatabase(config: ReporterConfig, url: string, timeoutMs: number): (lines: readonly string[]) => Promise<void> {
  const { username, password, consistency = 'ONE', retentionPolicy = '' } = config.options;
  if (!CONSISTENCY_LEVELS.includes(consistency)) throw new ReporterConfigError(`metrics.reporter.${config.name}.consistency: found ${JSON.stringify(consistency)}; allowed: ${CONSISTENCY_LEVELS.join(', ')}`);
  const query = new URLSearchParams({ db: requiredText(config, 'db'), rp: retentionPolicy, precision: 'n', consistency: consistency.toLowerCase() });
  const headers: Record<string, string> = { 'Content-Type': 'text/plain; charset=utf-8' };
  if (username !== undefined && password !== undefined) headers['Authorization'] = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (lines) => httpSend('POST', `${url}/write?${query}`, headers, lines.join('\n'), timeoutMs);
}
