import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cancelJob, stopWithSavepoint, triggerSavepoint } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import type { LogState } from '../../../src/simulation/state/log-state.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';

/** Distinct lines of recorded clusters, `LEVEL logger message`. */
const RECORDED = JSON.parse(gunzipSync(readFileSync(new URL('recorded-lines.json.gz', import.meta.url))).toString()) as Record<string, string[]>;

/** What differs from run to run, taken out. */
function template(line: string): string {
  return line
    .replace(/'?(A exactly once|B at least once|C no checkpoints|D fails|E expires|bp|survives|no checkpoints|prom exactly once)'?(?=[ (.)]|$)/g, 'JOB')
    .replace(/(Source: Source: Kafka nlp|Parse|Enrich|Sink: Kafka Sink) (\(|[0-9a-f]{32}\.)/g, 'TASK $2')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/@[0-9a-f]{5,8}\b/g, '@HASH')
    .replace(/[0-9a-f]{32}/g, 'ID')
    .replace(/localhost:\d+-[0-9a-f]{6}/g, 'TM')
    .replace(/savepoint-[0-9a-f]{6}-[0-9a-f]{12}/g, 'SAVEPOINT')
    .replace(/file:\/data\/flink\/(ck|checkpoints)/g, 'CHECKPOINTS')
    .replace(/file:\/data\/flink\/(sp|savepoints)/g, 'SAVEPOINTS')
    .replace(/\/(tmp|data\/flink)\//g, '/DIR/')
    .replace(/localhost|127\.0\.0\.1|0\.0\.0\.0|\[0:0:0:0:0:0:0:0\]/g, 'HOST')
    .replace(/Loading configuration property: .*/, 'Loading configuration property: …')
    .replace(/resource profile: ResourceProfile\{.*/, 'resource profile: …')
    .replace(/\d+/g, '#');
}

/** What the recorded clusters had no occasion to write: they had reporters, the recorded task manager no failing task, and expiry came with a restart. */
const NOT_RECORDED = [/No metrics reporter configured/, /switched from RUNNING to FAILED with failure cause:/, /final execution state FAILED/, /Received late message/, /current job status: FAILING/];

const lines = (log: LogState): string[] => log.entries.map(({ level, logger, message }) => `${level} ${logger} ${message.split('\n')[0]}`);

/** A life with everything that the recorded script did: jobs that run, fail, expire, are stopped and cancelled. */
function live(version: string): string[] {
  const jobs = [bpJob({ iv: 4000 }), bpJob({ name: 'B at least once', p: 1, mode: 'AT_LEAST_ONCE' }), bpJob({ name: 'D fails', rate: 500, us: 0, p: 1, iv: 2000, fail: 800 }), bpJob({ name: 'E expires', rate: 20_000, us: 20_000, p: 1, iv: 2000, timeoutMs: 2000 })];
  const simulation = new Simulation(twoTaskManagers(version, { seed: 7, jobs: submissions(jobs) }));
  const { state } = simulation;
  simulation.advanceBy(45_000);
  const [a, b, , e] = [...state.jobs.keys()];
  triggerSavepoint(state, { jobId: a, triggerId: null, targetDirectory: null, cancelJob: false, format: 'CANONICAL' });
  simulation.advanceBy(10_000);
  stopWithSavepoint(state, { jobId: b, triggerId: null, targetDirectory: null, drain: false, format: 'CANONICAL' });
  simulation.advanceBy(10_000);
  cancelJob(state, a);
  cancelJob(state, e);
  simulation.advanceBy(5_000);
  return [...lines(state.jobManager.log), ...[...state.taskManagers.values()].flatMap((taskManager) => lines(taskManager.log))];
}

describe('lines of the logs', () => {
  for (const version of Object.keys(RECORDED)) {
    it(`are those that a recorded cluster of ${version} wrote`, () => {
      const recorded = new Set(RECORDED[version].map(template));
      const unknown = live(version).filter((line) => !recorded.has(template(line)) && !NOT_RECORDED.some((pattern) => pattern.test(line)));
      expect(unknown).toEqual([]);
    });
  }
});
