import type { GeneratorSourceModel, OperatorModel, RateStep, SourceModel, WatermarkStrategyModel } from '../simulation/model/job-model.js';
import { operatorId } from './operator-id.js';
import type { JobInput } from './schema/job-schema.js';

export type OperatorInput = JobInput['vertices'][number]['operators'][number];
type GeneratorRate = Extract<NonNullable<OperatorInput['source']>, { rate: unknown }>['rate'];

function rateSteps(rate: GeneratorRate): RateStep[] {
  if (typeof rate === 'number') return [{ afterMs: 0, recordsPerSecond: rate, rampMs: 0 }];
  if (typeof rate !== 'string') return rate.map((step) => ({ afterMs: step.after, recordsPerSecond: step.rate, rampMs: step.ramp }));
  let afterMs = 0;
  return rate.split(',').map((part) => {
    const [recordsPerSecond, seconds] = part.split(':').map(Number);
    const step: RateStep = { afterMs, recordsPerSecond: recordsPerSecond!, rampMs: 0 };
    afterMs += (seconds ?? 0) * 1_000;
    return step;
  });
}

function watermarkStrategy({ idleAfter, alignment }: NonNullable<OperatorInput['source']>): WatermarkStrategyModel {
  return {
    ...(idleAfter === undefined ? {} : { idleAfterMs: idleAfter }),
    ...(alignment === undefined ? {} : { alignment: { group: alignment.group, maxDriftMs: alignment.maxDrift, updateIntervalMs: alignment.updateInterval } }),
  };
}

function buildSource(source: NonNullable<OperatorInput['source']>): SourceModel {
  if ('topic' in source) {
    return { kind: 'kafka', topic: source.topic, groupId: source.group, startFrom: source.startFrom, legacy: source.legacy, maxOutOfOrdernessMs: source.maxOutOfOrderness, ...watermarkStrategy(source) };
  }
  const generator: GeneratorSourceModel = {
    kind: 'generator',
    rateSteps: rateSteps(source.rate),
    recordLimit: source.limit,
    legacy: source.legacy,
    maxOutOfOrdernessMs: source.maxOutOfOrderness,
    ...watermarkStrategy(source),
  };
  return generator;
}

/** The kinds that an operator says it is; more than one is a mistake. */
export function operatorKinds(input: OperatorInput): ('source' | 'sink' | 'window' | 'async')[] {
  return (['source', 'sink', 'window', 'async'] as const).filter((kind) => input[kind] !== undefined);
}

export function buildOperator(input: OperatorInput): OperatorModel {
  return {
    id: input.id ?? operatorId(input.uid ?? input.name),
    name: input.name,
    kind: operatorKinds(input)[0] ?? 'map',
    serviceTimeUs: input.serviceTime,
    ...(input.cpu === 1 ? {} : { cpuShare: input.cpu }),
    selectivity: input.sink ? 0 : input.selectivity,
    outputRecordBytes: input.recordSize,
    state: input.state && { bytesPerRecord: input.state.perRecord, maxBytes: input.state.max, initialBytes: input.state.initial },
    source: input.source ? buildSource(input.source) : null,
    sink: input.sink ? { capacityRecordsPerSecond: input.sink.capacity, commitMs: input.sink.commit } : null,
    window: input.window ? { sizeMs: input.window.size, slideMs: input.window.slide ?? input.window.size } : null,
    async: input.async ? { capacity: input.async.capacity, latencyMs: input.async.latency } : null,
    failure:
      input.failure && input.failure.afterRecords > 0
        ? { afterRecords: input.failure.afterRecords, exceptionClass: input.failure.exception, message: input.failure.message }
        : null,
  };
}
