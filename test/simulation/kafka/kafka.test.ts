import { describe, expect, test } from 'vitest';
import { applyKafkaAction, availableRecords, consumedOffsets, kafkaSourceReading, onCheckpointCompleted, partitionOwner, restoreOffsets, snapshotOffsets, partitionEventTimes, takeRecords, tickKafka } from '../../../src/simulation/kafka/index.js';
import type { JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { NO_WATERMARK } from '../../../src/simulation/state/subtask-columns.js';
import { GROUP, logLines, restartAttempts, runningJob, TOPIC } from './running-job.js';

/** Lets time pass; each source subtask emits at most `recordsPerSecond`. */
function run(state: SimulationState, job: JobState, forMs: number, recordsPerSecond: number, each?: () => void): void {
  const { tickMs } = state.model;
  for (let passed = tickMs; passed <= forMs; passed += tickMs) {
    state.nowMs += tickMs;
    tickKafka(state);
    for (let s = 0; s < job.vertices[0].parallelism; s++) takeRecords(state, job, 0, s, Math.min((recordsPerSecond * tickMs) / 1000, availableRecords(state, job, 0, s)));
    each?.();
  }
}

function checkpoint(state: SimulationState, job: JobState, id: number): void {
  for (let s = 0; s < job.vertices[0].parallelism; s++) snapshotOffsets(state, job, id, 0, s);
  onCheckpointCompleted(state, job, id);
}

const disconnects = (state: SimulationState) => logLines(state).filter((line) => line.includes('Error sending fetch request'));
const flat = (recordsPerSecond: number) => [{ afterMs: 0, recordsPerSecond, rampMs: 0 }];

describe('topics', () => {
  test.each([10, 50, 200])('grow by their rate steps and ramps, whatever the tick (%i ms)', (tickMs) => {
    const { state } = runningJob({ tickMs, topic: { rateSteps: [...flat(600), { afterMs: 3_330, recordsPerSecond: 1200, rampMs: 2_000 }] } });
    for (let i = 0; i < 8_000 / tickMs; i++) {
      state.nowMs += tickMs;
      tickKafka(state);
    }
    const total = state.kafka.topics.get(TOPIC)!.endOffsets.reduce((a, b) => a + b, 0);
    expect(total).toBeCloseTo(600 * 3.33 + 900 * 2 + 1200 * 2.67, 3);
  });

  test('divide their load by the partitions’ shares', () => {
    const { state } = runningJob({ topic: { rateSteps: flat(1000), partitionShares: [7, 1, 1, 1] } });
    state.nowMs += 1000;
    tickKafka(state);
    expect([...state.kafka.topics.get(TOPIC)!.endOffsets]).toEqual([700, 100, 100, 100].map((records) => expect.closeTo(records, 6)));
  });

  test('change their rate from the moment of set-topic-rate', () => {
    const { state, job } = runningJob({ topic: { rateSteps: flat(100) } });
    run(state, job, 1000, 0);
    expect(applyKafkaAction(state, { kind: 'set-topic-rate', topic: TOPIC, recordsPerSecond: 300, rampMs: 2000 })).toBe(true);
    run(state, job, 3000, 0);
    expect(state.kafka.topics.get(TOPIC)!.recordsPerSecond).toBe(300);
    expect(state.kafka.topics.get(TOPIC)!.endOffsets.reduce((a, b) => a + b, 0)).toBeCloseTo(100 + 400 + 300, 6);
  });
});

test('a rate that is changed between two ticks holds from that instant on', () => {
  const { state, job } = runningJob({ topic: { rateSteps: flat(100) } });
  run(state, job, 1000, 0);
  state.nowMs += 40;
  applyKafkaAction(state, { kind: 'set-topic-rate', topic: TOPIC, recordsPerSecond: 1000, rampMs: 0 });
  state.nowMs += 60;
  tickKafka(state);
  expect(state.kafka.topics.get(TOPIC)!.endOffsets.reduce((a, b) => a + b, 0)).toBeCloseTo(100 + 4 + 60, 6);
});

test('a topic that no scenario describes exists, empty, and can be filled', () => {
  const { state, job } = runningJob({ source: { topic: 'other' } });
  run(state, job, 1000, 100);
  expect(kafkaSourceReading(state, job, 0, 0).partitions.length + kafkaSourceReading(state, job, 0, 1).partitions.length).toBe(1);
  applyKafkaAction(state, { kind: 'set-topic-rate', topic: 'other', recordsPerSecond: 50, rampMs: 0 });
  run(state, job, 2000, 100);
  expect(state.kafka.topics.get('other')!.endOffsets[0]).toBeCloseTo(100, 6);
  expect(consumedOffsets(state, job, 0)[0]).toBeGreaterThan(90);
});

describe('assignment', () => {
  test('is the recorded one: subtask 0 of 2 reads partitions 1 and 3 of the recorded topic', () => {
    expect([0, 1, 2, 3].map((partition) => partitionOwner(TOPIC, partition, 2))).toEqual([1, 0, 1, 0]);
  });

  test('gives every partition to one subtask, as evenly as can be', () => {
    const owners = Array.from({ length: 10 }, (_, partition) => partitionOwner('orders', partition, 4));
    const counts = [0, 1, 2, 3].map((subtask) => owners.filter((owner) => owner === subtask).length);
    expect(counts.sort()).toEqual([2, 2, 3, 3]);
  });
});

describe('a consumer that starts', () => {
  test('says what it reads and from where, in the words of its time', () => {
    const legacy = runningJob({ flinkVersion: '1.9.3', source: { legacy: true } });
    run(legacy.state, legacy.job, 1000, 100);
    expect(logLines(legacy.state)).toContain(
      `INFO FlinkKafkaConsumerBase Consumer subtask 0 will start reading the following 2 partitions from the latest offsets: [KafkaTopicPartition{topic='${TOPIC}', partition=1}, KafkaTopicPartition{topic='${TOPIC}', partition=3}]`,
    );
    expect(logLines(legacy.state)).toContain(`INFO KafkaConsumer [Consumer clientId=consumer-3, groupId=${GROUP}] Subscribed to partition(s): ${TOPIC}-1, ${TOPIC}-3`);
    const recent = runningJob({ flinkVersion: '1.20.5', topic: { startOffset: 3520 } });
    run(recent.state, recent.job, 1000, 100);
    expect(logLines(recent.state)).toContain(`INFO KafkaConsumer [Consumer clientId=${GROUP}-0, groupId=${GROUP}] Seeking to offset 3520 for partition ${TOPIC}-1`);
  });

  test('names the offsets that a checkpoint gave it', () => {
    const { state, job } = runningJob({ flinkVersion: '1.9.3', source: { legacy: true }, topic: { rateSteps: flat(400) } });
    run(state, job, 3000, 1000);
    checkpoint(state, job, 1);
    const held = consumedOffsets(state, job, 0);
    restoreOffsets(state, job, 1);
    restartAttempts(job);
    run(state, job, 1000, 1000);
    expect(logLines(state).find((line) => line.includes('Consumer subtask 0 will start reading 2 partitions with offsets in restored state'))).toContain(`partition=1}=${Math.floor(held[1]) - 1}`);
  });
});

describe('a consumer that keeps up', () => {
  test('emits all that is offered and shows no lag', () => {
    const { state, job } = runningJob({ topic: { rateSteps: flat(600) } });
    run(state, job, 30_000, 1000);
    expect(consumedOffsets(state, job, 0).reduce((a, b) => a + b, 0)).toBeGreaterThan(600 * 29.5);
    expect(kafkaSourceReading(state, job, 0, 0)).toMatchObject({ pendingRecords: 0, clientId: `${GROUP}-0`, partitions: [{ partition: 1, lag: 0 }, { partition: 3, lag: 0 }] });
    expect(kafkaSourceReading(state, job, 0, 0).fetchTotal).toBeGreaterThan(500);
  });

  test('emits records with the time at which they were offered', () => {
    const { state, job } = runningJob({ topic: { rateSteps: flat(600) } });
    run(state, job, 10_000, 1000);
    state.nowMs += 100;
    tickKafka(state);
    const taken = takeRecords(state, job, 0, 0, availableRecords(state, job, 0, 0));
    expect(state.nowMs - taken.eventTimeMs).toBeLessThan(150);
    const { partitions } = kafkaSourceReading(state, job, 0, 0);
    for (const time of partitionEventTimes(job.vertices[0].kafkaSource!, partitions.map(({ partition }) => partition))) expect(time).toBeLessThanOrEqual(taken.eventTimeMs);
  });

  test('has no watermark to give before its first record', () => {
    const { state, job } = runningJob();
    expect(takeRecords(state, job, 0, 0, 10)).toEqual({ records: 0, eventTimeMs: NO_WATERMARK });
  });
});

describe('a consumer that lags (recorded: 1500/s offered for 90 s, 1004/s taken, 1.20.5)', () => {
  function lagging() {
    const { state, job } = runningJob({ topic: { rateSteps: [...flat(600), { afterMs: 40_000, recordsPerSecond: 1500, rampMs: 0 }, { afterMs: 130_000, recordsPerSecond: 200, rampMs: 0 }] } });
    const readings: ReturnType<typeof kafkaSourceReading>[] = [];
    run(state, job, 129_000, 502, () => readings.push(kafkaSourceReading(state, job, 0, 0)));
    return { state, job, readings };
  }

  test('reads a megabyte of one partition while the other stands still, then they change places', () => {
    const { readings } = lagging();
    const stretches = [0, 1].map((p) => {
      let longest = 0;
      let stretch = 0;
      for (let i = 600; i < readings.length; i++) {
        stretch = readings[i].partitions[p].currentOffset === readings[i - 1].partitions[p].currentOffset ? stretch + 100 : 0;
        longest = Math.max(longest, stretch);
      }
      return longest;
    });
    for (const longestMs of stretches) {
      expect(longestMs).toBeGreaterThan(4_000);
      expect(longestMs).toBeLessThan(20_000);
    }
  });

  test('knows only the lag that its last fetches saw', () => {
    const { readings } = lagging();
    const reading = readings.at(-1)!;
    const lag = reading.partitions.reduce((sum, partition) => sum + partition.lag, 0);
    expect(lag).toBeGreaterThan(20_000);
    expect(reading.pendingRecords!).toBeLessThan(0.7 * lag);
    const drops = readings.slice(800).map((now, i) => (readings[799 + i]?.pendingRecords ?? 0) - now.pendingRecords!).filter((drop) => drop > 0);
    expect(Math.max(...drops)).toBeLessThanOrEqual(1000);
  });

  test('shows records-lag-max as a staircase that stays at its top after the backlog is gone', () => {
    const { state, job, readings } = lagging();
    const stairs = new Set(readings.slice(450).map((reading) => reading.recordsLagMax));
    expect(stairs.size).toBeLessThan(60);
    const top = Math.max(...readings.slice(450).map((reading) => reading.recordsLagMax));
    expect(top).toBeGreaterThan(4_000);
    run(state, job, 65_000, 502);
    const after = kafkaSourceReading(state, job, 0, 0);
    expect(after.partitions.reduce((sum, partition) => sum + partition.lag, 0)).toBeLessThan(100);
    expect(after.recordsLagMax).toBeGreaterThan(1_000);
    run(state, job, 70_000, 502);
    expect(kafkaSourceReading(state, job, 0, 0).recordsLagMax).toBeLessThan(100);
  });
});

describe('offsets', () => {
  test('are committed when a checkpoint completes, as it holds them', () => {
    const { state, job } = runningJob({ topic: { rateSteps: flat(400) } });
    run(state, job, 3000, 1000);
    for (const s of [0, 1]) snapshotOffsets(state, job, 1, 0, s);
    const held = consumedOffsets(state, job, 0);
    run(state, job, 1000, 1000);
    expect(state.kafka.groups.get(GROUP)?.get(TOPIC)?.[0] ?? -1).toBe(-1);
    onCheckpointCompleted(state, job, 1);
    expect([...state.kafka.groups.get(GROUP)!.get(TOPIC)!]).toEqual([...held].map(Math.floor));
    expect(kafkaSourceReading(state, job, 0, 0)).toMatchObject({ commitsSucceeded: 1, commitsFailed: 0 });
  });

  test('go back to the checkpoint with a restart', () => {
    const { state, job } = runningJob({ topic: { rateSteps: flat(400) } });
    run(state, job, 3000, 1000);
    checkpoint(state, job, 1);
    const held = consumedOffsets(state, job, 0);
    run(state, job, 5000, 1000);
    restoreOffsets(state, job, 1);
    restartAttempts(job);
    expect([...consumedOffsets(state, job, 0)]).toEqual([...held]);
    run(state, job, 5000, 1000);
    expect(consumedOffsets(state, job, 0)[0]).toBeGreaterThan(held[0] + 500);
    expect(kafkaSourceReading(state, job, 0, 0).commitsSucceeded).toBe(0);
  });

  test('without checkpoints are committed by the legacy client itself every 5 s, and by the new source never', () => {
    for (const legacy of [true, false]) {
      const { state, job } = runningJob({ flinkVersion: '1.13.6', checkpoints: false, source: { legacy }, topic: { rateSteps: flat(400) } });
      run(state, job, 16_000, 1000);
      expect(kafkaSourceReading(state, job, 0, 0).commitsSucceeded).toBe(legacy ? 3 : 0);
    }
  });
});

describe('a broker that stops answering for 45 s', () => {
  function outage(flinkVersion: string, brokerState: 'stalled' | 'down') {
    const { state, job } = runningJob({ flinkVersion, source: { legacy: flinkVersion === '1.9.3' }, topic: { rateSteps: flat(400) } });
    let ticks = 0;
    const each = () => {
      if (++ticks % 30 === 0) checkpoint(state, job, ticks / 30);
    };
    run(state, job, 30_000, 500, each);
    applyKafkaAction(state, { kind: 'set-kafka-broker', state: brokerState });
    const frozen = consumedOffsets(state, job, 0);
    run(state, job, 45_000, 500, each);
    expect([...consumedOffsets(state, job, 0)]).toEqual([...frozen]);
    applyKafkaAction(state, { kind: 'set-kafka-broker', state: 'up' });
    run(state, job, 45_000, 500, each);
    return { state, job };
  }

  test('1.9: one line of the fetch session 30 s later, nothing from the network client', () => {
    const { state } = outage('1.9.3', 'stalled');
    expect(disconnects(state)).toHaveLength(2);
    expect(disconnects(state)[0]).toMatch(
      /^INFO FetchSessionHandler \[Consumer clientId=consumer-[34], groupId=mf\.streaming\.nlp\.v1\] Error sending fetch request \(sessionId=\d+, epoch=\d+\) to node 1: org\.apache\.kafka\.common\.errors\.DisconnectException\.$/,
    );
    const entry = state.taskManagers.get('tm-1')!.log.entries.find((line) => line.message.includes('Error sending'))!;
    expect(entry.timeMs - state.model.startMs).toBeGreaterThan(59_500);
    expect(entry.timeMs - state.model.startMs).toBeLessThan(60_500);
    expect(logLines(state).some((line) => line.startsWith('INFO NetworkClient'))).toBe(false);
    expect(logLines(state).some((line) => line.startsWith("WARN KafkaFetcher Committing offsets to Kafka failed. This does not compromise Flink's checkpoints."))).toBe(true);
  });

  test('1.20: the network client says why, the commits of the time fail together', () => {
    const { state, job } = outage('1.20.5', 'stalled');
    const lines = logLines(state);
    expect(lines.find((line) => line.includes('Disconnecting from node 1 due to request timeout.'))).toBeDefined();
    expect(lines.find((line) => /Cancelled in-flight FETCH request with correlation id \d+ due to node 1 being disconnected \(elapsed time since creation: 30\d{3}ms, elapsed time since send: 30\d{3}ms, request timeout: 30000ms\)/.test(line))).toBeDefined();
    expect(disconnects(state)[0]).toMatch(/to node 1:\norg\.apache\.kafka\.common\.errors\.DisconnectException: null$/);
    const reading = kafkaSourceReading(state, job, 0, 0);
    expect(reading.commitsFailed).toBeGreaterThan(8);
    expect(lines.filter((line) => line.startsWith('WARN KafkaSourceReader Failed to commit consumer offsets for checkpoint')).length).toBe(2 * reading.commitsFailed);
    expect(lines.filter((line) => line.includes('Discovered group coordinator localhost:8692 (id: 2147483646 rack: null)')).length).toBe(4);
  });

  test('dead instead: each client tries again, at first fast, then about once a second', () => {
    const { state, job } = outage('1.20.5', 'down');
    const tries = logLines(state).filter((line) => line.includes(`clientId=${GROUP}-0`) && line.includes('could not be established. Broker may not be available.'));
    expect(tries.length).toBeGreaterThan(38);
    expect(tries.length).toBeLessThan(56);
    expect(kafkaSourceReading(state, job, 0, 0).partitions.every((partition) => partition.lag === 0)).toBe(true);
  });
});

describe('a flaky network', () => {
  test('breaks connections as often as it should while a fetch is under way, each with a session of its own', () => {
    const { state, job } = runningJob({ flinkVersion: '1.9.3', source: { legacy: true }, topic: { rateSteps: flat(100) } });
    applyKafkaAction(state, { kind: 'set-kafka-flakiness', meanTimeBetweenDisconnectsMs: 20_000 });
    run(state, job, 2_000_000, 1000);
    const lines = disconnects(state);
    expect(lines.length).toBeGreaterThan(160);
    expect(lines.length).toBeLessThan(240);
    const sessions = new Set(lines.map((line) => /sessionId=(\d+)/.exec(line)![1]));
    expect(sessions.size).toBe(lines.length);
    expect(kafkaSourceReading(state, job, 0, 0).partitions.every((partition) => partition.lag < 50)).toBe(true);
    applyKafkaAction(state, { kind: 'set-kafka-flakiness', meanTimeBetweenDisconnectsMs: 0 });
    run(state, job, 200_000, 1000);
    expect(disconnects(state).length).toBe(lines.length);
  });

  test('is not needed where back pressure keeps the poll loop from its sockets for longer than the request time-out', () => {
    const slow = runningJob({ flinkVersion: '1.9.3', source: { legacy: true }, topic: { rateSteps: flat(60), recordBytes: 4000 } });
    run(slow.state, slow.job, 1_800_000, 6);
    expect(disconnects(slow.state).length).toBeGreaterThan(20);
    const lessSlow = runningJob({ flinkVersion: '1.9.3', source: { legacy: true }, topic: { rateSteps: flat(60), recordBytes: 4000 } });
    run(lessSlow.state, lessSlow.job, 1_800_000, 25);
    expect(disconnects(lessSlow.state)).toEqual([]);
  });
});

test('records are conserved: what is emitted is a prefix of what was offered, whatever is asked for', () => {
  const { state, job } = runningJob({ topic: { rateSteps: flat(3333), partitions: 7 }, parallelism: 3 });
  for (let i = 0; i < 500; i++) {
    state.nowMs += 100;
    tickKafka(state);
    for (let s = 0; s < 3; s++) {
      const there = availableRecords(state, job, 0, s);
      const before = consumedOffsets(state, job, 0).reduce((a, b) => a + b, 0);
      const { records } = takeRecords(state, job, 0, s, ((i * 37) % 200) + 0.3);
      expect(records).toBeLessThanOrEqual(there + 1e-6);
      expect(consumedOffsets(state, job, 0).reduce((a, b) => a + b, 0) - before).toBeCloseTo(records, 5);
    }
  }
  consumedOffsets(state, job, 0).forEach((offset, p) => expect(offset).toBeLessThanOrEqual(state.kafka.topics.get(TOPIC)!.endOffsets[p] + 1e-6));
});
