import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from '../rest/create-app.js';
import type { Endpoint } from '../rest/endpoint.js';
import { ENDPOINTS } from '../rest/resources/index.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import { Simulation } from '../simulation/simulation.js';
import { parseFlinkVersion } from '../versions/flink-versions.js';
import { restFeatures } from '../versions/rest-features.js';
import { VirtualClock } from './clock.js';

export interface ServerOptions {
  readonly model: SimulationModel;
  /** Default: the model's. */
  readonly version?: string;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 = any free one. */
  readonly port?: number;
  readonly clock?: { readonly mode?: 'real' | 'manual'; readonly speed?: number };
  readonly logger?: Logger;
  /** Default: all of Flink's. */
  readonly endpoints?: readonly Endpoint[];
}

export interface RunningServer {
  readonly url: string;
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  close(): Promise<void>;
}

/** Starts a simulated cluster behind Flink's REST API. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const version = parseFlinkVersion(options.version ?? options.model.flinkVersion);
  if (!version) throw new RangeError(`No such Flink version: ${options.version ?? options.model.flinkVersion}.`);
  const simulation = new Simulation(options.model);
  const clock = new VirtualClock(options.clock?.mode ?? 'real', simulation.nowMs, options.clock?.speed ?? 1);
  let url = '';
  const app = createApp({
    context: { simulation, state: simulation.state, version, features: restFeatures(version), services: { shutdown: () => void app.close(), uploadDirectory: '', address: () => url } },
    endpoints: options.endpoints ?? ENDPOINTS,
    advance: () => simulation.advanceTo(clock.now()),
    ...(options.logger ? { logger: options.logger } : {}),
  });
  await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 8081 });
  const { port } = app.server.address() as AddressInfo;
  url = `http://${options.host ?? '127.0.0.1'}:${port}`;
  return { url, simulation, clock, close: () => app.close() };
}
