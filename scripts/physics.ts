/**
 * Replays recorded runs of a real Flink in the simulation and prints prediction beside measurement.
 *
 *     npm run physics [-- [--tick ms] [--seeds n,n,…] [--all] [--plots DIR] [RECORDING.json.gz …]]
 *
 * Only the inputs of a recording go in: the job's arguments and where its subtasks sat. Without names, the recordings of test/physics.
 * A prediction is the median over seven seeds (or those named). Prints the figures that fail, with what each seed gave, and with --all every figure:
 * "miss" is a known one, "chance" one of which seeds differ by more than the tolerance and one is as near to the measurement as that. Ends with status 1 if one fails that is not a known miss (test/physics/known-misses.ts).
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareModes, compareRun, type Comparison } from '../test/physics/comparison.js';
import { knownMisses } from '../test/physics/known-misses.js';
import { plotRun } from '../test/physics/plot.js';
import { readRecording } from '../test/physics/recording.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tick: { type: 'string', default: '50' }, seeds: { type: 'string' }, all: { type: 'boolean', default: false }, plots: { type: 'string' } },
});
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'physics');
const paths = positionals.length > 0 ? positionals : readdirSync(folder).filter((name) => name.endsWith('.json.gz')).sort().map((name) => join(folder, name));
const recordings = paths.map(readRecording);
const options = { tickMs: Number(values.tick), ...(values.seeds === undefined ? {} : { seeds: values.seeds.split(',').map(Number) }) };

function line({ figure, measured, predicted, tolerance, passed, chance, digits, draws }: Comparison, known: boolean): string {
  const number = (x: number) => (Number.isFinite(x) ? x.toFixed(digits) : '–').padStart(10);
  const verdict = passed ? 'pass' : known ? 'miss' : chance ? 'chance' : 'FAIL';
  const spread = passed ? '' : `   seeds: ${draws.map((x) => number(x).trim()).join(' ')}`;
  return `  ${verdict.padEnd(6)}  ${figure.padEnd(42)}${number(measured)}${number(predicted)}   ± ${tolerance.toFixed(digits)}${spread}`;
}

let compared = 0;
let missed = 0;
let failed = 0;
const show = (name: string, comparisons: readonly Comparison[], known: readonly string[] = []) => {
  const failures = comparisons.filter((comparison) => !comparison.passed);
  compared += comparisons.length;
  missed += failures.length;
  failed += failures.filter(({ figure, chance }) => !chance && !known.includes(figure)).length;
  console.log(`${name}: ${comparisons.length - failures.length} of ${comparisons.length} figures`);
  const shown = values.all ? comparisons : failures;
  if (shown.length > 0) console.log(`        ${'figure'.padEnd(44)}  measured predicted`);
  for (const comparison of shown) console.log(line(comparison, known.includes(comparison.figure)));
};

const runs = recordings.map((recording) => {
  const run = compareRun(recording, options);
  show(`${run.name} ${JSON.stringify(recording.args)}`, run.comparisons, knownMisses(run.name));
  return run;
});
const modes = compareModes(runs, recordings);
if (modes.length > 0) show('checkpoint modes under overload', modes);
if (values.plots !== undefined) {
  mkdirSync(values.plots, { recursive: true });
  for (const run of runs) writeFileSync(join(values.plots, `${run.name}.svg`), plotRun(run));
}
console.log(`${compared - missed} of ${compared} figures within their tolerance; ${missed - failed} known misses or chance, ${failed} others`);
process.exitCode = failed === 0 ? 0 : 1;
