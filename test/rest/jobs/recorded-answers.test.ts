import { describe, expect, it } from 'vitest';
import { compareRecordings } from '../../golden/compare.js';
import { loadRecording } from '../../golden/recording.js';
import { scriptEndpoints } from '../../golden/script-endpoints.js';
import { RecordedScript } from '../../golden/script.js';
import { oddThings } from '../../golden/requests.js';
import { BP_VERTICES, bpJob } from '../../simulation/fixture.js';
import { startJobs } from './job-cluster.js';

/** What others answer for a job: metrics, and the files and options of its processes. */
const NOT_OF_JOBS = /metrics|log-url|\/jobmanager\/|rescaling|savepoints/;

describe('jobs, vertices, subtasks, checkpoints', () => {
  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('answer as real Flink %s did', async (version) => {
    // Names of steps and jobs are the recorded script's.
    await using cluster = await startJobs(version, [bpJob(), bpJob({ name: 'C no checkpoints', rate: 500, us: 100, p: 1, iv: 0 })], 25);
    const { client, jobIds } = cluster;
    const [a, c] = jobIds as [string, string];
    const endpoints = scriptEndpoints(version).filter(({ url }) => url.startsWith('/jobs') && !NOT_OF_JOBS.test(url));
    await new RecordedScript(client, endpoints, version).sweep('running', a);
    for (const [method, path] of oddThings(a, BP_VERTICES.parse)) {
      if (NOT_OF_JOBS.test(path)) continue;
      await client.ask(method, path, { name: `odd ${method} ${path.replaceAll(a, '<job>').replaceAll(BP_VERTICES.parse, '<vertex>').replaceAll(a.toUpperCase(), '<JOB>')}` });
    }
    await new RecordedScript(client, endpoints, version).sweep('C', c);

    await using another = await startJobs(version, [bpJob({ name: 'D fails', rate: 500, us: 10, p: 1, iv: 2000, fail: 800 })], 60);
    // Whether a job that fails at once completes its last checkpoint is luck.
    const withoutCheckpoints = endpoints.filter(({ url }) => !url.includes('/checkpoints/details'));
    await new RecordedScript(another.client, withoutCheckpoints, version).sweep('failed', another.jobIds[0]!);

    const answers = [...client.records, ...another.client.records];
    const asked = new Set(answers.map(({ name }) => name));
    const reference = loadRecording(version).records.filter(({ name }) => asked.has(name));
    const { total, differences } = compareRecordings(reference, answers);
    expect(differences).toEqual([]);
    expect(total).toBeGreaterThan(70);
  });
});
