import { uniform } from '../random.js';
import { Histogram } from './histogram.js';
import { minuteIncrease } from './meter-view.js';
import type { TaskView } from './vertex-view.js';

/** Flink puts a mail into the mailbox every second and measures how long it lies there; the last 60 count. */
const SAMPLES = 60;
/** Longest wait for a buffer that is taken for one wait. */
const LONGEST_WAIT_MS = 10_000;
const SEGMENT_BYTES = 32_768;
/** A mail of an idle task waits for a thread switch. */
const SLOW_WAKE_UP_SHARE = 0.15;

/** How long mails wait: what the thread is at decides it. Samples stay as they are while the seconds pass over them. */
export function mailboxLatency(task: TaskView): Histogram {
  const { vertex, subtask } = task;
  const { idle, busy, blocked, totalMs } = threadTimes(task);
  const count = Math.min(SAMPLES, Math.floor(totalMs / 1000));
  if (count === 0) return new Histogram([]);
  const recordMs = recordTimeMs(task);
  const buffersOut = Math.max(minuteIncrease(vertex.windows, 'numBuffersOut', subtask), minuteIncrease(vertex.windows, 'numBytesOut', subtask) / SEGMENT_BYTES);
  const bufferMs = Math.min(LONGEST_WAIT_MS, Math.min(60_000, totalMs) / Math.max(1, buffersOut));
  const second = Math.floor(vertex.atMs / 1000);
  const samples = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const found = uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, second - i, 'mailbox state') * (idle + busy + blocked);
    const luck = uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, second - i, 'mailbox wait');
    if (found < blocked) samples[i] = Math.floor(Math.min(LONGEST_WAIT_MS, -Math.log(1 - luck) * bufferMs));
    else if (found < blocked + busy) samples[i] = Math.floor(luck * recordMs);
    else samples[i] = luck < SLOW_WAKE_UP_SHARE ? 1 : 0;
  }
  return new Histogram(samples, Math.floor(totalMs / 1000));
}

/** Mails a second: the measuring ones, two a checkpoint, and one each time that data wakes an idle task. */
export function mailboxMailsPerSecond(task: TaskView): number {
  const { vertex, subtask } = task;
  const { idle, busy, blocked, totalMs } = threadTimes(task);
  if (totalMs === 0) return 0;
  const seconds = Math.min(60, totalMs / 1000);
  const latencyMs = mailboxLatency(task).statistic('mean');
  const measuring = 1000 / (1000 + (Number.isNaN(latencyMs) ? 0 : latencyMs));
  const checkpoints = vertex.checkpointIntervalMs > 0 ? 2000 / vertex.checkpointIntervalMs : 0;
  const buffers = (minuteIncrease(vertex.windows, 'numBuffersInLocal', subtask) + minuteIncrease(vertex.windows, 'numBuffersInRemote', subtask)) / seconds;
  const mails = (measuring + checkpoints + (buffers * idle) / Math.max(1, idle + busy + blocked)) * seconds;
  return Math.round(mails) / 60;
}

interface ThreadTimes {
  readonly idle: number;
  readonly busy: number;
  readonly blocked: number;
  /** Since the attempt runs. */
  readonly totalMs: number;
}

function threadTimes({ vertex, subtask }: TaskView): ThreadTimes {
  const { windows, columns } = vertex;
  const lately = {
    idle: minuteIncrease(windows, 'idleMs', subtask),
    busy: minuteIncrease(windows, 'busyMs', subtask),
    blocked: minuteIncrease(windows, 'softBackPressuredMs', subtask) + minuteIncrease(windows, 'hardBackPressuredMs', subtask),
  };
  const totalMs = columns.idleMs[subtask] + columns.busyMs[subtask] + columns.softBackPressuredMs[subtask] + columns.hardBackPressuredMs[subtask];
  return { ...lately, totalMs };
}

/** Time that the chain's thread spends on a record that comes in. */
function recordTimeMs({ vertex }: TaskView): number {
  let reaching = 1;
  let us = 0;
  for (const operator of vertex.model.operators) {
    us += reaching * operator.serviceTimeUs;
    reaching *= operator.selectivity;
  }
  return us / 1000;
}
