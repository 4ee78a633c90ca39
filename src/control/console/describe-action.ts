import type { TimelineAction } from '../../simulation/model/timeline-event.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';

/** What an action does, in a line: `set service time: Enrich, 2 ms`. */
export function describeAction(action: TimelineAction, state: SimulationState): string {
  const { kind, ...details } = action;
  const words = kind.replaceAll('-', ' ').replace('kafka', 'Kafka');
  if (action.kind === 'submit-job') return `${words}: ${action.job.name}`;
  const parts = Object.entries(details).filter(([name]) => name !== 'atMs').map(([name, value]) => describeValue(name, value, state)).filter((text) => text !== '');
  return parts.length === 0 ? words : `${words}: ${parts.join(', ')}`;
}

function describeValue(name: string, value: unknown, state: SimulationState): string {
  if (value === null) return name === 'checkpoint' ? 'the next one' : 'none';
  if (name === 'target') return operatorName(value as { job: string; operator: string }, state);
  if (name === 'job') return state.jobs.get(String(value))?.name ?? String(value);
  if (name === 'skew') return describeSkew(value as object);
  if (typeof value === 'object') return Object.values(value).map(String).join(' ');
  if (typeof value === 'boolean') return value ? name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`) : '';
  if (typeof value !== 'number') return String(value);
  if (name === 'rampMs' || name === 'delayMs' || name === 'latencyMs') return value === 0 ? '' : `within ${duration(value)}`;
  if (name.endsWith('Ms')) return value === 0 ? 'never' : duration(value);
  if (name.endsWith('Us')) return value >= 1_000 ? `${trimmed(value / 1_000)} ms` : `${trimmed(value)} µs`;
  if (name.endsWith('PerSecond')) return `${trimmed(value)}/s`;
  if (name.endsWith('Bytes')) return `${trimmed(value)} B`;
  if (name === 'subtask') return `subtask ${value}`;
  if (name === 'parallelism') return `parallelism ${value}`;
  return trimmed(value);
}

export function operatorName(target: { readonly job: string; readonly operator: string }, state: SimulationState): string {
  const jobs = [...state.jobs.values()].filter(({ id, name }) => id === target.job || name === target.job).map(({ model }) => model);
  const operators = [...jobs, ...state.model.jobs.map(({ job }) => job)].flatMap(({ vertices }) => vertices.flatMap((vertex) => [...vertex.operators, vertex]));
  return operators.find(({ id, name }) => id === target.operator || name === target.operator)?.name ?? target.operator;
}

function describeSkew(skew: object): string {
  if ('hotKeys' in skew) return (skew.hotKeys as { key: string; share: number }[]).map(({ key, share }) => `${key} ${trimmed(share * 100)} %`).join(' ');
  if ('exponent' in skew) return `Zipf ${String(skew.exponent)}`;
  return 'by subtask';
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export function duration(ms: number): string {
  if (ms < 1) return `${trimmed(ms * 1_000)} µs`;
  if (ms < 1_000) return `${trimmed(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min${ms % 60_000 === 0 ? '' : ` ${trimmed((ms % 60_000) / 1_000)} s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}
