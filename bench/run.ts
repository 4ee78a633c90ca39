// npm run bench: measures what docs/benchmarks.md holds, prints it as tables and writes it as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fleetSection } from './fleet.js';
import { httpSection } from './http.js';
import { latencySection } from './latency.js';
import { installSection, packageSection } from './package.js';
import { asMarkdown, machine, type Section } from './report.js';
import { residentMiB, ROOT } from './servers.js';
import { sizeSection, virtualTimeSection } from './simulation.js';
import { memorySection, startSection } from './start.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    real: { type: 'string' },
    out: { type: 'string', default: path.join(ROOT, 'bench', 'results', 'latest.json') },
  },
});
const rounds = values.quick ? 1 : 5;

/** In order of length. `--real URL` puts a real job manager with a running job beside. */
const SECTIONS: Record<string, () => Section | Promise<Section>> = {
  package: packageSection,
  install: installSection,
  start: () => startSection(rounds),
  memory: () => memorySection(({ process: child }) => residentMiB(child)),
  virtual: () => virtualTimeSection(Math.min(rounds, 3)),
  http: () => httpSection({ rounds, seconds: values.quick ? 1 : 3, real: values.real ?? null }),
  latency: () => latencySection({ seconds: values.quick ? 10 : 60, rounds }),
  fleet: () => fleetSection({ rounds: Math.min(rounds, 3), seconds: values.quick ? 10 : 60 }),
  size: () => sizeSection(Math.min(rounds, 3)),
};

const names = values.only ?? Object.keys(SECTIONS);
const unknown = names.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  process.stderr.write(`--only: found ${unknown.join(', ')}; allowed: ${Object.keys(SECTIONS).join(', ')}\n`);
  process.exit(2);
}
const on = machine();
process.stdout.write(`${on.date}, ${on.cpu}, ${on.cores} cores, ${on.memoryGiB} GiB, ${on.os}, Node ${on.node}, load average ${on.loadAverage} at the start\n\n`);
const sections: Section[] = [];
for (const name of names) {
  const section = await SECTIONS[name]!();
  sections.push(section);
  process.stdout.write(`${asMarkdown([section])}\n`);
}
mkdirSync(path.dirname(values.out), { recursive: true });
writeFileSync(values.out, `${JSON.stringify({ machine: on, sections }, null, 2)}\n`);
