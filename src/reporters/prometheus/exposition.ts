import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { scopesOf } from '../reported-metrics.js';
import { Slices } from '../slices.js';
import { FamilyCollector, sampleText, SUMMARY_QUANTILES, type ExpositionConfig, type Family } from './families.js';

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Text is handed on in pieces of about this length, characters. */
const PIECE_LENGTH = 65_536;

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

function* lines({ name, children }: Family): Iterable<string> {
  for (const [labels, value] of children) {
    if (typeof value === 'number') {
      yield `${name}${braced(labels)} ${sampleText(value)}\n`;
    } else {
      yield `${name}_count${braced(labels)} ${sampleText(value.count)}\n`;
      for (let i = 0; i < SUMMARY_QUANTILES.length; i++) yield `${name}{${labels}quantile="${SUMMARY_QUANTILES[i]}",} ${sampleText(value.quantiles[i])}\n`;
    }
  }
}

/** Families in the text format 0.0.4, in pieces. */
export function* familiesText(families: Iterable<Family>): Iterable<string> {
  let piece = '';
  for (const family of families) {
    piece += `# HELP ${family.name} ${family.help.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'))}\n# TYPE ${family.name} ${family.type}\n`;
    for (const line of lines(family)) {
      piece += line;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

/**
 * What a scrape of a process is answered (null = all processes in one), piece by piece; between slices of the work the event loop is
 * free, so that a hundred thousand metrics hold up nobody. `names` keeps only samples of those names (`?name[]=`).
 */
export async function* exposition(state: SimulationState, process: string | null, config: ExpositionConfig, names: ReadonlySet<string> | null = null): AsyncIterable<string> {
  const slices = new Slices();
  const collector = new FamilyCollector(config);
  for (const scope of scopesOf(state, process)) {
    collector.add(scope);
    if (slices.isOver) await slices.next();
  }
  const families = [...collector.families.values()].filter(({ name }) => names === null || names.has(name) || names.has(`${name}_count`));
  for (const piece of familiesText(families)) {
    yield piece;
    if (slices.isOver) await slices.next();
  }
}
