import { startCli } from '../support/running-server.js';
import type { RecordedAnswer } from './recording.js';
import { ScriptClient } from './script-client.js';
import { RecordedScript } from './script.js';
import { scriptEndpoints } from './script-endpoints.js';

/** Between two requests of the real script a few milliseconds passed; a held clock has to be told. */
const MS_BETWEEN_REQUESTS = 10;

export interface ScriptRun {
  /** Plays the whole script and gives every answer. */
  play(): Promise<RecordedAnswer[]>;
  close(): Promise<void>;
}

/** Starts the built mock-flink as the recorded cluster of `version`, its clock held, so that the script's waits cost no time. */
export async function startRecordedScript(version: string, args: readonly string[] = []): Promise<ScriptRun> {
  const server = await startCli(['--scenario', 'recorded-script', '--flink-version', version, '--clock', 'manual', ...args]);
  const advance = async (advanceMs: number): Promise<void> => {
    const answer = await fetch(`${server.url}/_mock/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advanceMs }) });
    if (!answer.ok) throw new Error(`the clock did not move: ${answer.status} ${await answer.text()}`);
  };
  const client = new ScriptClient(Number(new URL(server.url).port), (seconds) => advance(seconds * 1000), () => advance(MS_BETWEEN_REQUESTS));
  return {
    play: async () => {
      const jar = new URL(version.startsWith('2.') ? 'jars/bp-2.jar' : 'jars/bp-1.jar', import.meta.url);
      await new RecordedScript(client, scriptEndpoints(version), version).run(jar);
      return client.records;
    },
    close: () => server.stop(),
  };
}
