import type { JobVertexModel, OperatorModel } from '../model/job-model.js';
import type { OperatorSelector, TimelineAction } from '../model/timeline-event.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { refreshChains } from './create-network.js';
import { rateAt } from './offered-load.js';
import { consumerShares } from './shares.js';

/** Does what a scenario or the control API changes about a job's flow; false when the action is not about that, or not about this job. */
export function applyNetworkAction(state: SimulationState, job: JobState, action: TimelineAction): boolean {
  switch (action.kind) {
    case 'set-source-rate':
      return setSourceRate(state, job, action.target, action.recordsPerSecond, action.rampMs);
    case 'set-service-time':
      return changeOperator(job, action.target, (operator) => ({ ...operator, serviceTimeUs: action.serviceTimeUs }));
    case 'set-selectivity':
      return changeOperator(job, action.target, (operator) => ({ ...operator, selectivity: action.selectivity }));
    case 'set-record-bytes':
      return changeOperator(job, action.target, (operator) => ({ ...operator, outputRecordBytes: action.outputRecordBytes }));
    case 'set-sink-capacity':
      return changeOperator(job, action.target, (operator) => (operator.sink === null ? operator : { ...operator, sink: { ...operator.sink, capacityRecordsPerSecond: action.recordsPerSecond } }));
    case 'set-failure':
      return changeOperator(job, action.target, (operator) => ({ ...operator, failure: action.failure }));
    case 'set-skew':
      return setSkew(job, action.target, action.skew);
    default:
      return false;
  }
}

function matches(job: JobState, target: OperatorSelector): boolean {
  return target.job === job.id || target.job === job.name;
}

function findOperator(job: JobState, target: OperatorSelector): { vertex: number; operator: number } | null {
  if (!matches(job, target)) return null;
  for (let vertex = 0; vertex < job.vertices.length; vertex++) {
    const { operators, id, name } = job.vertices[vertex].model;
    const operator = operators.findIndex((candidate) => candidate.id === target.operator || candidate.name === target.operator);
    if (operator >= 0) return { vertex, operator };
    if (id === target.operator || name === target.operator) return { vertex, operator: 0 };
  }
  return null;
}

function changeOperator(job: JobState, target: OperatorSelector, change: (operator: OperatorModel) => OperatorModel): boolean {
  const found = findOperator(job, target);
  if (found === null) return false;
  const vertex = job.vertices[found.vertex];
  const model: JobVertexModel = { ...vertex.model, operators: vertex.model.operators.map((operator, index) => (index === found.operator ? change(operator) : operator)) };
  vertex.model = model;
  refreshChains(job.network, job);
  return true;
}

function setSourceRate(state: SimulationState, job: JobState, target: OperatorSelector, recordsPerSecond: number, rampMs: number): boolean {
  const found = findOperator(job, target);
  if (found === null) return false;
  const source = job.vertices[found.vertex].model.operators[0].source;
  if (source === null || source.kind !== 'generator') return false;
  const net = job.network.vertices[found.vertex];
  const before = net.rateOverride;
  const elapsedMs = before === null ? 0 : state.nowMs - before.sinceMs;
  const fromRecordsPerSecond =
    before === null
      ? rateAt(source.rateSteps, state.nowMs - net.startedMs[0])
      : elapsedMs >= before.rampMs
        ? before.recordsPerSecond
        : before.fromRecordsPerSecond + ((before.recordsPerSecond - before.fromRecordsPerSecond) * elapsedMs) / before.rampMs;
  net.rateOverride = { sinceMs: state.nowMs, fromRecordsPerSecond, recordsPerSecond, rampMs };
  return true;
}

function setSkew(job: JobState, target: OperatorSelector, skew: Parameters<typeof consumerShares>[1]): boolean {
  const found = findOperator(job, target);
  if (found === null) return false;
  const { network } = job;
  let changed = false;
  for (const e of network.vertices[found.vertex].inputs) {
    const model = job.model.edges[e];
    if (model.shipStrategy !== 'HASH' && model.shipStrategy !== 'CUSTOM') continue;
    const vertex = job.vertices[found.vertex];
    const shares = consumerShares(model, skew, vertex.parallelism, vertex.maxParallelism);
    const edge = network.edges[e];
    edge.aggregate?.share.set(shares);
    for (let c = 0; c < network.channels.count; c++) if (network.channels.edge[c] === e) network.channels.expectedShare[c] = network.channels.share[c] = shares[network.channels.consumer[c]];
    changed = true;
  }
  return changed;
}
