// Runs one simulation in a process of its own and prints what it took, as JSON: `incident`, `day` or `large VERTICES PARALLELISM SECONDS`.
import { fileURLToPath } from 'node:url';
import { loadScenario, Simulation } from '../dist/index.js';
import { largeModel } from './large-model.js';

const [what, ...args] = process.argv.slice(2);

function took<T>(work: () => T): { cpuMs: number; wallMs: number; result: T } {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const result = work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - startedAt, result };
}

function print(figures: Record<string, number>): void {
  process.stdout.write(JSON.stringify({ ...figures, residentMiB: process.memoryUsage().rss / 2 ** 20 }));
}

if (what === 'incident' || what === 'day') {
  const scenario = loadScenario(what === 'day' ? fileURLToPath(new URL('healthy-12.yaml', import.meta.url)) : 'incident-2020-04-09', {});
  const simulation = new Simulation(scenario.model);
  const { cpuMs, wallMs } = took(() => simulation.advanceBy(what === 'day' ? 86_400_000 : 19_200_000));
  print({ cpuMs, wallMs });
} else {
  const [vertices, parallelism, seconds] = args.map(Number) as [number, number, number];
  const start = took(() => {
    const simulation = new Simulation(largeModel(vertices, parallelism));
    simulation.advanceBy(30_000);
    return simulation;
  });
  const steps: number[] = [];
  const run = took(() => {
    for (let i = 0; i < seconds * 10; i++) steps.push(took(() => start.result.advanceBy(100)).cpuMs);
  });
  steps.sort((a, b) => a - b);
  print({ startCpuMs: start.cpuMs, coreShare: run.cpuMs / (seconds * 1000), longestStepMs: steps.at(-1)!, p99StepMs: steps[Math.floor(steps.length * 0.99)]! });
}
