import { isSince, type Shape } from './spec.js';

/** Classes with a serializer of their own, by what real Flink was recorded to write for them, and rules that reflection does not show. */

const text: Shape = { type: 'string' };
const whole: Shape = { type: 'integer' };
const real: Shape = { type: 'number' };
const flag: Shape = { type: 'boolean' };
const ID: Shape = { type: 'string', java: 'hex' };
const optional = (shape: Shape): Shape => ({ ...shape, include: 'NON_NULL' });
const object = (properties: Record<string, Shape>): Shape => ({ type: 'object', properties });
const list = (items: Shape): Shape => ({ type: 'array', items });
const map = (additionalProperties: Shape): Shape => ({ type: 'object', additionalProperties });
/** Fields that a release has from a minor on. */
const since = (release: string, minor: string, properties: Record<string, Shape>): Record<string, Shape> => (isSince(release, minor) ? properties : {});

const planNode = object({
  id: text,
  parallelism: whole,
  operator: text,
  operator_strategy: text,
  description: text,
  inputs: { ...list(object({ num: whole, id: text, ship_strategy: optional(text), local_strategy: optional(text), caching: optional(text), exchange: text })), include: 'NON_EMPTY' },
  optimizer_properties: { type: 'any' },
});

function plan(release: string): Shape {
  return object({ jid: optional(ID), name: optional(text), ...since(release, '1.14', { type: optional(text) }), nodes: list(planNode) });
}

function jobDetails(release: string): Shape {
  return object({
    jid: ID,
    name: text,
    'start-time': whole,
    'end-time': whole,
    duration: whole,
    state: text,
    'last-modification': whole,
    tasks: map(whole),
    ...(isSince(release, '1.16') ? { 'current-execution-attempts': { ...map(map(map(whole))), include: 'NON_EMPTY' as const } } : {}),
  });
}

const throwable = object({ class: text, 'stack-trace': text, 'serialized-throwable': text });

function jobResult(release: string): Shape {
  const since23 = isSince(release, '2.3') ? { name: text, 'application-id': optional(ID), 'start-time': whole, 'end-time': whole } : {};
  return object({ id: ID, 'application-status': { ...text, enum: ['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'] }, 'accumulator-results': map(text), 'net-runtime': whole, 'failure-cause': optional(throwable), ...since23 });
}

function jobConfig(release: string): Shape {
  const mode: Record<string, Shape> = isSince(release, '2.0') ? {} : { 'execution-mode': text };
  return object({
    jid: ID,
    name: text,
    'execution-config': optional(object({ ...mode, 'restart-strategy': text, 'job-parallelism': whole, 'object-reuse-mode': flag, 'user-config': map(text) })),
  });
}

function aggregatedMetric(release: string): Shape {
  return object({ id: text, min: optional(real), max: optional(real), avg: optional(real), sum: optional(real), ...since(release, '1.20', { skew: optional(real) }) });
}

/** A subtask that has acknowledged; one that has not is `{index, status}`. */
function acknowledgedSubtask(release: string): Record<string, Shape> {
  const data: Record<string, Shape> = isSince(release, '1.12') ? { processed: whole, persisted: whole } : {};
  return {
    ack_timestamp: whole,
    end_to_end_duration: whole,
    ...since(release, '1.15', { checkpointed_size: whole }),
    state_size: whole,
    checkpoint: object({ sync: whole, async: whole }),
    alignment: object({ buffered: whole, ...data, duration: whole }),
    ...since(release, '1.11', { start_delay: whole }),
    ...since(release, '1.13', { unaligned_checkpoint: flag, aborted: flag }),
  };
}

/** What stands for a class in a release; undefined: as reflection shows it. */
export function customShape(java: string, release: string): Shape | undefined {
  switch (java) {
    case 'JobID':
    case 'JobVertexID':
    case 'TriggerId':
    case 'ApplicationID':
      return ID;
    case 'ResourceID':
    case 'SlotSharingGroupId':
    case 'SerializedValue':
      return text;
    case 'SerializedThrowable':
      return throwable;
    case 'JobResult':
      return jobResult(release);
    case 'JobConfigInfo':
      return jobConfig(release);
    case 'MetricCollectionResponseBody':
      return list(object({ id: text, value: optional(text) }));
    case 'AggregatedMetricsResponseBody':
      return list(aggregatedMetric(release));
    case 'JobResourceRequirementsBody':
      return map(object({ parallelism: object({ lowerBound: whole, upperBound: whole }) }));
    default:
      return undefined;
  }
}

/** What stands for a field of a class in a release. */
export function customField(java: string, field: string, release: string): Shape | undefined {
  // Raw JSON text, as it was before the plan became a class.
  return java === 'JobDetailsInfo' && field === 'plan' && !isSince(release, '2.0') ? plan(release) : undefined;
}

export function customShapeAt(java: string, field: string, release: string): Shape | undefined {
  if (java === 'JobPlanInfo$RawJson') return field === 'plan' ? plan(release) : { type: 'any' };
  // From 1.17 on the class writes itself.
  if (java === 'JobDetails' && !isSince(release, '1.17')) return jobDetails(release);
  return undefined;
}

/** The key that tells a checkpoint's subclasses apart. */
export const discriminator = (release: string): string => (isSince(release, '1.15') ? 'className' : '@class');

export function checkpointSubclass(java: string, kind: unknown, release: string): Record<string, Shape> | undefined {
  const key = { [discriminator(release)]: text };
  if (java === 'SubtaskCheckpointStatistics') return kind === 'completed' ? { ...key, ...acknowledgedSubtask(release) } : kind === 'pending' ? key : undefined;
  if (java === 'CheckpointStatistics$CompletedCheckpointStatistics') return kind === 'completed' ? key : undefined;
  if (java === 'CheckpointStatistics$FailedCheckpointStatistics') return kind === 'failed' ? key : undefined;
  // The base class stands for all three.
  if (kind === 'in_progress') return key;
  if (kind === 'completed') return { ...key, external_path: text, discarded: flag };
  if (kind === 'failed') return { ...key, failure_timestamp: whole, failure_message: text };
  return undefined;
}

export const HAS_SUBCLASSES = new Set(['SubtaskCheckpointStatistics', 'CheckpointStatistics', 'CheckpointStatistics$CompletedCheckpointStatistics', 'CheckpointStatistics$FailedCheckpointStatistics']);

/** Classes whose null fields are left out: the rule stands at the class or in a mixin, where reflection over the fields does not see it. */
export const LEAVES_OUT_NULLS: Readonly<Record<string, readonly string[] | 'all'>> = {
  JobVertexBackPressureInfo: 'all',
  JobVertexFlameGraph: ['data'],
  VertexFlameGraph: ['data'],
  SavepointInfo: 'all',
  CheckpointInfo: 'all',
  AsynchronousOperationInfo: 'all',
  JobExecutionResultResponseBody: ['job-execution-result'],
  JobExceptionsInfoWithHistory$RootExceptionInfo: ['taskName', 'location', 'endpoint', 'taskManagerId'],
  JobExceptionsInfoWithHistory$ExceptionInfo: ['taskName', 'location', 'endpoint', 'taskManagerId'],
};
