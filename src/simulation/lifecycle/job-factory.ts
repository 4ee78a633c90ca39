import { hex, hash32 } from '../random.js';
import { createCoordinator } from '../checkpoints/create-coordinator.js';
import { createJobNetwork } from '../network/index.js';
import { logLine } from '../logs/index.js';
import { checkpointDirectory, savepointDirectory } from '../checkpoints/storage.js';
import type { JobModel, JobVertexModel } from '../model/job-model.js';
import { JOB_STATUSES, type JobState, type JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { createSubtaskColumns } from '../state/subtask-columns.js';
import { lifecycleOf } from '../version.js';
import { isApplicationCluster } from './application.js';
import { createSubtasks } from './attempts.js';
import { initialParallelism, mostSubtasks } from './batch.js';
import { logValues } from './names.js';
import { pipelinedRegions } from './regions.js';
import { createRescaleTimeline } from './rescale-timeline.js';
import { restartStrategyOf, restartStrategyText } from './restart-strategy.js';
import { schedulerTypeOf } from './scheduler-type.js';

/** A vertex with so many subtasks, CREATED now. */
function createVertex(state: SimulationState, jobId: string, executionGraphId: string, vertex: JobVertexModel, parallelism: number, maxParallelism: number): JobVertexState {
  return {
    id: vertex.id,
    model: vertex,
    parallelism,
    maxParallelism,
    slotSharingGroupId: hex(32, state.model.seed, 'slot-sharing-group', jobId, vertex.slotSharingGroup),
    subtasks: createSubtasks(state, jobId, executionGraphId, vertex.id, parallelism),
    columns: createSubtaskColumns(parallelism),
  };
}

/** A submitted job in its first status, its tasks CREATED. */
export function createJob(state: SimulationState, model: JobModel, jobId: string, restoredFrom: string | null): JobState {
  const { seed } = state.model;
  const initializing = lifecycleOf(state).jobHasInitializing;
  const executionGraphId = hex(32, seed, 'execution-graph', jobId);
  const job: JobState = {
    id: jobId,
    name: model.name,
    model,
    // A job that is submitted by itself is an application of its own, with the same id.
    applicationId: jobId,
    status: initializing ? 'INITIALIZING' : 'CREATED',
    statusTimestamps: new Float64Array(JOB_STATUSES.length),
    startMs: state.nowMs,
    endMs: -1,
    lastModificationMs: state.nowMs,
    vertices: [],
    restartStrategy: restartStrategyOf(state, model),
    numRestarts: 0,
    restartTimesMs: [],
    checkpoints: createCoordinator(state, model),
    exceptions: { rootException: null, executions: [], history: [] },
    network: undefined as never,
    restoredFrom,
    failureCause: null,
    schedulerType: schedulerTypeOf(state, model),
    executionGraphId,
    jobMasterNumber: state.rpcEndpoints++,
    slots: [],
    waitingForSlotsSinceMs: -1,
    failover: null,
    generation: 0,
    stopOperationKey: null,
  };
  job.statusTimestamps[JOB_STATUSES.indexOf(job.status)] = state.nowMs;
  const parallelism = initialParallelism(state, job);
  job.vertices = model.vertices.map((vertex, v) => createVertex(state, jobId, executionGraphId, vertex, parallelism[v], mostSubtasks(state, job, vertex)));
  job.network = createJobNetwork(state, job);
  if (job.schedulerType === 'Adaptive') createRescaleTimeline(state, job);
  state.jobs.set(jobId, job);
  state.revision++;
  return job;
}

/** What the JobManager's log tells of a submission up to the JobMaster's initialization. */
export function logSubmission(state: SimulationState, job: JobState): void {
  const { log } = state.jobManager;
  const { seed } = state.model;
  const features = lifecycleOf(state);
  const hash = (what: string): string => hash32(seed, what, job.id).toString(16);
  const values = {
    ...logValues(state, job),
    application: job.applicationId,
    graph: job.executionGraphId,
    strategy: restartStrategyText(state, job.restartStrategy),
    failover: features.failsBeforeRestarting ? 'full graph restart' : 'RestartPipelinedRegionFailoverStrategy',
    hash: hash('failover'),
    regions: new Set(pipelinedRegions(job)).size,
    ms: hash32(seed, 'regions', job.id) % 3,
    checkpoints: checkpointDirectory(state, job) ?? 'null',
    savepoints: savepointDirectory(state, job) ?? 'null',
    backend: job.checkpoints?.config.stateBackend === 'rocksdb' ? 'EmbeddedRocksDBStateBackend' : 'HashMapStateBackend',
    from: 'CREATED',
    to: 'RUNNING',
  };
  if (!isApplicationCluster(state)) for (const line of ['receivedApplication', 'submittingApplication', 'applicationSwitched'] as const) logLine(state, log, line, values);
  for (const line of ['receivedSubmission', 'submittingJob', 'grantedLeadership', 'startingJobMasterEndpoint', 'initializingJob', 'usingRestartStrategy', 'failoverStrategy', 'createdExecutionGraph', 'runningInitialization', 'ranInitialization', 'builtRegions'] as const) {
    logLine(state, log, line, values);
  }
  if (job.checkpoints) {
    logLine(state, log, 'stateBackend', { ...values, hash: hash('backend') });
    logLine(state, log, 'stateBackendLoaded', values);
    logLine(state, log, 'checkpointStorage', { ...values, hash: hash('storage') });
  }
}

/** What follows once the JobMaster may run. */
export function logJobMasterStart(state: SimulationState, job: JobState): void {
  const { log } = state.jobManager;
  const values = { ...logValues(state, job), failover: 'RestartPipelinedRegionFailoverStrategy', hash: hash32(state.model.seed, 'failover', job.id).toString(16) };
  for (const line of ['usingFailoverStrategy', 'runnerGrantedLeadership', 'startingExecution', 'startingScheduling'] as const) logLine(state, log, line, values);
}
