/** Recorded runs of a real cluster (Flink 1.20.5): what went in as a model, what came out as figures. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JobModel } from '../../src/simulation/model/job-model.js';
import { checkpointing, edge, jobModel, operator, vertex } from './harness.js';

type Metric = readonly (number | null)[];

export interface RecordedShot {
  readonly t: number;
  readonly [vertex: string]: number | { readonly [metric: string]: Metric };
}

export interface Recording {
  readonly name: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly seconds: number;
  readonly vertices: readonly { readonly name: string; readonly parallelism: number }[];
  readonly placement: Readonly<Record<string, readonly (readonly [number, string])[]>>;
  readonly series: readonly RecordedShot[];
  readonly checkpoints: {
    readonly history?: readonly { readonly id: number; readonly status: string; readonly end_to_end_duration: number; readonly trigger_timestamp: number; readonly processed_data: number; readonly persisted_data: number }[];
  };
}

export function readRecording(path: string): Recording {
  return JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as Recording;
}

/**
 * What a record costs the task's thread on the machine of the recordings besides the function: reading, writing, waking up. From the
 * throughput of the vertices that set the pace: functions of 2000 us gave 495 to 506 records/s, one of 1000 us gave 970.
 */
const TASK_OVERHEAD_US = 10;

/** The job of the recordings (Source → rebalance → Parse → hash → Enrich → rebalance → Sink) with a run's arguments. */
export function recordedJob(recording: Recording): JobModel {
  const arg = (name: string, fallback: string) => String(recording.args[name] ?? fallback);
  const numbers = (name: string, fallback: string) => arg(name, fallback).split(',').map(Number);
  const [p0, p1, p2, p3] = numbers('p', '2,2,2,2');
  const [parseUs, enrichUs, sinkUs] = numbers('us', '0,2000,0');
  const bytes = Number(arg('bytes', '1000'));
  const hot = Number(arg('hot', '0'));
  const intervalMs = Number(arg('iv', '5000'));
  const unaligned = recording.args.unaligned !== undefined;
  let afterMs = 0;
  const rateSteps = arg('plan', '500').split(',').map((step) => {
    const [rate, seconds] = step.split(':').map(Number);
    const from = afterMs;
    afterMs += (seconds ?? 0) * 1000;
    return { afterMs: from, recordsPerSecond: rate, rampMs: 0 };
  });
  const [source, parse, enrich, sink] = recording.vertices.map((v) => v.name);
  const function_ = (id: string, us: number) => operator({ id, serviceTimeUs: us + TASK_OVERHEAD_US, outputRecordBytes: bytes });
  return jobModel(
    [
      vertex(source, p0, [operator({ id: source, kind: 'source', outputRecordBytes: bytes, source: { kind: 'generator', rateSteps, recordLimit: null, legacy: true, maxOutOfOrdernessMs: null } })]),
      vertex(parse, p1, [function_(parse, parseUs)]),
      vertex(enrich, p2, [function_(enrich, enrichUs)]),
      vertex(sink, p3, [{ ...function_(sink, sinkUs), kind: 'sink', selectivity: 0 }]),
    ],
    [
      edge(source, parse, 'REBALANCE'),
      edge(parse, enrich, 'HASH', hot > 0 ? { kind: 'hot-keys', hotKeys: [{ key: '0', share: hot }] } : null),
      edge(enrich, sink, 'REBALANCE'),
    ],
    {
      name: recording.name,
      bufferTimeoutMs: Number(arg('bt', '100')),
      checkpointing:
        intervalMs > 0
          ? checkpointing({ intervalMs, timeoutMs: Number(arg('timeout', '600000')), mode: arg('mode', 'EXACTLY_ONCE') as 'EXACTLY_ONCE' | 'AT_LEAST_ONCE', unaligned, alignedTimeoutMs: unaligned ? Number(recording.args.unaligned) : 0 })
          : null,
    },
  );
}

export function placementOf(recording: Recording): (vertexIndex: number, subtask: number) => string {
  const hosts = recording.vertices.map((v) => new Map(recording.placement[v.name]));
  return (vertexIndex, subtask) => hosts[vertexIndex].get(subtask)!;
}
