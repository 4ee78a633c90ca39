import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { installGoClient, installNodeClient, installPythonClients } from './install/libraries.js';
import { runWell, tryInstall } from './install/tools.js';
import { playLibraryJobs } from './support/library-values.js';
import { MockCluster, type Json } from './support/mock-cluster.js';

interface Library {
  readonly name: string;
  readonly install: () => Promise<string>;
  /** Command with which the installed client asks about these values. */
  readonly command: (installed: string, values: Json) => readonly [string, ...string[]];
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const python = (file: string): Pick<Library, 'install' | 'command'> => ({
  install: installPythonClients,
  command: (interpreter, values) => [interpreter, program(`./python/${file}`), JSON.stringify(values)],
});

const LIBRARIES: readonly Library[] = [
  { name: 'flink-rest-client', ...python('rest_client.py') },
  { name: 'flink-job-manager-api', ...python('job_manager_api.py') },
  { name: 'flink-mcp-server', ...python('mcp_client.py') },
  { name: 'flink-typescript', install: installNodeClient, command: (folder, values) => [process.execPath, program('./node/flink-typescript.cjs'), folder, JSON.stringify(values)] },
  {
    name: 'flink-go-api',
    install: installGoClient,
    command: (client, { port, jobid, toStop, toCancel, data, jar }) => [client, `http://127.0.0.1:${port}`, jobid, toStop, toCancel, `${data}/savepoints`, jar],
  },
];

let cluster: MockCluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe.each(LIBRARIES)('$name', ({ name, install, command }) => {
  test('reads of 2.3.0 what it reads of a real cluster', async (context) => {
    const installation = await tryInstall(name, install);
    if ('skipped' in installation) return context.skip(installation.skipped);
    cluster = await MockCluster.start('2.3.0', ['--scenario', 'recorded-script', '--speed', '5']);
    const values = await playLibraryJobs(cluster);
    const [executable, ...args] = command(installation.value, values);
    const output = await runWell(executable, args, { timeoutMs: 120_000 });
    let text = output;
    for (const key of ['jobid', 'toStop', 'toCancel', 'failed']) text = text.replaceAll(values[key], key.toUpperCase());
    await expect(text.replaceAll(String(values['port']), 'PORT')).toMatchFileSnapshot(`expected/${name}.txt`);
  }, 300_000);
});
