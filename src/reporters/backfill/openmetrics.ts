import { numberText, type SeriesRecorder } from './series-recorder.js';

/** What was recorded, in OpenMetrics with times, for `promtool tsdb create-blocks-from openmetrics`; a piece for each series. */
export function* openMetricsText({ families, timesMs }: SeriesRecorder): Iterable<string> {
  const times = timesMs.map((ms) => (ms / 1000).toFixed(3));
  for (const { name, help, type, series } of families.values()) {
    yield `# HELP ${name} ${help.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))}\n# TYPE ${name} ${type}\n`;
    for (const each of series.values()) {
      const head = `${each.name}{${each.labels}} `;
      let piece = '';
      for (let i = 0; i < each.steps.length; i++) piece += `${head}${numberText(each.values[i])} ${times[each.steps[i]]}\n`;
      yield piece;
    }
  }
  yield '# EOF\n';
}
