import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp, type AppOptions } from '../../../src/rest/create-app.js';
import { defineEndpoint, type EndpointContext, type EndpointRequest } from '../../../src/rest/endpoint.js';
import type { Resource } from '../../../src/rest/resources/index.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restFeatures } from '../../../src/versions/rest-features.js';

/** The last request that a fake handler got. */
export interface FakeServer {
  readonly url: string;
  readonly port: number;
  readonly state: { nowMs: number; ticks: number; revision: number };
  /** What the handlers were asked, oldest first. */
  readonly asked: EndpointRequest[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves given resources of a version, without a simulation. */
export async function fakeServer(minor: string, resources: readonly Resource[], more: Partial<AppOptions> = {}): Promise<FakeServer> {
  const version = parseFlinkVersion(minor)!;
  const state = { nowMs: 0, ticks: 0, revision: 0, jobManager: { availability: 'LEADING' } };
  const asked: EndpointRequest[] = [];
  const temporaryDirectory = mkdtempSync(path.join(tmpdir(), 'mock-flink-test-'));
  const context = { state: state as unknown as SimulationState, version, features: restFeatures(version) } as EndpointContext;
  const recording = resources.map(({ name, endpoints }) => ({
    name,
    endpoints: endpoints.map((endpoint) =>
      defineEndpoint({
        ...endpoint,
        handle: (request, given) => {
          asked.push(request);
          return endpoint.handle(request, given);
        },
      }),
    ),
  }));
  const app = createApp({ context, resources: recording, advance: () => undefined, temporaryDirectory, ...more });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    asked,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
      rmSync(temporaryDirectory, { recursive: true, force: true });
    },
  };
}

/** Sends bytes and gives everything that comes back until the server closes, or as many answers as asked for are there. */
export function exchange(port: number, bytes: string | Buffer, answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let got = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no whole answer within 5 s, only: ${got}`)));
    socket.on('data', (data: Buffer) => {
      got += data.toString('latin1');
      if (countAnswers(got, bytes) >= answers) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.from(got, 'latin1').toString('utf8')));
  });
}

function countAnswers(text: string, request: string | Buffer): number {
  let count = 0;
  for (let at = 0; ; count++) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return count;
    const length = request.toString().startsWith('HEAD') ? 0 : Number(/content-length: (\d+)/i.exec(text.slice(at, end))?.[1] ?? 0);
    if (text.length < end + 4 + length) return count;
    at = end + 4 + length;
  }
}
