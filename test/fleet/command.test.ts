import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { finish, printed, runCli, startCli } from '../cli/run-cli.js';
import { ask, FLEET_FILE, json, TWO_JOBS } from './a-fleet.js';

const folder = mkdtempSync(path.join(tmpdir(), 'fleet-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fleetFile(name: string, yaml: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, yaml);
  return file;
}

describe('mock-flink fleet', { timeout: 120_000 }, () => {
  it('says where its clusters are, serves them, and ends with exit code 0 when told', async () => {
    const child = startCli(['fleet', fleetFile('one.yaml', 'routing: { host: flink.local }\nclusters: [{ name: a, scenario: empty }]'), '--port', '0']);
    const ended = finish(child);
    const text = await printed(child, /Ctrl-C/);
    expect(text).toMatch(/plays 1 Flink cluster/);
    const url = /By path +curl (\S+)\/jobs\/overview/.exec(text)![1]!;
    expect((await ask(`${url}/overview`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('checks a file without starting anything', async () => {
    expect(await runCli(['fleet', FLEET_FILE, '--check'])).toMatchObject({ code: 0, stdout: `${FLEET_FILE}: ok, 1001 clusters\n` });
  });

  it('ends with exit code 2 and the place where a file is wrong', async () => {
    const file = fleetFile('wrong.yaml', 'clusters:\n  - { name: a, scenario: helthy }\n  - { name: a }\n');
    const { code, stderr } = await runCli(['fleet', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:2:26: clusters[0].scenario: helthy: there is no scenario`);
    expect(stderr).toContain(`${file}:3:`);
    expect((await runCli(['fleet', path.join(folder, 'none.yaml')])).stderr).toContain('there is no such file');
    expect((await runCli(['fleet', FLEET_FILE, '--since', 'yesterday'])).stderr).toContain('option --since: found "yesterday"; allowed: an ISO 8601 instant');
    expect((await runCli(['fleet', FLEET_FILE, '--port', '99999'])).stderr).toContain('option --port: found "99999"; allowed: 0 to 65535');
  });

  it('replicas with a shared start time answer alike', async () => {
    const file = fleetFile('replicas.yaml', `clusters: [{ name: 'team-{n}', count: 3, scenario: ${JSON.stringify(TWO_JOBS)} }, { name: hot, scenario: hot-key }]`);
    const replicas = [0, 1].map(() => startCli(['fleet', file, '--port', '0', '--clock', 'manual', '--start-time', '2024-05-01T12:00:00Z']));
    try {
      const urls = await Promise.all(replicas.map(async (child) => /Clusters +(\S+)\/_fleet/.exec(await printed(child, /Ctrl-C/))![1]!));
      // One is asked in between, the other is not.
      await json(`${urls[0]}/_fleet/clock`, { method: 'POST', body: { advanceMs: 40_000 } });
      for (const name of ['team-1', 'team-2', 'team-3', 'hot']) await json(`${urls[0]}/clusters/${name}/overview`);
      await json(`${urls[0]}/_fleet/clock`, { method: 'POST', body: { advanceMs: 35_000 } });
      await json(`${urls[1]}/_fleet/clock`, { method: 'POST', body: { advanceMs: 75_000 } });
      for (const name of ['team-1', 'team-2', 'team-3', 'hot']) {
        const both = async (target: string): Promise<string> => {
          const [one, other] = await Promise.all(urls.map((url) => ask(`${url}/clusters/${name}${target}`)));
          expect(one!.status).toBe(200);
          expect(other).toEqual(one);
          return one!.body;
        };
        await both('/overview');
        await both('/taskmanagers');
        await both('/jobmanager/log');
        const { jobs } = JSON.parse(await both('/jobs/overview')) as { jobs: { jid: string }[] };
        for (const { jid } of jobs) {
          const { vertices } = JSON.parse(await both(`/jobs/${jid}`)) as { vertices: { id: string }[] };
          await both(`/jobs/${jid}/checkpoints`);
          for (const { id } of vertices) await both(`/jobs/${jid}/vertices/${id}/backpressure`);
        }
      }
    } finally {
      for (const child of replicas) child.kill('SIGTERM');
    }
  });
});
