import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/rest/create-app.js';
import { JarStore } from '../../src/rest/jars/jar-store.js';
import { NO_JOB_TEMPLATES } from '../../src/rest/jars/job-templates.js';
import { RESOURCES } from '../../src/rest/resources/index.js';
import type { SimulationModel } from '../../src/simulation/model/simulation-model.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { restFeatures } from '../../src/versions/rest-features.js';
import type { Answer } from './shapes.js';

const PAGE = { status: 200, contentType: 'text/html', body: '', allowOrigin: false } as const;

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly simulation: Simulation;
  advanceTo(epochMs: number): void;
}

/** Flink's REST API alone, over a simulation that moves when it is told to. */
export async function serve(model: SimulationModel): Promise<Server> {
  const version = parseFlinkVersion(model.flinkVersion)!;
  const simulation = new Simulation(model);
  const services = { shutdown: () => undefined, jars: new JarStore('uploads'), jobTemplates: NO_JOB_TEMPLATES, uploadDirectory: 'uploads', address: () => '' };
  const app = createApp({ context: { simulation, state: simulation.state, version, features: restFeatures(version), services }, resources: RESOURCES, advance: () => undefined, temporaryDirectory: 'uploads', staticFiles: { answer: (path) => (path === '/index.html' ? PAGE : null) } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    simulation,
    advanceTo: (epochMs) => simulation.advanceTo(epochMs),
    [Symbol.asyncDispose]: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** Asks; nobody answering is an answer too. */
export async function ask(url: string, method = 'GET', body?: unknown): Promise<Answer> {
  try {
    const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
    const text = await answer.text();
    return { status: answer.status, body: /json/.test(answer.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : text };
  } catch {
    return { status: null, body: null };
  }
}
