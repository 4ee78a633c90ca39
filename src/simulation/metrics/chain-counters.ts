import type { OperatorModel } from '../model/job-model.js';
import type { MeteredColumn } from '../state/subtask-columns.js';
import { ALWAYS_ZERO, type CounterSource } from './counters.js';
import type { OperatorView } from './vertex-view.js';

/**
 * Records of the operators of a chain. The state counts what enters and leaves a task; what passes between two operators of its chain is
 * that, times the selectivities from the nearer end.
 */
export function recordsIn(view: OperatorView): CounterSource {
  const { operators } = view.vertex.model;
  if (view.operator > 0) return between(operators, view.operator);
  const { source } = operators[0];
  if (source === null) return { columns: ['numRecordsIn'], scale: 1 };
  // Source functions and the data generator's reader count no input.
  return source.kind === 'kafka' && !source.legacy ? { columns: ['sourceRecordsIn'], scale: 1 } : ALWAYS_ZERO;
}

export function recordsOut(view: OperatorView): CounterSource {
  const { operators } = view.vertex.model;
  const operator = operators[view.operator];
  // A writer passes on no records, but its meter shows what it sends.
  if (operator.kind === 'sink') return operator.name.endsWith(': Writer') ? recordsIn(view) : ALWAYS_ZERO;
  return between(operators, view.operator + 1);
}

/** Real bytes are known to Kafka's reader and to a sink's writer only; between chained operators nothing is serialized. */
export function bytesIn(view: OperatorView): CounterSource {
  const { kafka } = view.vertex;
  const { source } = view.vertex.model.operators[view.operator];
  if (kafka === null || source === null || source.legacy) return ALWAYS_ZERO;
  return { columns: ['sourceRecordsIn'], scale: kafka.recordBytes };
}

export function bytesOut(view: OperatorView): CounterSource {
  const { name, outputRecordBytes } = view.vertex.model.operators[view.operator];
  if (!name.endsWith(': Writer')) return ALWAYS_ZERO;
  const records = recordsIn(view);
  return { columns: records.columns, scale: records.scale * outputRecordBytes };
}

/** What passes between operator `next - 1` and operator `next` (or the task's output). */
function between(operators: readonly OperatorModel[], next: number): CounterSource {
  if (next === operators.length) return { columns: ['numRecordsOut'], scale: 1 };
  const head: MeteredColumn = operators[0].source === null ? 'numRecordsIn' : 'sourceRecordsIn';
  const before = product(operators.slice(0, next));
  const behind = product(operators.slice(next));
  // An end that is 1:1 stays exact when an event changes the selectivity at the other.
  if (before !== 1 && behind === 1) return { columns: ['numRecordsOut'], scale: 1 };
  return { columns: [head], scale: before };
}

function product(operators: readonly OperatorModel[]): number {
  return operators.reduce((selectivity, operator) => selectivity * operator.selectivity, 1);
}
