import type { Sample } from './time-series.js';

type Cell = string | number | null;

/** A sample as columns: `page view counts.Parse.busy`, `page view counts.checkpoints.completed`, `kafka.page-views.endOffset`. */
function columnsOf(sample: Sample): Map<string, Cell> {
  const columns = new Map<string, Cell>([
    ['time', sample.time],
    ['taskManagers', sample.taskManagers],
    ['freeSlots', sample.freeSlots],
  ]);
  const add = (prefix: string, values: object): void => {
    for (const [key, value] of Object.entries(values)) if (value === null || typeof value !== 'object') columns.set(`${prefix}.${key}`, value as Cell);
  };
  for (const job of sample.jobs) {
    columns.set(`${job.name}.status`, job.status);
    columns.set(`${job.name}.restarts`, job.restarts);
    for (const { name, ...values } of job.vertices) add(`${job.name}.${name}`, values);
    if (job.checkpoints) add(`${job.name}.checkpoints`, job.checkpoints);
  }
  for (const topic of sample.topics) {
    columns.set(`kafka.${topic.name}.endOffset`, topic.endOffset);
    for (const { group, ...values } of topic.groups) add(`kafka.${topic.name}.${group}`, values);
  }
  return columns;
}

function cell(value: Cell | undefined): string {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** All samples as CSV (RFC 4180), one column a quantity; jobs that came later leave their earlier cells empty. */
export function toCsv(samples: readonly Sample[]): string {
  const rows = samples.map(columnsOf);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return [names.map(cell).join(','), ...rows.map((row) => names.map((name) => cell(row.get(name))).join(','))].join('\n') + '\n';
}
