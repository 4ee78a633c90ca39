import type { JobVertexModel } from '../model/job-model.js';
import type { SimulationModel } from '../model/simulation-model.js';
import type { JvmState } from '../state/cluster-state.js';
import { EXECUTION_STATE_INDEX } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { uniform } from '../random.js';
import { parseFlinkVersion, valueIn } from '../../versions/flink-versions.js';
import { GARBAGE_COLLECTORS, JVM_BASELINE, type ProcessBaseline } from '../../versions/jvm-baseline.js';
import { threadCounts } from '../threads/thread-count.js';
import { allocate } from './heap.js';
import { sinceStartMs } from '../since-start.js';

/** Processes are looked at so often: nothing reads them faster than the metric fetcher does. */
const INTERVAL_MS = 1_000;
const SEGMENT_BYTES = 32_768;
/** Fitted to recorded processes: what an idle process allocates, and what a record costs beyond its bytes. */
const IDLE_ALLOCATION_BYTES_PER_MS = 900;
const ALLOCATION_PER_RECORD_BYTES = 350;
const ALLOCATION_PER_BYTE = 0.7;
/** Share of one core that an idle process takes; the metric system, heartbeats and the REST server need it. */
const IDLE_CPU_CORES = 0.03;
/** Time in which the code cache warms up. */
const WARM_UP_MS = 300_000;
/** Objects of keyed state on the heap need so much more than their serialized form. */
const HEAP_STATE_FACTOR = 1.6;

/** The JVM of a process that has just started. `networkBytes` is 0 for a job manager. */
export function createJvm(model: SimulationModel, kind: JvmState['kind'], startMs: number, heapMaxBytes: number, networkBytes: number): JvmState {
  const baseline = baselineOf(model, kind);
  const names = valueIn(GARBAGE_COLLECTORS, parseFlinkVersion(model.flinkVersion)!);
  const jvm: JvmState = {
    kind,
    atMs: startMs,
    heapUsedBytes: 0,
    heapCommittedBytes: Math.min(heapMaxBytes, baseline.heapCommittedBytes),
    heapMaxBytes,
    nonHeapUsedBytes: 0,
    nonHeapCommittedBytes: 0,
    nonHeapMaxBytes: -1,
    metaspaceUsedBytes: 0,
    metaspaceCommittedBytes: 0,
    metaspaceMaxBytes: -1,
    directCount: baseline.directCount + Math.floor(networkBytes / SEGMENT_BYTES),
    directUsedBytes: baseline.directBytes + networkBytes,
    mappedCount: 0,
    mappedUsedBytes: 0,
    threads: 0,
    classesLoaded: baseline.classes,
    classesUnloaded: 0,
    cpuLoad: 0,
    cpuTimeNs: baseline.startCpuMs * 1e6,
    collectors: names.map((name) => ({ name, count: name === 'G1_Old_Generation' ? 0 : baseline.startCollections, timeMs: name === 'G1_Old_Generation' ? 0 : baseline.startCollectionMs })),
    allocatedSinceGcBytes: 0,
    oldGarbageBytes: 0,
    seenRecords: 0,
    seenBytes: 0,
    seenCpuMs: 0,
    jobsSeen: 0,
  };
  updateNonHeap(jvm, baseline, startMs, startMs);
  allocate(jvm, { bytes: 4e6, liveBytes: baseline.liveHeapBytes, elapsedMs: 1, jitter: 0.5 });
  return jvm;
}

/** A Java process's memory, collections and processor time follow what its tasks did. */
export function tickJvm(state: SimulationState): void {
  if (state.nowMs - state.jobManager.jvm.atMs < INTERVAL_MS) return;
  const loads = loadByTaskManager(state);
  const threads = threadCounts(state);
  for (const taskManager of state.taskManagers.values()) {
    if (taskManager.status === 'LOST' || taskManager.startMs > state.nowMs) continue;
    const load = loads.get(taskManager.id) ?? NO_LOAD;
    advance(state, taskManager.jvm, taskManager.id, taskManager.startMs, load, taskManager.cpuCores);
    taskManager.jvm.threads = threads.get(taskManager.id) ?? 0;
  }
  advance(state, state.jobManager.jvm, 'jobmanager', state.jobManager.startMs, jobManagerLoad(state), state.taskManagers.values().next().value?.cpuCores ?? 1);
  state.jobManager.jvm.threads = threads.get('jobmanager') ?? 0;
}

interface ProcessLoad {
  records: number;
  bytes: number;
  cpuMs: number;
  heapStateBytes: number;
  jobs: number;
}

const NO_LOAD: Readonly<ProcessLoad> = { records: 0, bytes: 0, cpuMs: 0, heapStateBytes: 0, jobs: 0 };

/** Sums over the tasks of each task manager. */
function loadByTaskManager(state: SimulationState): Map<string, ProcessLoad> {
  const loads = new Map<string, ProcessLoad>();
  for (const job of state.jobs.values()) {
    const onHeap = (job.model.checkpointing?.stateBackend ?? 'hashmap') === 'hashmap';
    const here = new Set<string>();
    for (const vertex of job.vertices) {
      const { columns, model } = vertex;
      const head = model.operators[0].source === null ? 'numRecordsIn' : 'sourceRecordsIn';
      const cpuUs = cpuTimeUs(model);
      for (const { index, current } of vertex.subtasks) {
        if (current.taskManagerId === null || current.timestamps[EXECUTION_STATE_INDEX.RUNNING] === 0) continue;
        let load = loads.get(current.taskManagerId);
        if (load === undefined) loads.set(current.taskManagerId, (load = { ...NO_LOAD }));
        load.records += columns.numRecordsIn[index] + columns.numRecordsOut[index];
        load.bytes += columns.numBytesInLocal[index] + columns.numBytesInRemote[index] + columns.numBytesOut[index];
        load.cpuMs += (columns[head][index] * cpuUs) / 1000;
        if (current.state !== 'RUNNING') continue;
        if (onHeap) load.heapStateBytes += columns.stateBytes[index];
        here.add(current.taskManagerId);
      }
    }
    for (const id of here) loads.get(id)!.jobs++;
  }
  return loads;
}

/** Time in which the chain computes for a record that enters it: a thread that waits for an answer, a lock or a buffer takes no processor. */
function cpuTimeUs({ operators }: JobVertexModel): number {
  let reaching = 1;
  let us = 0;
  for (const { serviceTimeUs, cpuShare = 1, selectivity } of operators) {
    us += reaching * serviceTimeUs * cpuShare;
    reaching *= selectivity;
  }
  return us;
}

/** The job manager works for each running job's heartbeats, metrics and checkpoints. */
function jobManagerLoad(state: SimulationState): ProcessLoad {
  let jobs = 0;
  let acknowledged = 0;
  for (const job of state.jobs.values()) {
    if (job.endMs < 0) jobs++;
    acknowledged += (job.checkpoints?.counts.total ?? 0) * job.vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  }
  return { records: acknowledged, bytes: acknowledged * 2_000, cpuMs: acknowledged * 0.3, heapStateBytes: state.jobs.size * 1e6, jobs };
}

function advance(state: SimulationState, jvm: JvmState, processId: string, startMs: number, load: ProcessLoad, cores: number): void {
  const elapsedMs = state.nowMs - jvm.atMs;
  if (elapsedMs <= 0) return;
  const baseline = baselineOf(state.model, jvm.kind);
  const records = growth(jvm.seenRecords, load.records);
  const bytes = growth(jvm.seenBytes, load.bytes);
  const usedCores = growth(jvm.seenCpuMs, load.cpuMs) / elapsedMs;
  jvm.atMs = state.nowMs;
  jvm.seenRecords = load.records;
  jvm.seenBytes = load.bytes;
  jvm.seenCpuMs = load.cpuMs;
  if (load.jobs > jvm.jobsSeen) {
    jvm.classesLoaded += baseline.classesPerJob * (load.jobs - jvm.jobsSeen);
    jvm.jobsSeen = load.jobs;
  }
  const jitter = uniform(state.model.seed, 'jvm', processId, sinceStartMs(state));
  allocate(jvm, {
    bytes: elapsedMs * IDLE_ALLOCATION_BYTES_PER_MS * (0.5 + jitter) + records * ALLOCATION_PER_RECORD_BYTES + bytes * ALLOCATION_PER_BYTE,
    liveBytes: baseline.liveHeapBytes + load.heapStateBytes * HEAP_STATE_FACTOR + jvm.jobsSeen * 3e6,
    elapsedMs,
    jitter,
  });
  updateNonHeap(jvm, baseline, startMs, state.nowMs);
  jvm.cpuLoad = Math.min(1, (usedCores + IDLE_CPU_CORES * (0.5 + jitter)) / Math.max(1, cores));
  jvm.cpuTimeNs += Math.round((jvm.cpuLoad * Math.max(1, cores) * elapsedMs) / 10) * 1e7;
}

/** Counters start at 0 again with a new attempt. */
function growth(before: number, now: number): number {
  return now >= before ? now - before : 0;
}

function updateNonHeap(jvm: JvmState, baseline: ProcessBaseline, startMs: number, nowMs: number): void {
  const warmth = 1 - Math.exp(-(nowMs - startMs) / WARM_UP_MS);
  const shareOfFirstJob = jvm.jobsSeen === 0 ? 0 : 1 + 0.1 * (jvm.jobsSeen - 1);
  const page = (bytes: number) => Math.ceil(bytes / 65_536) * 65_536;
  jvm.metaspaceUsedBytes = Math.floor(baseline.metaspaceBytes + shareOfFirstJob * baseline.metaspacePerJobBytes + warmth * 2e6);
  jvm.metaspaceCommittedBytes = page(jvm.metaspaceUsedBytes * 1.012);
  const codeBytes = baseline.codeBytes + warmth * (baseline.warmCodeBytes - baseline.codeBytes);
  jvm.nonHeapUsedBytes = Math.floor(jvm.metaspaceUsedBytes + codeBytes);
  jvm.nonHeapCommittedBytes = page(jvm.metaspaceCommittedBytes + codeBytes * 1.12);
}

function baselineOf(model: SimulationModel, kind: JvmState['kind']): ProcessBaseline {
  const { jobManager, taskManager } = valueIn(JVM_BASELINE, parseFlinkVersion(model.flinkVersion)!);
  return kind === 'jobmanager' ? jobManager : taskManager;
}
