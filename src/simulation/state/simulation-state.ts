import type { EventQueue } from '../event-queue.js';
import type { SimulationModel } from '../model/simulation-model.js';
import type { JobState } from './job-state.js';
import type { ApplicationState, JobManagerState, TaskManagerState } from './cluster-state.js';
import type { KafkaState } from './kafka-state.js';
import type { CheckpointStorageState } from './checkpoint-state.js';
import type { AsyncOperationState } from './operation-state.js';
import type { ProfilingState } from './profiling-state.js';

/**
 * Everything there is at an instant. Rule: all that can be reached from here is plain data (objects, arrays, Maps, typed arrays,
 * numbers, text): no functions, no class instances, no closures, so that the state can be cloned, compared, written and read back.
 * Behaviour is in functions that take the state.
 */
export interface SimulationState {
  readonly model: SimulationModel;
  /** Virtual now, epoch ms. */
  nowMs: number;
  /** Ticks done; the next one ends at model.startMs + (ticks + 1) * model.tickMs. */
  ticks: number;
  /** Flink options in force. */
  options: Record<string, string>;
  queue: EventQueue;
  jobManager: JobManagerState;
  /** By resource id, in the order of registration; one that died stays until its heartbeat times out. */
  taskManagers: Map<string, TaskManagerState>;
  /** Of a cluster in application mode. */
  application?: ApplicationState;
  /** Given up by the resource manager, but back when their silence ends. */
  absentTaskManagers?: Map<string, TaskManagerState>;
  /** By job id, in the order of submission; ended ones stay until they expire. */
  jobs: Map<string, JobState>;
  kafka: KafkaState;
  checkpointStorage: CheckpointStorageState;
  /** Asynchronous REST operations (savepoints, stops, disposals …) by kind, trigger id and job (lifecycle/operations.ts). */
  operations: Map<string, AsyncOperationState>;
  /** RPC endpoints of JobMasters so far, for `jobmanager_<n>`. */
  rpcEndpoints: number;
  /** Runs of the profiler, oldest first; absent until the first one. */
  profilings?: ProfilingState[];
  /** Counts up; gives ids (jobs, attempts, task managers) their uniqueness. */
  idSequence: number;
  /** Increases whenever something that REST shows changes other than by the passing of time: for caches. */
  revision: number;
}
