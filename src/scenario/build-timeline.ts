import type { JobModel } from '../simulation/model/job-model.js';
import type { FailureLabels, OperatorSelector, TimelineAction } from '../simulation/model/timeline-event.js';
import { nearestName } from './nearest-name.js';
import type { Path } from './scenario-error.js';
import { ACTION_NAMES, type ActionName, type TimelineInput } from './schema/timeline-schema.js';
import { buildSkew } from './skew.js';

/** What an action may name. */
export interface ActionSurroundings {
  /** Jobs that the scenario starts at any time. */
  readonly jobs: readonly JobModel[];
  readonly topics: readonly string[];
  /** Builds the job of a submitJob action; null when it is wrong (and reported). */
  submittedJob(path: Path): JobModel | null;
  report(path: Path, message: string): void;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

function jobOf(named: string | undefined, path: Path, around: ActionSurroundings): JobModel | null {
  const names = around.jobs.map((job) => job.name);
  if (named === undefined) {
    if (around.jobs.length === 1) return around.jobs[0]!;
    around.report(path, `needs \`job\`; allowed: ${quoted(names) || 'none, the scenario has no job'}`);
    return null;
  }
  const job = around.jobs.find((candidate) => candidate.name === named || candidate.jobId === named);
  if (job) return job;
  const near = nearestName(named, names);
  around.report([...path, 'job'], `found ${JSON.stringify(named)}, which is no job of this scenario; ${near ? `did you mean \`${near}\`?` : `allowed: ${quoted(names) || 'none, there is no job'}`}`);
  return null;
}

function targetOf(action: { job?: string | undefined; operator: string }, path: Path, around: ActionSurroundings): OperatorSelector {
  const job = jobOf(action.job, path, around);
  if (job) {
    const names = job.vertices.flatMap((vertex) => [vertex.name, vertex.id, ...vertex.operators.flatMap((operator) => [operator.name, operator.id])]);
    if (!names.includes(action.operator)) {
      const readable = [...new Set(job.vertices.flatMap((vertex) => vertex.operators.map((operator) => operator.name)))];
      const near = nearestName(action.operator, readable);
      around.report([...path, 'operator'], `found ${JSON.stringify(action.operator)}, which is no operator of ${JSON.stringify(job.name)}; ${near ? `did you mean \`${near}\`?` : `allowed: ${quoted(readable)}`}`);
    }
  }
  return { job: job?.jobId ?? job?.name ?? '', operator: action.operator };
}

function labelled(labels: FailureLabels | undefined): { readonly labels?: FailureLabels } {
  return labels === undefined ? {} : { labels };
}

/** The action of an event, or null when it is wrong (and reported). */
export function buildAction(event: TimelineInput, path: Path, around: ActionSurroundings): TimelineAction | null {
  const given = ACTION_NAMES.filter((name) => event[name] !== undefined);
  if (given.length !== 1) {
    around.report(path, given.length === 0 ? `has no action; add one of ${ACTION_NAMES.join(', ')}` : `has ${given.length} actions (${given.join(', ')}); allowed: one an event`);
    return null;
  }
  const name = given[0] as ActionName;
  const at: Path = [...path, name];
  const input = <K extends ActionName>(key: K): NonNullable<TimelineInput[K]> => event[key]!;
  const target = (action: { job?: string | undefined; operator: string }): OperatorSelector => targetOf(action, at, around);
  const jobName = (action: { job?: string | undefined }): string => {
    const job = jobOf(action.job, at, around);
    return job?.jobId ?? job?.name ?? '';
  };
  const checkTopic = (topic: string): void => {
    if (!around.topics.includes(topic)) {
      const near = nearestName(topic, around.topics);
      around.report([...at, 'topic'], `found ${JSON.stringify(topic)}, which is no topic of this scenario; ${near ? `did you mean \`${near}\`?` : `allowed: ${quoted(around.topics) || 'none, there is no topic'}`}`);
    }
  };
  switch (name) {
    case 'setTopicRate': {
      const { topic, rate, ramp } = input(name);
      checkTopic(topic);
      return { kind: 'set-topic-rate', topic, recordsPerSecond: rate, rampMs: ramp };
    }
    case 'setSourceRate':
      return { kind: 'set-source-rate', target: target(input(name)), recordsPerSecond: input(name).rate, rampMs: input(name).ramp };
    case 'setServiceTime':
      return { kind: 'set-service-time', target: target(input(name)), serviceTimeUs: input(name).serviceTime };
    case 'setSelectivity':
      return { kind: 'set-selectivity', target: target(input(name)), selectivity: input(name).selectivity };
    case 'setRecordSize':
      return { kind: 'set-record-bytes', target: target(input(name)), outputRecordBytes: input(name).recordSize };
    case 'setSinkCapacity':
      return { kind: 'set-sink-capacity', target: target(input(name)), recordsPerSecond: input(name).capacity };
    case 'setSkew':
      return { kind: 'set-skew', target: target(input(name)), skew: buildSkew(input(name).skew) };
    case 'setKafkaFlakiness':
      return { kind: 'set-kafka-flakiness', meanTimeBetweenDisconnectsMs: input(name).meanTimeBetweenDisconnects };
    case 'setKafkaBroker':
      return { kind: 'set-kafka-broker', state: input(name).state };
    case 'setCheckpointStorage':
      return { kind: 'set-checkpoint-storage', bytesPerSecond: input(name).bytesPerSecond, latencyMs: input(name).latency, failing: input(name).failing };
    case 'failSubtask':
      return { kind: 'fail-subtask', target: target(input(name)), subtask: input(name).subtask, exceptionClass: input(name).exception, message: input(name).message, ...labelled(input(name).labels) };
    case 'failJob':
      return { kind: 'fail-job', job: jobName(input(name)), exceptionClass: input(name).exception, message: input(name).message, ...labelled(input(name).labels) };
    case 'killTaskManager':
      return { kind: 'kill-task-manager', taskManager: input(name).taskManager };
    case 'addTaskManagers':
      return { kind: 'add-task-managers', count: input(name).count };
    case 'pauseTaskManager':
      return { kind: 'silence-task-manager', taskManager: input(name).taskManager, forMs: input(name).for, cause: 'stopped' };
    case 'partitionTaskManager':
      return { kind: 'silence-task-manager', taskManager: input(name).taskManager, forMs: input(name).for, cause: 'partitioned' };
    case 'collectGarbage':
      return { kind: 'silence-task-manager', taskManager: input(name).taskManager, forMs: input(name).for, cause: 'garbage-collection' };
    case 'disconnectTaskManagers':
      return { kind: 'disconnect-task-managers', first: input(name).first, second: input(name).second, forMs: input(name).for };
    case 'outOfMemory':
      return { kind: 'out-of-memory', taskManager: input(name).taskManager, memory: input(name).memory };
    case 'setFailure': {
      const { afterRecords, exception, message } = input(name);
      return { kind: 'set-failure', target: target(input(name)), failure: afterRecords === null ? null : { afterRecords, exceptionClass: exception, message } };
    }
    case 'burst':
      checkTopic(input(name).topic);
      return { kind: 'burst', topic: input(name).topic, recordsPerSecond: input(name).rate, forMs: input(name).for };
    case 'declineCheckpoint':
      return { kind: 'fault-checkpoint', job: jobName(input(name)), checkpoint: input(name).checkpoint, fault: 'decline', delayMs: 0 };
    case 'failCheckpoint':
      return { kind: 'fault-checkpoint', job: jobName(input(name)), checkpoint: input(name).checkpoint, fault: 'fail', delayMs: 0 };
    case 'delayCheckpoint':
      return { kind: 'fault-checkpoint', job: jobName(input(name)), checkpoint: input(name).checkpoint, fault: 'delay', delayMs: input(name).by };
    case 'expireCheckpoints':
      return { kind: 'expire-checkpoints', job: jobName(input(name)) };
    case 'jumpClock':
      return { kind: 'jump-clock', byMs: input(name).by };
    case 'crashJobManager':
      return { kind: 'crash-job-manager', restartAfterMs: input(name).restartAfter };
    case 'failOverJobManager':
      return { kind: 'fail-over-job-manager' };
    case 'revokeLeadership':
      return { kind: 'revoke-leadership', forMs: input(name).for };
    case 'submitJob': {
      const job = around.submittedJob(at);
      return job && { kind: 'submit-job', job };
    }
    case 'cancelJob':
      return { kind: 'cancel-job', job: jobName(input(name)) };
    case 'triggerSavepoint':
      return { kind: 'trigger-savepoint', job: jobName(input(name)), cancelJob: input(name).cancelJob };
    case 'rescaleJob':
      return { kind: 'rescale-job', job: jobName(input(name)), parallelism: input(name).parallelism };
  }
}
