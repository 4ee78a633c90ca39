// Serves for a long time under load and trouble, and looks whether anything is lost: `npm run soak -- --minutes 30 --seed 1 --rate 500 --speed 1000`.
// Ends with 1 when something went wrong or the heap grew; `--strict`: also when the event loop was late. `--json FILE` writes the figures there.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judgeRun, table } from './soak/report.js';
import { soak } from './soak/soak.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '500' },
    speed: { type: 'string', default: '1000' },
    json: { type: 'string' },
    strict: { type: 'boolean', default: false },
  },
});
const number = (name: 'minutes' | 'seed' | 'rate' | 'speed', least: number): number => {
  const value = Number(values[name]);
  if (!(value >= least && value < Infinity)) throw new Error(`--${name}: found ${JSON.stringify(values[name])}; allowed: a number from ${least} on`);
  return value;
};

const options = { minutes: number('minutes', 0.05), seed: number('seed', 0), rate: number('rate', 1), speed: number('speed', 0.001) };
const result = await soak({
  ...options,
  strict: values.strict,
  onComplaint: (complaint) => console.error(`! ${complaint}`),
  onSample: (minute, { heapBytes, delay, work }, soFar) => console.error(`minute ${minute.toFixed(1)}: heap ${(heapBytes / 1024 / 1024).toFixed(1)} MiB, event loop delay p99 ${delay.p99Ms.toFixed(1)} ms, own work p99 ${work.p99Ms.toFixed(1)} ms, ${soFar.requests} requests, ${soFar.virtualHours.toFixed(1)} virtual h, ${soFar.wrong} wrong`),
});
const verdict = judgeRun(result, values.strict);
console.log(table(result, verdict));
for (const failure of verdict.failures) console.log(`FAILED: ${failure}`);
const json = JSON.stringify({ ...options, ...verdict, ...result });
if (values.json !== undefined) writeFileSync(values.json, `${json}\n`);
else console.log(json);
process.exitCode = verdict.failures.length > 0 ? 1 : 0;
