import type { OperatorModel, SkewModel } from '../../simulation/model/job-model.js';
import { rateAt } from '../../simulation/network/offered-load.js';
import { consumerShares } from '../../simulation/network/shares.js';
import { isGloballyTerminal } from '../../simulation/lifecycle/job-status.js';
import type { JobState } from '../../simulation/state/job-state.js';
import type { EdgeState } from '../../simulation/state/network-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import type { FaultView } from '../fault-control.js';
import type { EventInput } from '../live-action.js';
import type { ActiveFault, ControlRequest } from './console-types.js';
import { duration } from './describe-action.js';

const stopBy = (body: EventInput): ControlRequest => ({ method: 'POST', path: '/events', body });
const clusterFault = (id: string, text: string, stop: ControlRequest | null, untilMs: number | null = null): ActiveFault => ({ id, kind: 'cluster', text, untilMs, stop });
const number = (value: number): string => String(Number(value.toPrecision(6)));

/** Whatever is not as the scenario's model has it: brokers, storage, task managers, rates, operators; and the HTTP server's faults. */
export function activeFaults(state: SimulationState, httpFaults: readonly FaultView[]): ActiveFault[] {
  const jobs = [...state.jobs.values()].filter(({ status }) => !isGloballyTerminal(status));
  return [...kafkaFaults(state), ...storageFaults(state), ...taskManagerFaults(state), ...jobs.flatMap((job) => jobFaults(state, job)), ...httpFaults.map((fault) => httpFault(state, fault))];
}

function kafkaFaults({ kafka, model, nowMs }: SimulationState): ActiveFault[] {
  const faults: ActiveFault[] = [];
  if (kafka.brokerState !== 'up') faults.push(clusterFault('kafka-broker', `Kafka brokers are ${kafka.brokerState}`, stopBy({ setKafkaBroker: { state: 'up' } })));
  if (kafka.meanTimeBetweenDisconnectsMs > 0) faults.push(clusterFault('kafka-flakiness', `Kafka fetches fail every ${duration(kafka.meanTimeBetweenDisconnectsMs)}, on average`, stopBy({ setKafkaFlakiness: { meanTimeBetweenDisconnects: 0 } })));
  for (const { name, rateSteps } of model.kafka.topics) {
    const [now, planned] = [kafka.topics.get(name)?.recordsPerSecond ?? 0, rateAt(rateSteps, nowMs - model.startMs)];
    if (Math.abs(now - planned) > 1e-6 * Math.max(1, planned)) faults.push(clusterFault(`topic-rate-${name}`, `Topic ${name} gets ${number(now)}/s instead of ${number(planned)}/s`, stopBy({ setTopicRate: { topic: name, rate: planned } })));
  }
  return faults;
}

function storageFaults({ checkpointStorage: { bytesPerSecond, latencyMs, failing } }: SimulationState): ActiveFault[] {
  if (!failing && bytesPerSecond === null && latencyMs === 0) return [];
  const what = [failing ? 'fails' : '', bytesPerSecond === null ? '' : `takes ${number(bytesPerSecond / 1_048_576)} MiB/s`, latencyMs > 0 ? `answers after ${duration(latencyMs)}` : ''].filter((text) => text !== '');
  return [clusterFault('checkpoint-storage', `Checkpoint storage ${what.join(', ')}`, stopBy({ setCheckpointStorage: {} }))];
}

function taskManagerFaults({ taskManagers, nowMs }: SimulationState): ActiveFault[] {
  return [...taskManagers.values()].flatMap(({ id, silentUntilMs }) => (silentUntilMs !== undefined && silentUntilMs > nowMs ? [clusterFault(`silent-${id}`, `Task manager ${id} stands still`, null, silentUntilMs)] : []));
}

function jobFaults(state: SimulationState, job: JobState): ActiveFault[] {
  const operators = job.vertices.flatMap((vertex, v) =>
    vertex.model.operators.flatMap((operator, o) => {
      const planned = job.model.vertices[v]?.operators[o];
      return planned && planned !== operator ? operatorFaults(job, operator, planned) : [];
    }),
  );
  return [...operators, ...sourceFaults(state, job), ...skewFaults(job), ...checkpointFaults(job)];
}

function operatorFaults(job: JobState, now: OperatorModel, planned: OperatorModel): ActiveFault[] {
  const faults: ActiveFault[] = [];
  const target = { job: job.id, operator: now.id };
  const add = (what: string, text: string, body: EventInput): void => void faults.push(clusterFault(`${what}-${job.id}-${now.id}`, `${now.name} ${text}`, stopBy(body)));
  if (now.serviceTimeUs !== planned.serviceTimeUs) add('service-time', `takes ${duration(now.serviceTimeUs / 1_000)} a record instead of ${duration(planned.serviceTimeUs / 1_000)}`, { setServiceTime: { ...target, serviceTime: `${planned.serviceTimeUs} us` } });
  if (now.selectivity !== planned.selectivity) add('selectivity', `emits ${number(now.selectivity)} for a record instead of ${number(planned.selectivity)}`, { setSelectivity: { ...target, selectivity: planned.selectivity } });
  if (now.outputRecordBytes !== planned.outputRecordBytes) add('record-size', `emits records of ${number(now.outputRecordBytes)} B instead of ${number(planned.outputRecordBytes)} B`, { setRecordSize: { ...target, recordSize: planned.outputRecordBytes } });
  const [capacity, plannedCapacity] = [now.sink?.capacityRecordsPerSecond ?? null, planned.sink?.capacityRecordsPerSecond ?? null];
  if (capacity !== plannedCapacity) add('sink-capacity', capacity === null ? 'takes as much as comes' : `takes ${number(capacity)}/s at most`, { setSinkCapacity: { ...target, capacity: plannedCapacity } });
  const { failure } = now;
  if (failure?.afterRecords !== planned.failure?.afterRecords) {
    const before = planned.failure === null ? { afterRecords: null } : { afterRecords: planned.failure.afterRecords, exception: planned.failure.exceptionClass, message: planned.failure.message };
    add('failure', failure ? `throws ${failure.exceptionClass} after ${failure.afterRecords} records` : 'fails no longer', { setFailure: { ...target, ...before } });
  }
  return faults;
}

function sourceFaults(state: SimulationState, job: JobState): ActiveFault[] {
  return job.network.vertices.flatMap(({ rateOverride, startedMs }, v) => {
    const operator = job.vertices[v]!.model.operators[0]!;
    if (rateOverride === null || operator.source?.kind !== 'generator') return [];
    const planned = rateAt(operator.source.rateSteps, Math.max(0, state.nowMs - startedMs[0]!));
    if (planned === rateOverride.recordsPerSecond) return [];
    return [clusterFault(`source-rate-${job.id}-${operator.id}`, `${operator.name} is offered ${number(rateOverride.recordsPerSecond)}/s instead of ${number(planned)}/s`, stopBy({ setSourceRate: { job: job.id, operator: operator.id, rate: planned } }))];
  });
}

/** What the model's skew gives, by edge as it is since the last restart. */
const plannedShares = new WeakMap<EdgeState, Float64Array>();

function skewFaults(job: JobState): ActiveFault[] {
  const { edges, channels } = job.network;
  return edges.flatMap((edge, e) => {
    const model = job.model.edges[e];
    if (!model || (model.shipStrategy !== 'HASH' && model.shipStrategy !== 'CUSTOM')) return [];
    const { parallelism, maxParallelism, model: target } = job.vertices[edge.targetVertex]!;
    let planned = plannedShares.get(edge);
    if (!planned) plannedShares.set(edge, (planned = consumerShares(model, model.skew, parallelism, maxParallelism)));
    const share = (consumer: number) => (edge.aggregate ? edge.aggregate.share[consumer]! : channels.expectedShare[edge.channelStart[0]! + consumer]!);
    if (planned.every((each, consumer) => Math.abs(each - share(consumer)) < 1e-9)) return [];
    const operator = target.operators[0]!;
    const most = planned.reduce((worst, _, consumer) => (share(consumer) > share(worst) ? consumer : worst), 0);
    return [clusterFault(`skew-${job.id}-${e}`, `${operator.name}: subtask ${most} gets ${number(Math.round(share(most) * 1_000) / 10)} % of the records`, stopBy({ setSkew: { job: job.id, operator: operator.id, skew: skewInput(model.skew) } }))];
  });
}

function skewInput(skew: SkewModel | null) {
  if (skew === null) return null;
  if (skew.kind === 'hot-keys') return { hotKeys: skew.hotKeys.map(({ key, share }) => ({ key, share })) };
  return skew.kind === 'zipf' ? { zipf: skew.exponent, keys: skew.keys } : { shares: [...skew.shares] };
}

function checkpointFaults({ id, name, checkpoints }: JobState): ActiveFault[] {
  if (!checkpoints) return [];
  const open = (checkpoints.faults ?? []).filter(({ checkpointId }) => checkpointId >= checkpoints.nextCheckpointId || checkpoints.pending.some((pending) => pending.id === checkpointId));
  return open.map(({ checkpointId, fault, delayMs }) => clusterFault(`checkpoint-${id}-${checkpointId}-${fault}`, `${name}: checkpoint ${checkpointId} will ${fault === 'delay' ? `be late by ${duration(delayMs)}` : fault === 'decline' ? 'be declined' : 'fail'}`, null));
}

/** `error 503, /jobs/**, GET`: what a fault does to which requests. */
export function describeHttpFault({ fault }: FaultView): string {
  const { effect, path, methods, probability, times } = fault;
  const { kind, ...details } = effect;
  const first = Object.values(details)[0];
  const detail = kind === 'latency' ? duration('meanMs' in effect.distribution ? effect.distribution.meanMs : effect.distribution.medianMs) : kind === 'drip' ? `over ${duration(effect.overMs)}` : typeof first === 'object' || first === undefined ? '' : String(first);
  return [`${kind} ${detail}`.trim(), path, methods?.join(' ') ?? '', probability < 1 ? `${number(probability * 100)} % of the requests` : '', times === null ? '' : `${times} times`].filter((text) => text !== '').join(', ');
}

function httpFault({ model }: SimulationState, view: FaultView): ActiveFault {
  const { id, fault, struck } = view;
  return { id: `http-${id}`, kind: 'http', text: `${describeHttpFault(view)} (${id}, struck ${struck} ×)`, untilMs: fault.untilMs === null ? null : model.startMs + fault.untilMs, stop: { method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` } };
}
