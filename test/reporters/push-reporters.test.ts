import { gunzipSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { grpcReceiver, httpReceiver, tcpReceiver, udpReceiver, until } from './receivers.js';
import { parseExposition } from './recorded-exposition.js';
import { reportingCluster } from './reporting-cluster.js';

const factory = (name: string): Record<string, string> => ({ 'factory.class': `org.apache.flink.metrics.${name}Factory` });

describe('InfluxDB 1.x', () => {
  it('gets lines of every process with the measurements, tags and fields of Flink', async () => {
    await using receiver = await httpReceiver();
    await using cluster = await reportingCluster({ ...factory('influxdb.InfluxdbReporter'), host: '127.0.0.1', port: String(receiver.port), db: 'flink', retentionPolicy: 'one_hour', consistency: 'ANY', username: 'u', password: 'p', interval: '10 s' });
    cluster.advance(10);
    await cluster.reports(1);
    expect(cluster.warnings).toEqual([]);
    expect(receiver.requests).toHaveLength(3);
    for (const { method, url, headers } of receiver.requests) {
      expect(method).toBe('POST');
      expect(url).toBe('/write?db=flink&rp=one_hour&precision=n&consistency=any');
      expect(headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
    }
    const lines = receiver.requests.flatMap(({ body }) => body.toString('utf8').split('\n'));
    const time = `${cluster.simulation.nowMs}000000`;
    expect(lines.every((line) => line.endsWith(` ${time}`))).toBe(true);
    const find = (start: string) => lines.find((line) => line.startsWith(start))!;
    expect(find('jobmanager_taskSlotsTotal,')).toBe(`jobmanager_taskSlotsTotal,host=localhost value=8i ${time}`);
    expect(find('jobmanager_job_lastCheckpointExternalPath,')).toMatch(/,job_name=A\\ exactly\\ once value="file:[^"]+" /);
    expect(find('taskmanager_job_task_numRecordsOut,')).toMatch(/,task_name=Source:\\ Source:\\ Kafka\\ nlp,tm_id=\S+ count=\d+i /);
    expect(find('taskmanager_job_task_numRecordsOutPerSecond,')).toMatch(/ count=\d+i,rate=\d+(\.\d+)? /);
    expect(find('taskmanager_job_task_isBackPressured,')).toMatch(/ value="(true|false)" /);
    expect(find('taskmanager_job_task_mailboxLatencyMs,')).toMatch(/ 50-percentile=[^ ]*,count=\d+i,max=\d+i,mean=[^ ]*,min=\d+i,run-count=\d+i,std-dev=/);
  });

  it('what is not well configured is said and keeps nobody from running', async () => {
    await using cluster = await reportingCluster({ ...factory('influxdb.InfluxdbReporter'), host: '127.0.0.1' });
    expect(cluster.warnings).toEqual(['metrics.reporter.r.db is not set']);
    cluster.advance(20);
  });

  it('a receiver that refuses is heard of once, and the next report is tried', async () => {
    await using receiver = await httpReceiver(404);
    await using cluster = await reportingCluster({ ...factory('influxdb.InfluxdbReporter'), host: '127.0.0.1', port: String(receiver.port), db: 'none' });
    cluster.advance(20);
    await cluster.reports(2);
    expect(cluster.registry.status).toMatchObject([{ sent: 0, failed: 2 }]);
    expect(cluster.warnings).toHaveLength(1);
    expect(cluster.warnings[0]).toMatch(/^metrics\.reporter\.r: 127\.0\.0\.1:\d+ answered 404/);
  });
});

describe('InfluxDB 2.x', () => {
  it('gets the same lines in its bucket, compressed, with the token', async () => {
    await using receiver = await httpReceiver();
    await using cluster = await reportingCluster({ ...factory('influxdb.InfluxdbReporter'), host: '127.0.0.1', port: String(receiver.port), org: 'o', bucket: 'b', token: 'secret' });
    cluster.advance(10);
    await cluster.reports(1);
    expect(cluster.warnings).toEqual([]);
    const [{ url, headers, body }] = receiver.requests as [(typeof receiver.requests)[number]];
    expect(url).toBe('/api/v2/write?org=o&bucket=b&precision=ns');
    expect(headers.authorization).toBe('Token secret');
    expect(gunzipSync(body).toString('utf8')).toMatch(/^jobmanager_numRegisteredTaskManagers,host=localhost value=2i \d{19}$/m);
  });
});

describe('PushGateway', () => {
  it('each process puts its metrics into a group of its own and takes them away at the end', async () => {
    await using receiver = await httpReceiver(202);
    const cluster = await reportingCluster({ ...factory('prometheus.PrometheusPushGatewayReporter'), hostUrl: `http://127.0.0.1:${receiver.port}`, jobName: 'flink', groupingKey: 'k1=v1;bad;k2=a/b' });
    cluster.advance(10);
    await cluster.reports(1);
    await cluster.registry.close();
    const urls = receiver.requests.map(({ method, url }) => `${method} ${url}`);
    expect(urls).toHaveLength(6);
    expect(urls[0]).toMatch(/^PUT \/metrics\/job\/flink[0-9a-f]{32}\/k1\/v1\/k2@base64\/YS9i$/);
    expect(new Set(urls.slice(0, 3)).size).toBe(3);
    expect(urls.slice(3)).toEqual(urls.slice(0, 3).map((url) => url.replace('PUT', 'DELETE')));
    expect(receiver.requests[0]!.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(parseExposition(receiver.requests[0]!.body.toString('utf8')).types.get('flink_jobmanager_taskSlotsTotal')).toBe('gauge');
  });

  it('of an old version is given as host and port', async () => {
    await using receiver = await httpReceiver(202);
    await using cluster = await reportingCluster({ class: 'org.apache.flink.metrics.prometheus.PrometheusPushGatewayReporter', host: '127.0.0.1', port: String(receiver.port), jobName: 'j', randomJobNameSuffix: 'false', deleteOnShutdown: 'false', interval: '5 SECONDS' }, '1.9.3');
    cluster.advance(5);
    await cluster.reports(1);
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/metrics/job/j', '/metrics/job/j', '/metrics/job/j']);
  });
});

describe('Graphite', () => {
  it('gets plain text under the identifiers of the scope formats, points in names replaced', async () => {
    await using receiver = await tcpReceiver();
    await using cluster = await reportingCluster({ ...factory('graphite.GraphiteReporter'), host: '127.0.0.1', port: String(receiver.port), prefix: 'pre' }, '1.20.5', { 'metrics.scope.task': 'jobs.<job_name>.<task_name>.<subtask_index>' });
    cluster.advance(10);
    await until(() => receiver.texts.length > 0);
    const lines = receiver.texts[0]!.trimEnd().split('\n');
    const seconds = Math.floor(cluster.simulation.nowMs / 1000);
    for (const line of lines) expect(line).toMatch(/^pre\.\S+ (-?\d+(\.\d+)?|NaN) \d+$/);
    expect(lines).toContain(`pre.localhost.jobmanager.taskSlotsTotal 8 ${seconds}`);
    expect(lines.some((line) => /^pre\.jobs\.A-exactly-once\.Parse\.0\.numRecordsIn\.count \d+ /.test(line))).toBe(true);
    expect(lines.some((line) => /^pre\.jobs\.A-exactly-once\.Parse\.0\.numRecordsInPerSecond\.m1_rate \d+\.\d\d /.test(line))).toBe(true);
  });
});

describe('StatsD', () => {
  it('gets a gauge for each value; a negative one is set from 0', async () => {
    await using receiver = await udpReceiver();
    await using cluster = await reportingCluster({ ...factory('statsd.StatsDReporter'), host: '127.0.0.1', port: String(receiver.port), 'filter.includes': 'jobmanager*;taskmanager.job.task:numRecords*' });
    cluster.advance(10);
    await cluster.reports(1);
    await until(() => receiver.datagrams.includes('localhost.jobmanager.A exactly once.numRestarts:0|g'));
    expect(receiver.datagrams).toContain('localhost.jobmanager.taskSlotsTotal:8|g');
    const at = receiver.datagrams.indexOf('localhost.jobmanager.Status.JVM.Memory.NonHeap.Max:-1|g');
    expect(receiver.datagrams[at - 1]).toBe('localhost.jobmanager.Status.JVM.Memory.NonHeap.Max:0|g');
    for (const datagram of receiver.datagrams) expect(datagram).toMatch(/^[^:|]+:[^|]+\|g$/);
  });
});

describe('Datadog', () => {
  it('gets gauges and what counters have grown by, in requests of a limited size', async () => {
    await using receiver = await httpReceiver(202);
    await using cluster = await reportingCluster({ ...factory('datadog.DatadogHttpReporter'), url: `http://127.0.0.1:${receiver.port}`, apikey: 'key', tags: 'env:test,team:a', maxMetricsPerRequest: '100' });
    cluster.advance(20);
    await cluster.reports(2);
    expect(cluster.warnings).toEqual([]);
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString('utf8')) as { series: { metric: string; type: string; host: string; tags: string[]; points: [[number, number]] }[] });
    expect(receiver.requests[0]!.url).toBe('/api/v1/series?api_key=key');
    expect(bodies.every(({ series }) => series.length <= 100)).toBe(true);
    const all = bodies.flatMap(({ series }) => series);
    const slots = all.find(({ metric }) => metric === 'localhost.jobmanager.taskSlotsTotal')!;
    expect(slots).toMatchObject({ type: 'gauge', host: 'localhost', tags: ['env:test', 'team:a'], points: [[expect.any(Number), 8]] });
    const counts = all.filter(({ metric, tags }) => /Parse\.0\.numRecordsIn$/.test(metric) && tags.includes('subtask_index:0') && !tags.some((tag) => tag.startsWith('operator_id')));
    expect(counts.map(({ type }) => type)).toEqual(['count', 'count']);
    // 30 s of records, then 10 s of them
    expect(counts[1]!.points[0][1]).toBeLessThan(counts[0]!.points[0][1]);
    expect(counts[1]!.points[0][1]).toBeGreaterThan(4000);
    expect(all.some(({ metric }) => metric.endsWith('mailboxLatencyMs.95percentile'))).toBe(true);
    expect(all.some(({ metric }) => metric.includes('lastCheckpointExternalPath'))).toBe(false);
  });
});

/** A message's fields: numbers, bytes or bigints by field number, as they come. */
function fields(bytes: Uint8Array): Map<number, (number | bigint | Uint8Array)[]> {
  const found = new Map<number, (number | bigint | Uint8Array)[]>();
  new PbfReader(bytes).readFields((tag, result, pbf) => {
    const value = pbf.type === 2 ? pbf.readBytes() : pbf.type === 1 ? BigInt(pbf.readFixed32()) | (BigInt(pbf.readFixed32()) << 32n) : pbf.readVarint();
    result.set(tag, [...(result.get(tag) ?? []), value]);
  }, found);
  return found;
}

describe('OpenTelemetry', () => {
  const text = (value: unknown): string => Buffer.from(value as Uint8Array).toString('utf8');
  const inner = (message: Map<number, unknown[]>, field: number): Map<number, (number | bigint | Uint8Array)[]> => fields(message.get(field)![0] as Uint8Array);
  const attributes = (pairs: unknown[]): Record<string, string> =>
    Object.fromEntries(
      pairs.map((pair) => {
        const keyValue = fields(pair as Uint8Array);
        return [text(keyValue.get(1)![0]), text(inner(keyValue, 2).get(1)![0])];
      }),
    );

  function read(message: Uint8Array) {
    const resourceMetrics = inner(fields(message), 1);
    const scopeMetrics = inner(resourceMetrics, 2);
    const metrics = new Map<string, Map<number, (number | bigint | Uint8Array)[]>>();
    for (const bytes of scopeMetrics.get(2)!) {
      const metric = fields(bytes as Uint8Array);
      metrics.set(text(metric.get(1)![0]), metric);
    }
    return { resource: attributes(inner(resourceMetrics, 1).get(1)!), scope: text(inner(scopeMetrics, 1).get(1)![0]), metrics };
  }

  const options = { ...factory('otel.OpenTelemetryMetricReporter'), 'service.name': 'flink-mock', interval: '10 s' };

  it('gets gauges, growth of counters and summaries over gRPC', async () => {
    await using receiver = await grpcReceiver();
    await using cluster = await reportingCluster({ ...options, 'exporter.endpoint': `http://127.0.0.1:${receiver.port}`, 'exporter.protocol': 'gRPC' }, '2.3.0');
    cluster.advance(20);
    await cluster.reports(2);
    expect(cluster.warnings).toEqual([]);
    const [first, second] = receiver.calls as [(typeof receiver.calls)[number], (typeof receiver.calls)[number]];
    expect(first).toMatchObject({ path: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', contentType: 'application/grpc' });
    const { resource, scope, metrics } = read(second.message);
    expect(resource).toEqual({ 'service.name': 'flink-mock' });
    expect(scope).toBe('org.apache.flink.metrics.otel');
    const slots = inner(inner(metrics.get('flink.jobmanager.taskSlotsTotal')!, 5), 1);
    expect(slots.get(6)).toEqual([8n]);
    expect(slots.get(3)).toEqual([BigInt(cluster.simulation.nowMs) * 1_000_000n]);
    expect(slots.get(2)).toEqual([BigInt(cluster.simulation.nowMs - 10_000) * 1_000_000n]);
    expect(attributes(slots.get(7)!)).toEqual({ host: 'localhost' });
    const sum = inner(metrics.get('flink.taskmanager.job.task.numRecordsIn')!, 7);
    expect([sum.get(2), sum.get(3)]).toEqual([[1], [1]]);
    expect(attributes(inner(sum, 1).get(7)!)).toMatchObject({ job_name: 'A exactly once', subtask_index: expect.any(String) });
    expect(inner(metrics.get('flink.taskmanager.job.task.mailboxLatencyMs')!, 11).get(1)).toHaveLength(1);
    expect(metrics.has('flink.taskmanager.job.task.numRecordsInPerSecond.rate')).toBe(true);
    expect(metrics.has('flink.jobmanager.job.lastCheckpointExternalPath')).toBe(false);
  });

  it('and over HTTP', async () => {
    await using receiver = await httpReceiver(200);
    await using cluster = await reportingCluster({ ...options, 'exporter.endpoint': `http://127.0.0.1:${receiver.port}/v1/metrics`, 'exporter.protocol': 'HTTP' }, '2.3.0');
    cluster.advance(10);
    await cluster.reports(1);
    expect(receiver.requests[0]).toMatchObject({ url: '/v1/metrics', headers: { 'content-type': 'application/x-protobuf' } });
    expect(read(receiver.requests[0]!.body).metrics.size).toBeGreaterThan(100);
  });
});

describe('SLF4J', () => {
  it("writes a report into each process's log", async () => {
    await using cluster = await reportingCluster(factory('slf4j.Slf4jReporter'));
    cluster.advance(30);
    const { jobManager, taskManagers } = cluster.simulation.state;
    for (const { log } of [jobManager, ...taskManagers.values()]) {
      const reports = log.entries.filter(({ logger }) => logger === 'org.apache.flink.metrics.slf4j.Slf4jReporter');
      expect(reports).toHaveLength(3);
      expect(reports[0]!.message).toMatch(/^\n=+ Starting metrics report =+\n\n-- Counters -+\n/);
      expect(reports[0]!.message).toMatch(/Status\.JVM\.Threads\.Count: \d+\n/);
    }
    expect(jobManager.log.entries.some(({ message }) => message.includes('\nlocalhost.jobmanager.A exactly once.numRestarts: 0\n'))).toBe(true);
  });
});

describe('reporters by option', () => {
  it('metrics.reporters chooses among those that are set up', async () => {
    await using cluster = await reportingCluster(factory('slf4j.Slf4jReporter'), '1.20.5', { 'metrics.reporters': 'other', 'metrics.reporter.other.factory.class': 'org.apache.flink.metrics.slf4j.Slf4jReporterFactory', 'metrics.reporter.other.interval': '5 s' });
    expect(cluster.registry.status).toMatchObject([{ name: 'other', kind: 'slf4j', intervalMs: 5000 }]);
  });

  it('an unknown class is named with those there are', async () => {
    await using cluster = await reportingCluster({ 'factory.class': 'com.example.Reporter' });
    expect(cluster.warnings[0]).toMatch(/there is no reporter com\.example\.Reporter; allowed: org\.apache\.flink\.metrics\.prometheus\.PrometheusReporterFactory, /);
  });

  it('reports follow virtual time: one for each interval, however fast it passes', async () => {
    await using cluster = await reportingCluster({ ...factory('slf4j.Slf4jReporter'), interval: '60 s' });
    cluster.advance(600);
    await cluster.reports(10);
    expect(cluster.registry.status).toMatchObject([{ sent: 10, leftOut: 0 }]);
  });

  it('what a slow receiver cannot take is left out, not piled up', async () => {
    await using receiver = await httpReceiver();
    await using cluster = await reportingCluster({ ...factory('influxdb.InfluxdbReporter'), host: '127.0.0.1', port: String(receiver.port), db: 'flink', interval: '1 s', 'filter.includes': 'jobmanager' });
    cluster.advance(20);
    await cluster.reports(4);
    expect(cluster.registry.status).toMatchObject([{ sent: 4, leftOut: 16 }]);
  });
});
