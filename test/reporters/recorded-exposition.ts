import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface Sample {
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly value: string;
}

export interface Exposition {
  /** HELP text by metric. */
  readonly help: Map<string, string>;
  readonly types: Map<string, string>;
  readonly samples: Sample[];
}

/** Reads the text format strictly: a line that does not fit is an error. */
export function parseExposition(text: string): Exposition {
  const help = new Map<string, string>();
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) {
      const into = comment[1] === 'HELP' ? help : types;
      if (into.has(comment[2]!)) throw new Error(`${comment[1]} of ${comment[2]} a second time`);
      into.set(comment[2]!, comment[3]!);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample) throw new Error(`no sample: ${line}`);
    const labels = [...(sample[2] ?? '').matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",/g)];
    if (labels.map((each) => each[0]).join('') !== (sample[2] ?? '')) throw new Error(`labels: ${line}`);
    samples.push({ name: sample[1]!, labels: labels.map((each) => [each[1]!, each[2]!] as const), value: sample[3]! });
  }
  return { help, types, samples };
}

export function recorded(version: string, process: 'jobmanager' | 'taskmanager'): Exposition {
  return parseExposition(gunzipSync(readFileSync(new URL(`../golden/prometheus/${version}-${process}.txt.gz`, import.meta.url))).toString('utf8'));
}

/** By sample name: help, type and label keys in their order, as one text each. */
export function shape({ help, types, samples }: Exposition): Record<string, string> {
  const shapes: Record<string, string> = {};
  for (const { name, labels } of samples) {
    const family = types.has(name) ? name : name.replace(/_(count|sum)$/, '');
    shapes[name] = `${types.get(family)} | ${help.get(family)} | ${[...new Set(labels.map(([key]) => key).filter((key) => key !== 'quantile'))].join()}`;
  }
  return shapes;
}
