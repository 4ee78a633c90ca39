import { JVM_VERSION } from '../../versions/distribution.js';
import { shownValue } from '../../versions/flink-options.js';
import { schedule } from '../event-queue.js';
import { createJvm } from '../jvm/index.js';
import { appendLog, createLog } from '../logs/append-log.js';
import { lineIn, type LogLineName } from '../../versions/log-lines.js';
import { flinkRelease } from '../../versions/flink-releases.js';
import { durationOption } from '../options.js';
import { hex, logNormal } from '../random.js';
import type { TaskManagerModel } from '../model/simulation-model.js';
import type { TaskManagerState } from '../state/cluster-state.js';
import type { LogState } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf, versionOf } from '../version.js';
import { logLine, logRolling } from '../logs/index.js';
import { logValues } from './names.js';
import { reporterLines } from './reporter-lines.js';
import { serveWaitingJobs } from './scheduling.js';

/** A task manager that finds no resource manager tries again after so long. */
export const REGISTRATION_RETRY_MS = 10_000;
const SEGMENT_BYTES = 32_768;
const MIB = 1024 * 1024;

/** A task manager's process that starts at `startMs`; not known to the JobManager yet. */
export function createTaskManager(state: SimulationState, model: TaskManagerModel, index: number, startMs: number): TaskManagerState {
  const { seed } = state.model;
  const id = model.id ?? (lifecycleOf(state).resourceIdIsAddress ? `${model.host}:${model.rpcPort}-${hex(6, seed, 'resource-id', index)}` : hex(32, seed, 'resource-id', index));
  const { memory } = model;
  return {
    id,
    host: model.host,
    rpcPort: model.rpcPort,
    dataPort: model.dataPort,
    jmxPort: -1,
    status: 'STARTING',
    startMs,
    registeredMs: -1,
    lastHeartbeatMs: -1,
    cpuCores: model.cpuCores,
    physicalMemoryBytes: model.physicalMemoryBytes,
    memory,
    slots: Array.from({ length: model.slots }, (_, slot) => ({ index: slot, jobId: null, slotSharingGroup: null, allocationId: null })),
    totalMemorySegments: Math.floor(memory.networkBytes / SEGMENT_BYTES),
    usedMemorySegments: 0,
    jvm: createJvm(state.model, 'taskmanager', startMs, memory.frameworkHeapBytes + memory.taskHeapBytes, memory.networkBytes),
    log: createLog(logRolling(state)),
    stdout: createLog(),
  };
}

/** How long a task manager's process needs until it is registered, ms. */
export function startUpDurationMs(state: SimulationState, index: number): number {
  return Math.round(logNormal(4_800, 0.1, state.model.seed, 'start-up', index));
}

/** Writes lines in the order given, spread over the time from `fromMs` to `toMs`. */
export function logStartUp(state: SimulationState, log: LogState, lines: readonly (readonly [LogLineName, Record<string, string | number>])[], fromMs: number, toMs: number): void {
  lines.forEach(([name, values], i) => {
    const line = lineIn(name, versionOf(state));
    const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? `{${key}}`));
    if (line) appendLog(log, Math.round(fromMs + ((toMs - fromMs) * i) / lines.length), line.level, filled(line.logger), filled(line.text));
  });
}

/** What both kinds of process say of their build. */
export function buildValues(state: SimulationState): Record<string, string> {
  const version = versionOf(state);
  const release = flinkRelease(version);
  return { version: version.full, scala: '2.12', revision: release.commit, built: release.commitTime, jvm: JVM_VERSION };
}

/** The lines of the process from its start to the moment before it registers. */
export function logTaskManagerStart(state: SimulationState, taskManager: TaskManagerState, untilMs: number): void {
  const { host, dataPort, rpcPort, memory } = taskManager;
  const common = logValues(state);
  const values = {
    ...common,
    ...buildValues(state),
    host,
    port: 0,
    rpcPort,
    dataPort,
    jmHost: state.jobManager.host,
    jmPort: state.jobManager.rpcPort,
    heapMiB: Math.round(taskManager.jvm.heapMaxBytes / MIB),
    networkMiB: Math.round(memory.networkBytes / MIB),
    segments: taskManager.totalMemorySegments,
    taskManager: taskManager.id,
    ms: 153,
  };
  const lines: [LogLineName, Record<string, string | number>][] = [
    ['tmRule', values],
    ['tmStarting', values],
    ['tmJvm', values],
    ['tmHeap', values],
    ['tmJvmOptions', values],
    ['tmHeapOption', values],
    ['tmRule', values],
    ['tmSignals', values],
    ['tmFileDescriptors', values],
    ...Object.entries(state.options).map(([key, value]): [LogLineName, Record<string, string | number>] => ['loadingProperty', { key, value: shownValue(key, value, versionOf(state)) }]),
    ['tmAddress', values],
    ['startingActorSystem', values],
    ['slf4jStarted', values],
    ['startingRemoting', values],
    ['remotingStarted', { ...values, port: rpcPort }],
    ['actorSystemStarted', { ...values, port: rpcPort }],
    ...reporterLines(state.options),
    ['tmResourceId', values],
    ['tmNetworkPool', values],
    ['tmNetworkEnvironment', values],
    ['tmNettyServer', values],
    ['tmKvState', values],
    ['tmEndpoint', values],
    ['tmLeaderService', values],
    ['tmConnecting', values],
    ['tmResolved', values],
  ];
  logStartUp(state, taskManager.log, lines, taskManager.startMs, untilMs);
}

/** The resource manager knows the task manager from `timeMs` on. */
export function registerTaskManager(state: SimulationState, taskManager: TaskManagerState, timeMs: number): void {
  taskManager.status = 'REGISTERED';
  taskManager.registeredMs = timeMs;
  taskManager.lastHeartbeatMs = timeMs;
  state.revision++;
  const values = {
    ...logValues(state),
    taskManager: taskManager.id,
    jmHost: state.jobManager.host,
    jmPort: state.jobManager.rpcPort,
    registration: registrationId(state, taskManager),
  };
  logLine(state, state.jobManager.log, 'registeringTaskManager', { ...values, host: taskManager.host, rpcPort: taskManager.rpcPort }, { timeMs });
  logLine(state, state.jobManager.log, 'registeringTaskExecutor', values, { timeMs });
  logLine(state, taskManager.log, 'tmRegistered', values, { timeMs });
}

export function registrationId(state: SimulationState, taskManager: TaskManagerState): string {
  return hex(32, state.model.seed, 'registration', taskManager.id);
}

/** The end of a new task manager's start: jobs that wait for slots get them. */
export function onTaskManagerStarted(state: SimulationState, id: string): void {
  const taskManager = state.taskManagers.get(id);
  if (taskManager?.status !== 'STARTING') return;
  if (state.jobManager.availability !== 'LEADING') {
    schedule(state.queue, state.nowMs + REGISTRATION_RETRY_MS, 'lifecycle.task-manager-started', { id });
    return;
  }
  registerTaskManager(state, taskManager, state.nowMs);
  serveWaitingJobs(state);
}

/** More task managers like the last one of the model. Their processes start now. */
export function addTaskManagers(state: SimulationState, count: number): void {
  const { taskManagers } = state.model.cluster;
  const template = taskManagers.at(-1);
  if (!template) return;
  for (let i = 0; i < count; i++) {
    const number = taskManagers.length + state.idSequence++;
    const model: TaskManagerModel = { ...template, id: template.id === null ? null : nextContainerId(state, template.id), rpcPort: freePort(state, template.rpcPort, 'rpcPort'), dataPort: freePort(state, template.dataPort, 'dataPort') };
    const taskManager = createTaskManager(state, model, number, state.nowMs);
    const registeredMs = state.nowMs + startUpDurationMs(state, number);
    state.taskManagers.set(taskManager.id, taskManager);
    logTaskManagerStart(state, taskManager, registeredMs - 200);
    schedule(state.queue, registeredMs, 'lifecycle.task-manager-started', { id: taskManager.id });
  }
}

/** `container_…_000004` → the next number that is not in use. */
function nextContainerId(state: SimulationState, id: string): string {
  const match = /^(.*?)(\d+)$/.exec(id);
  const [stem, digits] = match ? [match[1], match[2]] : [`${id}-`, '1'];
  for (let n = Number(digits) + 1; ; n++) {
    const candidate = `${stem}${String(n).padStart(digits.length, '0')}`;
    if (!state.taskManagers.has(candidate)) return candidate;
  }
}

function freePort(state: SimulationState, port: number, kind: 'rpcPort' | 'dataPort'): number {
  const used = new Set([...state.taskManagers.values()].map((taskManager) => taskManager[kind]));
  let candidate = port;
  while (used.has(candidate)) candidate += 1 + (candidate % 7);
  return candidate;
}

/** The resource manager's heartbeats: every live task manager answers. */
export function onHeartbeat(state: SimulationState): void {
  if (state.jobManager.availability === 'LEADING') for (const taskManager of state.taskManagers.values()) if (taskManager.status === 'REGISTERED' && (taskManager.silentUntilMs ?? 0) <= state.nowMs) taskManager.lastHeartbeatMs = state.nowMs;
  scheduleHeartbeat(state);
}

export function heartbeatIntervalMs(state: SimulationState): number {
  return Math.max(100, durationOption(state.options, 'heartbeat.interval', 10_000));
}

export function scheduleHeartbeat(state: SimulationState): void {
  schedule(state.queue, state.nowMs + heartbeatIntervalMs(state), 'lifecycle.heartbeat', null);
}
