import { numberText, type RecordedSeries, type SeriesRecorder } from './series-recorder.js';

/** A value, or what stands for its absence: `stale` once when a series ends, `_` otherwise. */
function* slots({ steps, values }: RecordedSeries, length: number): Iterable<string> {
  let next = 0;
  for (let step = 0; step < length; step++) {
    if (steps[next] === step) yield numberText(values[next++]);
    else yield next > 0 && steps[next - 1] === step - 1 ? 'stale' : '_';
  }
}

/** Values in promtool's notation; runs of the same are written once (`5x3` is 5 and three more of it). */
export function seriesNotation(series: RecordedSeries, length: number): string {
  const runs: string[] = [];
  let current: string | null = null;
  let more = 0;
  const end = (): void => {
    if (current === null) return;
    if (more === 0) runs.push(current);
    else if (current === '_') runs.push(`_x${more + 1}`);
    else if (/^-?\d/.test(current) || /Inf$/.test(current)) runs.push(`${current}x${more}`);
    else for (let i = 0; i <= more; i++) runs.push(current);
  };
  for (const slot of slots(series, length)) {
    if (slot === current) {
      more++;
      continue;
    }
    end();
    [current, more] = [slot, 0];
  }
  end();
  return runs.join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What was recorded as a test of `promtool test rules`, which lacks only what is expected: time 0 is the first sample. */
export function* promtoolTests({ families, timesMs }: SeriesRecorder, everyMs: number, ruleFiles: readonly string[] = []): Iterable<string> {
  const interval = `${everyMs / 1000}s`;
  yield `rule_files:${ruleFiles.length === 0 ? ' []' : `\n${ruleFiles.map((file) => `  - ${quoted(file)}`).join('\n')}`}\nevaluation_interval: ${interval}\ntests:\n  - interval: ${interval}\n    input_series:\n`;
  for (const { series } of families.values()) for (const each of series.values()) yield `      - series: ${quoted(`${each.name}{${each.labels}}`)}\n        values: ${quoted(seriesNotation(each, timesMs.length))}\n`;
}
