import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { backfillText } from '../../../src/cli/backfill.js';
import { loadScenario } from '../../../src/scenario/load-scenario.js';
import { startServer } from '../../../src/server/start-server.js';
import { bpJob, twoTaskManagers } from '../../simulation/fixture.js';
import { eventually, run, startInfluxDb } from './real-servers.js';

describe('a real InfluxDB 1.x', () => {
  it('takes what the reporter writes, with its tags and types, at virtual times', async () => {
    await using influx = await startInfluxDb();
    await influx.query('CREATE DATABASE flink');
    const base = twoTaskManagers('1.20.5');
    const options = { ...base.options, 'metrics.reporter.influx.factory.class': 'org.apache.flink.metrics.influxdb.InfluxdbReporterFactory', 'metrics.reporter.influx.host': '127.0.0.1', 'metrics.reporter.influx.port': String(influx.port), 'metrics.reporter.influx.db': 'flink', 'metrics.reporter.influx.interval': '10 s' };
    await using flink = await startServer({ model: { ...base, options, jobs: [{ atMs: 0, job: bpJob({ rate: 300 }) }] }, port: 0, clock: { mode: 'manual' } });
    for (let minute = 0; minute < 2; minute++) {
      await flink.advanceBy(60_000);
      await eventually(async () => {
        const { reporters } = (await (await fetch(`${flink.url}/_mock/reporters`)).json()) as { reporters: { sent: number; failed: number }[] };
        expect(reporters[0]!.sent + reporters[0]!.failed).toBeGreaterThan(minute * 4 + 2);
      });
    }
    const measurements = (await influx.query('SHOW MEASUREMENTS'))[0]!.values.flat();
    for (const name of ['jobmanager_job_numberOfCompletedCheckpoints', 'taskmanager_job_task_numRecordsOutPerSecond', 'taskmanager_Status_JVM_Memory_Heap_Used', 'taskmanager_job_task_mailboxLatencyMs']) expect(measurements).toContain(name);
    const rates = await influx.query('SELECT last(rate) FROM taskmanager_job_task_numRecordsOutPerSecond GROUP BY task_name, subtask_index');
    expect(rates.map(({ tags }) => `${tags!['task_name']} ${tags!['subtask_index']}`).sort()).toEqual(['Enrich', 'Parse', 'Sink: Kafka Sink', 'Source: Source: Kafka nlp'].flatMap((name) => [`${name} 0`, `${name} 1`]));
    const source = rates.find(({ tags }) => tags!['task_name'] === 'Parse')!;
    expect(source.values[0]![1]).toBeCloseTo(300, -2);
    const [slots] = await influx.query('SELECT value FROM jobmanager_taskSlotsTotal ORDER BY time DESC LIMIT 1');
    expect(slots!.values[0]).toEqual([expect.any(String), 8]);
    expect(Date.parse(String(slots!.values[0]![0]))).toBeLessThanOrEqual(flink.simulation.nowMs);
  });

  it('takes hours of an incident as an import', async () => {
    await using influx = await startInfluxDb();
    const { model } = loadScenario('incident-2020-04-09');
    const file = path.join(influx.directory, 'incident.txt');
    await writeFile(file, [...backfillText({ model, forMs: 90 * 60_000, everyMs: 60_000, format: 'influx', isWanted: (name) => /_job_numberOf|outPoolUsage|currentInputWatermark/.test(name), out: null })].join(''));
    const { code, output } = await run('influx', ['-host', '127.0.0.1', '-port', String(influx.port), '-import', '-path', file, '-precision', 'ns']);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Failed 0 inserts/);
    const [failed] = await influx.query('SELECT max(value) FROM jobmanager_job_numberOfFailedCheckpoints');
    expect(failed!.values[0]![1]).toBeGreaterThan(10);
    const usages = await influx.query(`SELECT max(value) FROM taskmanager_job_task_buffers_outPoolUsage WHERE time > '2020-04-09T00:15:00Z' GROUP BY task_name`);
    expect(usages.find(({ tags }) => tags!['task_name'] === 'Parse')!.values[0]![1]).toBe(1);
  });
});
