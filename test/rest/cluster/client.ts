import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/start-server.js';
import type { RecordedAnswer } from '../../golden/recording.js';
import { ScriptClient } from '../../golden/script-client.js';
import type { SimulationModel } from '../../../src/simulation/model/simulation-model.js';
import { twoTaskManagers } from '../../simulation/fixture.js';
import { BP_TEMPLATES } from './bp-templates.js';

export interface Cluster extends AsyncDisposable {
  readonly server: RunningServer;
  get(path: string): Promise<RecordedAnswer>;
  post(path: string, body?: unknown): Promise<RecordedAnswer>;
  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<RecordedAnswer>;
  /** Lets the cluster's time pass. */
  pass(seconds: number): Promise<void>;
  /** Uploads a file as `name`; gives the answer. */
  upload(name: string, bytes: Buffer): Promise<RecordedAnswer>;
}

/** A served cluster of two task managers whose clock is moved by hand, a minute after its start. */
export async function startCluster(flinkVersion: string, model: Partial<SimulationModel> = {}, options: Partial<ServerOptions> = {}): Promise<Cluster> {
  const server = await startServer({ model: twoTaskManagers(flinkVersion, model), port: 0, clock: { mode: 'manual' }, jobTemplates: BP_TEMPLATES, openAtMs: 60_000, ...options });
  const pass = (seconds: number) => server.advanceBy(seconds * 1000);
  const client = new ScriptClient(Number(new URL(server.url).port), pass, () => Promise.resolve());
  const ask = (method: string, path: string, body?: unknown, contentType?: string) => client.ask(method, path, { ...(body === undefined ? {} : { body }), ...(contentType === undefined ? {} : { contentType }) });
  return {
    server,
    ask,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    pass,
    upload: (name, bytes) => {
      const edge = '----edge';
      const head = `--${edge}\r\nContent-Disposition: form-data; name="jarfile"; filename="${name}"\r\nContent-Type: application/x-java-archive\r\n\r\n`;
      return ask('POST', '/jars/upload', Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]), `multipart/form-data; boundary=${edge}`);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** First line of the first error. */
export function firstError(answer: RecordedAnswer): string {
  return (answer.json as { errors: string[] }).errors[0]!.split('\n')[0]!;
}
