import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import type { SimulationModel } from '../../../src/simulation/model/simulation-model.js';
import { ScriptClient } from '../../golden/script-client.js';
import { submissions, twoTaskManagers } from '../../simulation/fixture.js';

export const ZERO = '0'.repeat(32);

type Json = Record<string, any>;

/** A server over sockets whose clock stands still, with jobs submitted at its start, one a second. */
export interface JobCluster extends AsyncDisposable {
  readonly server: RunningServer;
  readonly client: ScriptClient;
  /** Ids of the jobs in the order of their submission. */
  readonly jobIds: readonly string[];
  advance(seconds: number): Promise<void>;
  /** Status code and JSON body of an answer. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }>;
  /** The JSON body of a 200. */
  get(path: string): Promise<Json>;
}

export async function startJobs(version: string, jobs: readonly JobModel[], seconds = 10, overrides: Partial<SimulationModel> = {}): Promise<JobCluster> {
  const model = { ...twoTaskManagers(version), ...overrides, jobs: submissions(jobs, 5_000) };
  const server = await startServer({ model, port: 0, clock: { mode: 'manual' }, openAtMs: 5_000 + seconds * 1000 });
  const client = new ScriptClient(Number(new URL(server.url).port), (waited) => server.advanceBy(waited * 1000), () => Promise.resolve());
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await client.ask(method, path, { keep: false, ...(body === undefined ? {} : { body }) });
    return { status: answer.status!, json: answer.json as Json };
  };
  return {
    server,
    client,
    jobIds: [...server.simulation.state.jobs.keys()],
    advance: (waited) => server.advanceBy(waited * 1000),
    ask,
    async get(path) {
      const { status, json } = await ask('GET', path);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
