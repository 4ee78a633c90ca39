import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, round, type Row, type Section } from './report.js';
import { ROOT } from './servers.js';

const CHILD = fileURLToPath(new URL('simulation-child.ts', import.meta.url));

function run(...args: string[]): Record<string, number> {
  return JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', CHILD, ...args], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })) as Record<string, number>;
}

function medians(runs: readonly Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(Object.keys(runs[0]!).map((key) => [key, median(runs.map((figures) => figures[key]!))]));
}

const repeated = (rounds: number, ...args: string[]): Record<string, number> => medians(Array.from({ length: rounds }, () => run(...args)));

/** Virtual time as fast as it goes. */
export function virtualTimeSection(rounds: number): Section {
  const row = (what: string, { cpuMs, wallMs }: Record<string, number>, seconds: number): Row => ({
    what,
    value: round(cpuMs! / 1000, 2),
    unit: 's of processor',
    target: { max: seconds },
    beside: `${round(wallMs! / 1000, 2)} s by the wall`,
  });
  return {
    title: 'Virtual time, as fast as it goes',
    rows: [row('the incident, 5 h 20 min', repeated(rounds, 'incident'), 3), row('a day of a healthy job of 12 subtasks', repeated(rounds, 'day'), 10)],
  };
}

/** The cost of real time by size of the job: rows of HASH edges, 2 million and 200 million channels at the end. */
export function sizeSection(rounds: number): Section {
  const sizes = [
    { vertices: 50, parallelism: 20, seconds: 120, max: null },
    { vertices: 50, parallelism: 200, seconds: 120, max: 15 },
    { vertices: 50, parallelism: 2000, seconds: 70, max: 100 },
  ];
  const rows: Row[] = [];
  let smallest = 0;
  for (const { vertices, parallelism, seconds, max } of sizes) {
    const figures = repeated(rounds, 'large', String(vertices), String(parallelism), String(seconds));
    const subtasks = vertices * parallelism;
    const name = `${subtasks.toLocaleString('en')} subtasks`;
    const perSubtaskUs = (figures.coreShare! * 1e6) / subtasks;
    smallest ||= perSubtaskUs;
    rows.push({
      what: `${name}: share of a core`,
      value: round(figures.coreShare! * 100),
      unit: '%',
      ...(max === null ? {} : { target: { max } }),
      beside: `a step: p99 ${round(figures.p99StepMs!)} ms, longest ${round(figures.longestStepMs!)} ms; scheduling, deploying and 30 s of running ${round(figures.startCpuMs! / 1000)} s of processor`,
    });
    rows.push({ what: `${name}: a second of a subtask beside that at ${(sizes[0]!.vertices * sizes[0]!.parallelism).toLocaleString('en')}`, value: round(perSubtaskUs / smallest, 2), unit: '×', target: { max: 1.5 }, beside: `${round(perSubtaskUs, 2)} µs` });
    rows.push({ what: `${name}: resident memory`, value: Math.round(figures.residentMiB!), unit: 'MiB', target: { max: 1536 } });
  }
  return { title: 'Real time, by size of the job (50 operators in a row, all HASH)', rows };
}
