import { suspendScheduler } from '../checkpoints/scheduler.js';
import { schedule } from '../event-queue.js';
import { createJvm } from '../jvm/index.js';
import { isApplicationCluster, MAIN_METHOD_MS, startApplication } from '../lifecycle/application.js';
import { hasHighAvailability } from '../lifecycle/high-availability.js';
import { logJobManagerStart } from '../lifecycle/job-manager-start.js';
import { isGloballyTerminal } from '../lifecycle/job-status.js';
import { logValues } from '../lifecycle/names.js';
import { suspendJob } from '../lifecycle/suspension.js';
import { recover } from '../lifecycle/submission.js';
import { REGISTRATION_RETRY_MS } from '../lifecycle/task-managers.js';
import { createLog } from '../logs/append-log.js';
import { logLine, logRolling } from '../logs/index.js';
import { durationOption } from '../options.js';
import { below, uuid } from '../random.js';
import type { JobManagerAvailability, TaskManagerState } from '../state/cluster-state.js';
import type { LogState } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { sinceStartMs } from '../since-start.js';

/** From the old leader's session having run out until the new one leads: that long REST knows no leader. */
const ELECTION_MS = 400;

function sessionTimeoutMs(state: SimulationState): number {
  return durationOption(state.options, 'high-availability.zookeeper.client.session-timeout', 60_000);
}

/** A step of an outage comes only if no later outage has begun. */
interface OutageEvent {
  readonly predecessors: number;
  /** The next leader takes the jobs over. */
  readonly recovers: boolean;
}

function become(state: SimulationState, availability: JobManagerAvailability): void {
  state.jobManager.availability = availability;
  state.revision++;
}

function later(state: SimulationState, atMs: number, kind: string, recovers: boolean): void {
  schedule(state.queue, atMs, kind, { predecessors: state.jobManager.predecessors, recovers } satisfies OutageEvent);
}

/** The job manager's process is killed, now, and started again after `restartAfterMs`. */
export function crashJobManager(state: SimulationState, restartAfterMs: number): void {
  const { nowMs } = state;
  const recovers = hasHighAvailability(state);
  beginOutage(state, 'DOWN');
  if (!recovers) forgetJobs(state);
  const { rest, leader, resourceManager } = lifecycleOf(state).jobManagerStartUpMs;
  const restMs = nowMs + restartAfterMs + rest;
  later(state, restMs, 'fault.job-manager-rest', recovers);
  // With high availability the crashed leader's lock must run out first.
  const leaderMs = recovers ? Math.max(restMs + leader, nowMs + sessionTimeoutMs(state)) : restMs + leader;
  later(state, leaderMs, 'fault.job-manager-leads', recovers);
  if (recovers) return;
  if (resourceManager > 0) later(state, leaderMs + resourceManager, 'fault.resource-manager-leads', recovers);
  loseTaskManagers(state);
}

/** The program of the cluster is over, and with it the job manager's process; nobody starts it again. */
export function endCluster(state: SimulationState): void {
  beginOutage(state, 'DOWN');
  loseTaskManagers(state);
}

/** The leader dies, now; the job manager that stands by is asked from now on and leads when the leader's session has run out. */
export function failOverJobManager(state: SimulationState): void {
  beginOutage(state, 'LEADER_LOST');
  const electionMs = state.nowMs + sessionTimeoutMs(state);
  later(state, electionMs, 'fault.election', true);
  later(state, electionMs + ELECTION_MS, 'fault.job-manager-leads', true);
}

/** The leader loses its leadership, now, and has it again after `forMs`: its process stays, its jobs are suspended and recovered. */
export function revokeLeadership(state: SimulationState, forMs: number): void {
  if (state.jobManager.availability !== 'LEADING') return;
  const { log } = state.jobManager;
  const values = { ...logValues(state), session: uuid(state.model.seed, 'session', state.jobManager.predecessors), restPort: state.jobManager.restPort };
  for (const line of ['restLostLeadership', 'dispatcherRevoked', 'stoppingDispatcherProcess', 'resourceManagerRevoked'] as const) logLine(state, log, line, values);
  for (const job of state.jobs.values()) if (!isGloballyTerminal(job.status)) suspendJob(state, job);
  beginOutage(state, 'ELECTING');
  later(state, state.nowMs + forMs, 'fault.job-manager-leads', true);
}

function beginOutage(state: SimulationState, availability: JobManagerAvailability): void {
  for (const job of state.jobs.values()) if (!isGloballyTerminal(job.status)) suspendScheduler(state, job);
  state.jobManager.predecessors++;
  state.operations.clear();
  delete state.profilings;
  // A new leader never hears of a task manager that died before.
  for (const taskManager of [...state.taskManagers.values()]) if (taskManager.status === 'LOST') state.taskManagers.delete(taskManager.id);
  become(state, availability);
}

function forgetJobs(state: SimulationState): void {
  for (const id of [...state.jobs.keys()]) state.jobs.delete(id);
}

/** Task managers notice the loss when the job manager's heartbeats have not come for the time-out, and look for it again and again. */
function loseTaskManagers(state: SimulationState): void {
  const timeoutMs = durationOption(state.options, 'heartbeat.timeout', 50_000);
  for (const taskManager of state.taskManagers.values()) {
    const started = taskManager.status === 'REGISTERED';
    taskManager.status = 'STARTING';
    if (started) schedule(state.queue, taskManager.lastHeartbeatMs + timeoutMs + below(200, state.model.seed, 'reconnect', taskManager.id, sinceStartMs(state)), 'fault.task-manager-reconnects', { id: taskManager.id });
  }
}

/** A task manager that was without a leader finds one. It still holds the slots of jobs that nobody knows, until they time out. */
export function onTaskManagerReconnects(state: SimulationState, { id }: { readonly id: string }): void {
  const taskManager = state.taskManagers.get(id);
  if (taskManager?.status !== 'STARTING') return;
  logReconnection(state, taskManager);
  if (state.jobManager.availability !== 'LEADING') {
    schedule(state.queue, state.nowMs + REGISTRATION_RETRY_MS, 'fault.task-manager-reconnects', { id });
    return;
  }
  schedule(state.queue, state.nowMs, 'lifecycle.task-manager-started', { id });
  schedule(state.queue, state.nowMs + durationOption(state.options, 'taskmanager.slot.timeout', 10_000), 'fault.slots-time-out', { id });
}

/** Slots whose job is unknown are given back. */
export function onSlotsTimeOut(state: SimulationState, { id }: { readonly id: string }): void {
  const taskManager = state.taskManagers.get(id);
  if (!taskManager) return;
  freeSlots(state, taskManager, (jobId) => !state.jobs.has(jobId));
  state.revision++;
}

function freeSlots(state: SimulationState, taskManager: TaskManagerState, isLost: (jobId: string) => boolean): void {
  const lost = new Set(taskManager.slots.flatMap(({ jobId }) => (jobId !== null && isLost(jobId) ? [jobId] : [])));
  for (const slot of taskManager.slots) {
    if (slot.jobId === null || !lost.has(slot.jobId)) continue;
    slot.jobId = null;
    slot.slotSharingGroup = null;
    slot.allocationId = null;
  }
  for (const id of lost) for (const line of ['removeJobMonitoring', 'closeJobManager'] as const) logLine(state, taskManager.log, line, { id });
}

function logReconnection(state: SimulationState, taskManager: TaskManagerState): void {
  const { host, rpcPort } = state.jobManager;
  const values = { ...logValues(state), taskManager: taskManager.id, jmHost: host, jmPort: rpcPort };
  for (const line of ['tmConnecting', 'tmResolved'] as const) logLine(state, taskManager.log, line, values);
}

/** The new process listens; it knows no leader yet. */
export function onJobManagerRest(state: SimulationState, event: OutageEvent): void {
  if (event.predecessors !== state.jobManager.predecessors) return;
  const { jobManager, model } = state;
  const { rest } = lifecycleOf(state).jobManagerStartUpMs;
  startProcess(state, state.nowMs - rest, jobManager.log);
  jobManager.jvm = createJvm(model, 'jobmanager', jobManager.startMs, jobManager.jvm.heapMaxBytes, 0);
  become(state, 'ELECTING');
}

/** `before`: log of the process of the same machine that was there before. */
function startProcess(state: SimulationState, startMs: number, before?: LogState): void {
  const { jobManager } = state;
  jobManager.startMs = startMs;
  jobManager.log = createLog(logRolling(state), before);
  jobManager.stdout = createLog();
  logJobManagerStart(state, startMs, state.nowMs);
  state.rpcEndpoints = lifecycleOf(state).startEndpoints.next;
}

/** The old leader's session is over. */
export function onElection(state: SimulationState, event: OutageEvent): void {
  if (event.predecessors !== state.jobManager.predecessors) return;
  startProcess(state, state.model.startMs - 10_000);
  become(state, 'ELECTING');
}

/** A leader is there: with high availability it takes the jobs over. */
export function onJobManagerLeads(state: SimulationState, event: OutageEvent): void {
  if (event.predecessors !== state.jobManager.predecessors) return;
  become(state, lifecycleOf(state).jobManagerStartUpMs.resourceManager > 0 && !event.recovers ? 'NO_RESOURCE_MANAGER' : 'LEADING');
  if (isApplicationCluster(state)) startApplication(state);
  if (!event.recovers) {
    // A process that is started again runs its program again.
    if (isApplicationCluster(state) && event.predecessors > 0) schedule(state.queue, state.nowMs + MAIN_METHOD_MS, 'scenario.submit', 0, 'submissions');
    return;
  }
  const lost = [...state.jobs.values()];
  forgetJobs(state);
  for (const taskManager of state.taskManagers.values()) {
    if (taskManager.status !== 'REGISTERED') continue;
    freeSlots(state, taskManager, () => true);
    logReconnection(state, taskManager);
    taskManager.lastHeartbeatMs = state.nowMs;
  }
  for (const job of lost) if (!isGloballyTerminal(job.status)) recover(state, job);
}

export function onResourceManagerLeads(state: SimulationState, event: OutageEvent): void {
  if (event.predecessors === state.jobManager.predecessors) become(state, 'LEADING');
}

/** The cluster starts with the simulation: REST answers after `jobManagerMs`, each task manager registers after its own time. */
export function startCluster(state: SimulationState, jobManagerMs: number): void {
  const { leader, resourceManager } = lifecycleOf(state).jobManagerStartUpMs;
  state.jobManager.availability = 'DOWN';
  const restMs = state.nowMs + jobManagerMs;
  later(state, restMs, 'fault.job-manager-rest', false);
  later(state, restMs + leader, 'fault.job-manager-leads', false);
  if (resourceManager > 0) later(state, restMs + leader + resourceManager, 'fault.resource-manager-leads', false);
}
