import { describe, expect, test } from 'vitest';
import { tickBackPressure } from '../../../src/simulation/backpressure/index.js';
import { requestFlameGraph, threadDump, type FlameGraphNode } from '../../../src/simulation/threads/index.js';
import type { JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { kafkaSource, operator, runningJob } from '../kafka/running-job.js';

const chain = [operator('Source: Kafka nlp', { kind: 'source', source: kafkaSource() }), operator('Parse', { serviceTimeUs: 10 })];
const enrich = [operator('Enrich', { serviceTimeUs: 2000 }), operator('Sink: Writer', { kind: 'sink', serviceTimeUs: 0, selectivity: 0 })];

function setUp(flinkVersion: string, legacy = false, options: Record<string, string> = {}): { state: SimulationState; job: JobState } {
  const vertices = [legacy ? [operator('Source: Kafka nlp', { kind: 'source', source: kafkaSource({ legacy }) }), chain[1]] : chain, [operator('Clean')], enrich];
  const made = runningJob({ flinkVersion, vertices, options });
  made.job.vertices[0].columns.hardBackPressuredShare.fill(1);
  made.job.vertices[1].columns.softBackPressuredShare.fill(1);
  made.job.vertices[2].columns.busyShare.fill(1);
  return made;
}

const dumpOf = (state: SimulationState, name: string) => threadDump(state, 'tm-1').find((thread) => thread.threadName === name)?.stringifiedThreadInfo ?? '';

describe('thread dump', () => {
  test.each(['1.13.6', '1.20.5', '2.3.0'])('%s: a blocked task stands in the request for a buffer, a busy one in its function, one that waits in the mailbox', (version) => {
    const { state } = setUp(version);
    expect(dumpOf(state, 'Source: Kafka nlp -> Parse (1/2)#0')).toMatch(/ WAITING on java\.util\.concurrent\.CompletableFuture\$Signaller@[0-9a-f]+\n/);
    expect(dumpOf(state, 'Source: Kafka nlp -> Parse (1/2)#0')).toContain('LocalBufferPool.requestMemorySegmentBlocking');
    expect(dumpOf(state, 'Clean (1/2)#0')).toContain('TaskMailboxImpl.take(');
    expect(dumpOf(state, 'Enrich -> Sink: Writer (2/2)#0')).toMatch(/ RUNNABLE\n\tat Enrich\.map\(Enrich\.java:\d+\)/);
  });

  test('chained operators show nested frames, out to the source reader and the mailbox loop', () => {
    const { state } = setUp('1.20.5');
    const frames = dumpOf(state, 'Source: Kafka nlp -> Parse (1/2)#0').split('\n').filter((line) => line.startsWith('\tat '));
    const at = (part: string) => frames.findIndex((frame) => frame.includes(part));
    const order = ['LocalBufferPool.requestBufferBuilderBlocking', 'RecordWriterOutput.collect', 'StreamMap.processElement', 'CopyingChainingOutput.pushToOperator', 'KafkaRecordEmitter.emitRecord', 'SourceOperator.emitNext', 'MailboxProcessor.runMailboxLoop', 'Task.doRun', 'Thread.run'].map(at);
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('a legacy source runs on a thread of its own, which is the one that is blocked', () => {
    const { state } = setUp('1.20.5', true);
    const own = dumpOf(state, 'Legacy Source Thread - Source: Kafka nlp -> Parse (1/2)#0');
    expect(own).toContain('requestMemorySegmentBlocking');
    expect(own).toContain('SourceStreamTask$LegacySourceFunctionThread.run');
    const task = dumpOf(state, 'Source: Kafka nlp -> Parse (1/2)#0');
    expect(task).not.toContain('requestMemorySegmentBlocking');
  });

  test('1.13 prints priority and eight frames, 1.20 all frames and no priority', () => {
    const old = dumpOf(setUp('1.13.6').state, 'Clean (1/2)#0');
    expect(old).toMatch(/^"Clean \(1\/2\)#0" prio=5 Id=\d+ TIMED_WAITING on /);
    expect(old.match(/\tat /g)).toHaveLength(8);
    expect(old.endsWith('\t...\n\n')).toBe(true);
    const recent = dumpOf(setUp('1.20.5').state, 'Clean (1/2)#0');
    expect(recent).toMatch(/^"Clean \(1\/2\)#0" Id=\d+ TIMED_WAITING on /);
    expect(recent.match(/\tat /g)!.length).toBeGreaterThan(12);
    expect(recent.endsWith('Thread.java:840)\n\n')).toBe(true);
  });

  test('has the depth that cluster.thread-dump.stacktrace-max-depth says', () => {
    const { state } = setUp('1.20.5', false, { 'cluster.thread-dump.stacktrace-max-depth': '3' });
    expect(dumpOf(state, 'Clean (1/2)#0').match(/\tat /g)).toHaveLength(3);
  });

  test('lists the threads that belong to no task too, and no task of another process', () => {
    const { state } = setUp('2.3.0');
    const names = threadDump(state, 'tm-1').map((thread) => thread.threadName);
    for (const name of ['main', 'Flink Netty Server (0) Thread 0', 'OutputFlusher for Clean (2/2)#0', 'System Time Trigger for Clean (1/2)#0', 'AsyncOperations-thread-1', 'Source Data Fetcher for Source: Kafka nlp -> Parse (1/2)#0']) expect(names).toContain(name);
    expect(names).not.toContain('OutputFlusher for Enrich -> Sink: Writer (1/2)#0');
    const jobManager = threadDump(state, 'jobmanager').map((thread) => thread.threadName);
    expect(jobManager).toContain('Checkpoint Timer');
    expect(jobManager.some((name) => name.startsWith('Clean'))).toBe(false);
  });

  test('each thread has an id of its own', () => {
    const ids = threadDump(setUp('1.20.5').state, 'tm-1').map((thread) => / Id=(\d+) /.exec(thread.stringifiedThreadInfo)![1]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

function pass(state: SimulationState, ms: number): void {
  for (let passed = 0; passed < ms; passed += state.model.tickMs) {
    state.nowMs += state.model.tickMs;
    tickBackPressure(state);
  }
}

function names(node: FlameGraphNode): string[] {
  return [node.name, ...node.children.flatMap(names)];
}

describe('flame graph', () => {
  test('is waited for at first, then there for 5 s of looks at every subtask, and refreshed after a minute', () => {
    const { state, job } = setUp('2.3.0');
    expect(requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL')).toEqual({ endTimestamp: -3 });
    pass(state, 5_200);
    const graph = requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL')!;
    expect(graph.data).toMatchObject({ name: 'root', value: 200 });
    expect(names(graph.data!)).toContain('java.lang.Thread.run:840');
    expect(names(graph.data!)).toContain('org.apache.flink.streaming.runtime.tasks.mailbox.MailboxProcessor.runMailboxLoop:231');
    expect(names(graph.data!).some((name) => name.startsWith('Enrich.map:'))).toBe(true);
    job.vertices[2].columns.busyShare.fill(0);
    pass(state, 59_000);
    expect(requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL')!.endTimestamp).toBe(graph.endTimestamp);
    pass(state, 2_000);
    requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL');
    pass(state, 5_200);
    const next = requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL')!;
    expect(next.endTimestamp).toBeGreaterThan(graph.endTimestamp);
    expect(names(next.data!)).toContain('jdk.internal.misc.Unsafe.park:-2');
  });

  test('divides by what the threads were doing', () => {
    const { state, job } = setUp('1.20.5');
    job.vertices[2].columns.busyShare.fill(0.3);
    requestFlameGraph(state, 'job-1', 'vertex-2', null, 'FULL');
    pass(state, 6_000);
    const [full, onCpu, offCpu] = (['FULL', 'ON_CPU', 'OFF_CPU'] as const).map((type) => requestFlameGraph(state, 'job-1', 'vertex-2', null, type)!.data!.value);
    expect(full).toBe(200);
    expect(onCpu + offCpu).toBe(200);
    expect(onCpu).toBeGreaterThan(30);
    expect(onCpu).toBeLessThan(90);
  });

  test('every node is worth its children and what ends in it', () => {
    const { state, job } = setUp('1.20.5');
    job.vertices[0].columns.hardBackPressuredShare.fill(0.4);
    job.vertices[0].columns.busyShare.fill(0.3);
    requestFlameGraph(state, 'job-1', 'vertex-0', 1, 'FULL');
    pass(state, 6_000);
    const check = (node: FlameGraphNode): void => {
      expect(node.children.reduce((sum, child) => sum + child.value, 0)).toBeLessThanOrEqual(node.value);
      node.children.forEach(check);
    };
    const { data } = requestFlameGraph(state, 'job-1', 'vertex-0', 1, 'FULL')!;
    expect(data!.value).toBe(100);
    check(data!);
  });

  test('is refused where it is off, over or not there', () => {
    const off = setUp('2.3.0', false, { 'rest.flamegraph.enabled': 'false' });
    expect(requestFlameGraph(off.state, 'job-1', 'vertex-0', null, 'FULL')).toEqual({ endTimestamp: -2 });
    const { state, job } = setUp('2.3.0');
    expect(requestFlameGraph(state, 'job-1', 'vertex-0', 99, 'FULL')).toBeNull();
    for (const subtask of job.vertices[0].subtasks) subtask.current.state = 'FINISHED';
    expect(requestFlameGraph(state, 'job-1', 'vertex-0', null, 'FULL')).toEqual({ endTimestamp: -1 });
  });
});
