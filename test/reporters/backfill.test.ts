import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { backfillText, type BackfillOptions } from '../../src/cli/backfill.js';
import { seriesNotation } from '../../src/reporters/backfill/promtool-series.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';

const model = { ...twoTaskManagers('1.20.5'), jobs: [{ atMs: 30_000, job: bpJob({ rate: 100 }) }] };
const options = (format: BackfillOptions['format'], pattern: RegExp): BackfillOptions => ({ model, forMs: 60_000, everyMs: 10_000, format, isWanted: (name) => pattern.test(name), out: null });

describe('history of a scenario', () => {
  it('in OpenMetrics: families together, times in seconds, an end', () => {
    const lines = [...backfillText(options('openmetrics', /numRunningJobs|mailboxLatencyMs/))].join('').trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual(['# HELP flink_jobmanager_numRunningJobs numRunningJobs (scope: jobmanager)', '# TYPE flink_jobmanager_numRunningJobs gauge']);
    const jobs = lines.filter((line) => line.startsWith('flink_jobmanager_numRunningJobs{'));
    expect(jobs).toHaveLength(7);
    const startSeconds = model.startMs / 1000;
    expect(jobs[0]).toBe(`flink_jobmanager_numRunningJobs{host="localhost",job="flink",instance="jobmanager"} 0 ${startSeconds}.000`);
    expect(jobs[6]).toMatch(new RegExp(`\\} 1 ${startSeconds + 60}\\.000$`));
    expect(lines.filter((line) => line.startsWith('# TYPE'))).toContain('# TYPE flink_taskmanager_job_task_mailboxLatencyMs summary');
    expect(lines.some((line) => /^flink_taskmanager_job_task_mailboxLatencyMs\{.*,quantile="0\.999"\} \S+ \d+\.000$/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe('# EOF');
  });

  it("as promtool's input series", () => {
    const tests = parse([...backfillText(options('promtool', /numRunningJobs/))].join('')) as { evaluation_interval: string; tests: { interval: string; input_series: object[] }[] };
    expect(tests).toEqual({ rule_files: [], evaluation_interval: '10s', tests: [{ interval: '10s', input_series: [{ series: 'flink_jobmanager_numRunningJobs{host="localhost",job="flink",instance="jobmanager"}', values: '0x2 1x3' }] }] });
  });

  it('as an InfluxDB import', () => {
    const lines = [...backfillText(options('influx', /numRunningJobs/))].join('').trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual(['# DDL', 'CREATE DATABASE flink', '# DML', '# CONTEXT-DATABASE: flink', '# CONTEXT-RETENTION-POLICY: autogen']);
    expect(lines.slice(5)).toEqual([0, 0, 0, 1, 1, 1, 1].map((value, i) => `jobmanager_numRunningJobs,host=localhost value=${value}i ${model.startMs + i * 10_000}000000`));
  });
});

describe("promtool's notation", () => {
  const series = (steps: number[], values: number[]) => ({ name: 'm', labels: '', steps, values });

  it.each([
    ['runs', series([0, 1, 2, 3], [5, 5, 5, 6]), 4, '5x2 6'],
    ['what begins late and ends early', series([2, 3], [1, 2]), 7, '_x2 1 2 stale _x2'],
    ['what is not a number', series([0, 1, 2], [NaN, NaN, Infinity]), 3, 'NaN NaN +Inf'],
    ['negative runs', series([0, 1], [-1, -1]), 2, '-1x1'],
  ])('%s', (_name, given, length, expected) => {
    expect(seriesNotation(given, length)).toBe(expected);
  });
});
