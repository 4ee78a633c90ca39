import { createEventQueue, laneOf, schedule } from './event-queue.js';
import { createJvm } from './jvm/index.js';
import { startCluster } from './faults/job-manager.js';
import { createKafkaState } from './kafka/index.js';
import { createLog } from './logs/append-log.js';
import { logRolling } from './logs/log-rolling.js';
import { startApplication } from './lifecycle/application.js';
import { logJobManagerStart } from './lifecycle/job-manager-start.js';
import { below } from './random.js';
import { createTaskManager, heartbeatIntervalMs, logTaskManagerStart, registerTaskManager, startUpDurationMs } from './lifecycle/task-managers.js';
import type { SimulationModel } from './model/simulation-model.js';
import type { SimulationState } from './state/simulation-state.js';
import { lifecycleOf } from './version.js';

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
      availability: 'LEADING',
      predecessors: 0,
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
  state.jobManager.log = createLog(logRolling(state));
  state.rpcEndpoints = lifecycleOf(state).startEndpoints.next;
  const { startUp } = model.cluster;
  if (startUp) {
    startCluster(state, startUp.jobManagerMs);
    startTaskManagersLater(state, startUp.taskManagersMs);
  } else {
    logJobManagerStart(state, startMs, startMs + 5_000);
    startApplication(state);
    startTaskManagers(state, startMs);
  }
  const interval = heartbeatIntervalMs(state);
  const phaseMs = below(interval, model.seed, 'heartbeat-phase');
  for (const taskManager of state.taskManagers.values()) taskManager.lastHeartbeatMs = Math.max(taskManager.registeredMs, model.startMs + phaseMs - interval);
  schedule(state.queue, model.startMs + phaseMs, 'lifecycle.heartbeat', null);
  model.jobs.forEach((submission, index) => schedule(state.queue, model.startMs + submission.atMs, 'scenario.submit', index, 'submissions'));
  model.events.forEach((event, index) => schedule(state.queue, model.startMs + event.atMs, 'scenario.event', index, laneOf(event)));
  return state;
}

function startTaskManagersLater(state: SimulationState, afterMs: readonly number[]): void {
  for (const [index, model] of state.model.cluster.taskManagers.entries()) {
    const taskManager = createTaskManager(state, model, index, state.nowMs);
    const registeredMs = state.nowMs + (afterMs[index] ?? afterMs.at(-1) ?? startUpDurationMs(state, index));
    state.taskManagers.set(taskManager.id, taskManager);
    logTaskManagerStart(state, taskManager, registeredMs - 150);
    schedule(state.queue, registeredMs, 'lifecycle.task-manager-started', { id: taskManager.id });
  }
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
