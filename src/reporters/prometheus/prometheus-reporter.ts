import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { booleanOf, ReporterConfigError, type ReporterConfig } from '../reporter-config.js';
import { reportingProcesses } from '../reported-metrics.js';
import type { Reporter, ReporterSurroundings } from '../reporter.js';
import { exposition, EXPOSITION_TYPE } from './exposition.js';
import type { ExpositionConfig } from './families.js';

const DEFAULT_PORT = '9249';

/** `9249`, `9250-9260` or `50100,50200-50250`, in the order in which they are tried. */
export function parsePortRange(text: string): number[] {
  const ports: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part);
    const first = Number(match?.[1] ?? NaN);
    const last = Number(match?.[2] ?? first);
    if (!(first <= last) || last > 65_535) throw new ReporterConfigError(`port: found ${JSON.stringify(text)}; allowed: a port, a range such as 9250-9260, or several with commas`);
    for (let port = first; port <= last; port++) ports.push(port);
  }
  return ports;
}

/**
 * On one machine each process of a cluster needs a port of its own. A single one stands for the same port on as many machines: the job
 * manager gets it, and task managers the ones that follow.
 */
function portsToTry(text: string): Iterable<number> {
  const ports = parsePortRange(text);
  if (ports.length > 1 || ports[0] === 0) return ports;
  return Array.from({ length: Math.min(1000, 65_536 - ports[0]) }, (_, i) => ports[0] + i);
}

export function expositionConfig(config: ReporterConfig): ExpositionConfig {
  return { ...config, filterLabelValueCharacters: booleanOf(config, 'filterLabelValueCharacters', true) };
}

/** Answers a scrape as the Java client's HTTP server does: every path but the health check's shows the metrics. */
export async function answerScrape(request: IncomingMessage, response: ServerResponse, state: SimulationState, process: string, config: ExpositionConfig): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const names = url.searchParams.getAll('name[]');
  const text = Readable.from(exposition(state, process, config, names.length > 0 ? new Set(names) : null), { objectMode: false });
  response.setHeader('Content-Type', EXPOSITION_TYPE);
  try {
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      response.setHeader('Content-Encoding', 'gzip');
      await pipeline(text, createGzip({ level: 1 }), response);
    } else {
      await pipeline(text, response);
    }
  } catch {
    // The scraper went away.
    response.destroy();
  }
}

/** Where a process's metrics can be scraped. */
export interface Endpoint {
  readonly process: string;
  readonly port: number;
}

/** Flink's PrometheusReporter: an HTTP endpoint for the job manager and for each task manager that there is. */
export class PrometheusReporter implements Reporter {
  readonly exposition: ExpositionConfig;
  readonly #ports: Iterable<number>;
  readonly #servers = new Map<string, Server | null>();
  #work: Promise<void> = Promise.resolve();

  constructor(
    readonly config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    this.exposition = expositionConfig(config);
    this.#ports = portsToTry(config.options['port'] ?? DEFAULT_PORT);
  }

  /** In the order in which the processes came. */
  get endpoints(): Endpoint[] {
    return [...this.#servers].flatMap(([process, server]) => {
      const address = server?.address();
      return address && typeof address === 'object' ? [{ process, port: address.port }] : [];
    });
  }

  /** Opens endpoints of processes that came, closes those of processes that went. */
  processesChanged(): Promise<void> {
    return (this.#work = this.#work.then(() => this.#followProcesses()));
  }

  async close(): Promise<void> {
    await this.#work;
    for (const process of [...this.#servers.keys()]) await this.#closeEndpoint(process);
  }

  async #followProcesses(): Promise<void> {
    const processes = reportingProcesses(this.surroundings.state);
    for (const process of [...this.#servers.keys()]) if (!processes.includes(process)) await this.#closeEndpoint(process);
    for (const process of processes) if (!this.#servers.has(process)) await this.#openEndpoint(process);
  }

  async #closeEndpoint(process: string): Promise<void> {
    const server = this.#servers.get(process);
    this.#servers.delete(process);
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #openEndpoint(process: string): Promise<void> {
    const { host, state, logLine, warn } = this.surroundings;
    const server = createServer((request, response) => {
      if (request.url === '/-/healthy') response.end('Exporter is Healthy.');
      else void answerScrape(request, response, state, process, this.exposition);
    });
    const taken = new Set(this.endpoints.map(({ port }) => port));
    for (const port of this.#ports) {
      if (taken.has(port) || !(await listens(server, port, host))) continue;
      this.#servers.set(process, server);
      logLine(process, 'INFO', this.config.reporterClass, `Started PrometheusReporter HTTP server on port ${(server.address() as { port: number }).port}.`);
      return;
    }
    // As a real process, this one stays without an endpoint.
    this.#servers.set(process, null);
    warn(`metrics.reporter.${this.config.name}: ${process} found no free port in ${this.config.options['port'] ?? DEFAULT_PORT}`);
  }
}

function listens(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = (): void => {
      server.removeListener('listening', listening);
      resolve(false);
    };
    const listening = (): void => {
      server.removeListener('error', failed);
      server.unref();
      resolve(true);
    };
    server.once('error', failed).once('listening', listening);
    server.listen({ port, host });
  });
}
