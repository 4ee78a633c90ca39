import { blobServerPort } from './blob-server.js';
import { shownValue } from '../versions/flink-options.js';
import { createEventQueue, schedule } from './event-queue.js';
import { createJvm } from './jvm/index.js';
import { createKafkaState } from './kafka/index.js';
import { createLog } from './logs/append-log.js';
import { durationOption } from './options.js';
import { below, uuid } from './random.js';
import { buildValues, createTaskManager, heartbeatIntervalMs, logStartUp, logTaskManagerStart, registerTaskManager, startUpDurationMs } from './lifecycle/task-managers.js';
import { logValues } from './lifecycle/names.js';
import type { SimulationModel } from './model/simulation-model.js';
import type { SimulationState } from './state/simulation-state.js';
import { lifecycleOf, versionOf } from './version.js';
import type { LogLineName } from '../versions/log-lines.js';

const MIB = 1024 * 1024;
/** The processes were started so long before the simulation begins; all of them are registered when it does. */
const STARTED_BEFORE_MS = 12_000;

/** A cluster as it is when the simulation begins: processes up, nothing submitted; the model's jobs and events are scheduled. */
export function createSimulationState(model: SimulationModel): SimulationState {
  const { jobManager } = model.cluster;
  const startMs = model.startMs - STARTED_BEFORE_MS;
  const state: SimulationState = {
    model,
    nowMs: model.startMs,
    ticks: 0,
    options: { ...model.options },
    queue: createEventQueue(),
    jobManager: {
      host: jobManager.host,
      rpcPort: jobManager.rpcPort,
      restPort: jobManager.restPort,
      startMs,
      jvm: createJvm(model, 'jobmanager', startMs, jobManager.heapMaxBytes, 0),
      log: createLog(),
      stdout: createLog(),
    },
    taskManagers: new Map(),
    jobs: new Map(),
    kafka: createKafkaState(model),
    checkpointStorage: { bytesPerSecond: null, latencyMs: 0, failing: false, existingPaths: [], snapshots: new Map() },
    operations: new Map(),
    rpcEndpoints: 0,
    idSequence: 0,
    revision: 0,
  };
  state.rpcEndpoints = lifecycleOf(state).startEndpoints.next;
  logJobManagerStart(state, startMs, startMs + 5_000);
  startTaskManagers(state, startMs);
  const interval = heartbeatIntervalMs(state);
  const phaseMs = below(interval, model.seed, 'heartbeat-phase');
  for (const taskManager of state.taskManagers.values()) taskManager.lastHeartbeatMs = Math.max(taskManager.registeredMs, model.startMs + phaseMs - interval);
  schedule(state.queue, model.startMs + phaseMs, 'lifecycle.heartbeat', null);
  model.jobs.forEach((submission, index) => schedule(state.queue, model.startMs + submission.atMs, 'scenario.submit', index));
  model.events.forEach((event, index) => schedule(state.queue, model.startMs + event.atMs, 'scenario.event', index));
  return state;
}

function startTaskManagers(state: SimulationState, startMs: number): void {
  // The JobManager lists task managers in the order in which they registered: the model's, so that a scenario decides who comes first.
  let registeredMs = startMs + 5_000 + startUpDurationMs(state, 0);
  for (const [index, model] of state.model.cluster.taskManagers.entries()) {
    const taskManager = createTaskManager(state, model, index, startMs + 200);
    registeredMs = Math.min(registeredMs + below(150, state.model.seed, 'registered', index), state.model.startMs - 500);
    state.taskManagers.set(taskManager.id, taskManager);
    logTaskManagerStart(state, taskManager, registeredMs - 150);
    registerTaskManager(state, taskManager, registeredMs);
  }
}

function logJobManagerStart(state: SimulationState, fromMs: number, toMs: number): void {
  const { host, rpcPort, restPort, log } = state.jobManager;
  const { seed, options } = state.model;
  const values: Record<string, string | number> = {
    ...logValues(state),
    ...buildValues(state),
    heapMiB: Math.round(state.jobManager.jvm.heapMaxBytes / MIB),
    directory: options['io.tmp.dirs'] ?? '/tmp',
    uuid: uuid(seed, 'store'),
    expiration: durationOption(options, 'jobstore.expiration-time', 3_600_000, 1000),
  };
  const rest = { ...values, host, port: restPort };
  const lines: [LogLineName, Record<string, string | number>][] = [
    ...(['jmRule', 'jmStarting', 'jmUser', 'jmHadoopUser', 'jmJvm', 'jmArch', 'jmHeap', 'jmJavaHome', 'jmNoHadoop', 'jmJvmOptions', 'jmHeapOption', 'jmRule', 'jmSignals'] as const).map((name): [LogLineName, typeof values] => [name, values]),
    ...Object.entries(options).map(([key, value]): [LogLineName, Record<string, string>] => ['loadingProperty', { key, value: shownValue(key, value, versionOf(state)) }]),
    ...(['jmEntrypoint', 'jmFileSystem', 'jmSecurity', 'jmServices', 'startingActorSystem', 'slf4jStarted', 'startingRemoting', 'remotingStarted', 'actorSystemStarted'] as const).map((name): [LogLineName, typeof values] => [name, { ...values, port: rpcPort }]),
    ['blobServer', { port: blobServerPort(state.model) }],
    ['noReporter', values],
    ['jobStore', values],
    ['startingRest', rest],
    ['restListening', rest],
    ['restLeadership', rest],
    ['webFrontend', rest],
    ['startingResourceManagerEndpoint', { ...values, resourceManager: lifecycleOf(state).startEndpoints.resourceManager }],
    ['startingDispatcherEndpoint', { ...values, dispatcher: lifecycleOf(state).startEndpoints.dispatcher }],
    ['resourceManagerLeadership', { ...values, resourceManager: lifecycleOf(state).startEndpoints.resourceManager }],
    ['startingSlotManager', values],
    ['recoveringJobs', values],
  ];
  logStartUp(state, log, lines, fromMs, toMs);
}
