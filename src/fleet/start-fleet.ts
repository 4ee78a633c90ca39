import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { CONTROL_PREFIX } from '../control/control-prefix.js';
import { PROTOCOL_LIMITS } from '../rest/protocol.js';
import { isBelow } from '../rest/request-target.js';
import { JSON_TYPE } from '../rest/send.js';
import { errorsJson } from '../rest/serializer/json-string.js';
import { requireBasicAuth, type BasicAuth } from '../server/basic-auth.js';
import type { ClockMode } from '../server/clock.js';
import { ServerStartError } from '../server/errors.js';
import { keepTickShape } from '../server/keep-tick-shape.js';
import { Fleet } from './fleet.js';
import { createFleetApp } from './fleet-routes.js';
import { FleetTime } from './fleet-time.js';
import type { FleetDefinition } from './load-fleet.js';
import { route } from './routed-request.js';
import { createRouter, FLEET_PREFIX } from './router.js';

export interface StartFleetOptions {
  readonly definition: FleetDefinition;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 = any free one. Default: 8081. */
  readonly port?: number;
  /** Default: real. */
  readonly clock?: ClockMode;
  /** Virtual instant at which the clusters open, epoch ms; null = each at its scenario's own. Default: now. */
  readonly startTimeMs?: number | null;
  /** Instant of the wall at which they did, epoch ms: processes that are told the same one show the same time. Default: now. */
  readonly sinceMs?: number;
  /** Asked for by the fleet's routes and by the clusters' control APIs. */
  readonly token?: string;
  /** `user:password` that every request to a cluster has to bring. */
  readonly basicAuth?: BasicAuth;
  /** Folder or jar with Flink's own dashboard, for all clusters. */
  readonly dashboard?: string;
  readonly logger?: Logger;
}

export interface RunningFleet {
  readonly url: string;
  readonly fleet: Fleet;
  readonly server: Server;
  /** Stops within a second: answers in flight are finished, idle connections closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long answers in flight may take when the server closes, ms. */
const CLOSE_GRACE_MS = 700;

/** What a proxy in front of the clusters would say by itself. */
function answerAsProxy(response: ServerResponse, status: number, text: string): void {
  const body = errorsJson([text]);
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Starts many simulated clusters behind one port. Throws a ScenarioError or a ServerStartError. */
export async function startFleet(options: StartFleetOptions): Promise<RunningFleet> {
  keepTickShape();
  const { definition, host = '127.0.0.1', port = 8081, token = null, logger = null } = options;
  const nowMs = Date.now();
  const sinceMs = options.sinceMs ?? nowMs;
  const time = new FleetTime({ mode: options.clock ?? 'real', opensMs: options.startTimeMs === undefined ? sinceMs : options.startTimeMs, sinceMs });
  let url = '';
  const fleet = await Fleet.create({ definition, time, host, restPort: port === 0 ? 8081 : port, address: () => url, token, dashboard: options.dashboard ?? null, logger });
  const fleetApp = await createFleetApp({ fleet, token, url: () => url, logger });
  const destinationOf = createRouter(definition.routing);

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const destination = destinationOf(request);
    if (destination.to === 'fleet') {
      fleetApp.server.emit('request', request, response);
      return;
    }
    if (destination.to === 'nobody') {
      if (request.url === '/') response.writeHead(302, { location: `${FLEET_PREFIX}/`, 'content-length': 0 }).end();
      else answerAsProxy(response, 404, `there is nothing at this path; the list of clusters is at ${FLEET_PREFIX}/clusters`);
      return;
    }
    const { name, by, target } = destination;
    const noSuchCluster = (): void => answerAsProxy(response, 404, `there is no cluster ${JSON.stringify(name.slice(0, 100))}; the list of clusters is at ${FLEET_PREFIX}/clusters`);
    const hosted = fleet.find(name);
    const served = by === 'path' ? hosted?.cluster.byPath : hosted?.cluster.byHost;
    if (!hosted || !served) {
      noSuchCluster();
      return;
    }
    const { cluster, app } = hosted;
    route(request, { cluster, served });
    fleet.background.asked(cluster);
    cluster.whenOfNow(() => {
      if (response.destroyed) return;
      if (cluster.isClosed) {
        noSuchCluster();
      } else if (cluster.failure) {
        answerAsProxy(response, 503, `the cluster ${name} failed and stands still: ${cluster.failure.message}`);
      } else if (cluster.definition.control && isBelow(target, CONTROL_PREFIX)) {
        void fleet.controlApps.answer(cluster, target, request, response);
      } else if (cluster.isDown) {
        answerAsProxy(response, 502, `the cluster ${name} refuses connections`);
      } else fleet.apps.answer(app, request, response);
    });
  };

  const server = createServer(
    { maxHeaderSize: PROTOCOL_LIMITS.headerBytes, requireHostHeader: false, headersTimeout: PROTOCOL_LIMITS.headersTimeoutMs, requestTimeout: PROTOCOL_LIMITS.requestTimeoutMs, connectionsCheckingInterval: PROTOCOL_LIMITS.timeoutCheckMs },
    serve,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(`HTTP/1.1 400 ${STATUS_CODES[400]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  // What lies below a control prefix is guarded by its token instead.
  if (options.basicAuth !== undefined) requireBasicAuth(server, options.basicAuth, (request) => token !== null && isGuardedByToken(destinationOf(request)));

  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    fleet.background.stop();
    const closed = new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve()));
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await Promise.all([fleetApp.close(), fleet.close()]);
    await closed;
    clearTimeout(force);
  };
  const close = (): Promise<void> => (closing ??= closeAll());

  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve()));
  } catch (error) {
    await close();
    throw ServerStartError.of(error, host, port);
  }
  url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  fleet.background.start();
  logger?.info({ url, clusters: fleet.size }, 'listening');
  return { url, fleet, server, close, [Symbol.asyncDispose]: close };
}

function isGuardedByToken(destination: ReturnType<ReturnType<typeof createRouter>>): boolean {
  return destination.to === 'fleet' || (destination.to === 'cluster' && isBelow(destination.target, CONTROL_PREFIX));
}
