import type { Program } from '../scenario/job-templates.js';
import { h, replace } from './dom.js';
import { read, type Form } from './form.js';

const WRITTEN = '';

/** A job to begin with, where none of the scenario's programs is wanted; as under `jobs:` in a scenario. */
const EXAMPLE = {
  name: 'numbers',
  parallelism: 2,
  checkpointing: { interval: '10 s' },
  vertices: [
    { operators: [{ name: 'Source: numbers', serviceTime: '20 us', source: { rate: '500/s' } }] },
    { operators: [{ name: 'Map', serviceTime: '1 ms' }] },
    { operators: [{ name: 'Sink: out', serviceTime: '50 us', sink: {} }] },
  ],
  edges: [
    { from: 'Source: numbers', to: 'Map', ship: 'REBALANCE' },
    { from: 'Map', to: 'Sink: out', ship: 'HASH' },
  ],
};

/** What `submitJob` takes: a program of the scenario with its arguments, or a whole job. */
export function submitForm(programs: readonly Program[]): Form {
  const program = h('select', { name: 'program', onchange: () => choose() }, programs.map(({ entryClass }) => h('option', { value: entryClass }, entryClass)), h('option', { value: WRITTEN }, 'a job written here'));
  const place = h('div', { class: 'fields' });
  const field = (name: string, control: HTMLElement, hint: string, whole = false): HTMLElement => h('label', { class: whole ? 'field whole' : 'field' }, h('span', { class: 'field-name' }, name), control, h('small', { class: 'muted' }, hint));
  const input = (name: string, placeholder: string): HTMLInputElement => h('input', { type: 'text', name, placeholder, autocomplete: 'off', spellcheck: 'false' });
  let value = (): unknown => ({});

  const showProgram = ({ entryClass, description, parameters }: Program): void => {
    const parallelism = input('parallelism', '1');
    const given = parameters.map(({ name, default: usual }) => [name, input(name, usual ?? 'not set')] as const);
    value = () => {
      const wanted = read(parallelism.value.trim(), ['integer'], false, false, 'parallelism');
      const args = given.flatMap(([name, { value: text }]) => (text.trim() === '' ? [] : [name, text.trim()]));
      return { template: { entryClass, arguments: args, ...(wanted === undefined ? {} : { parallelism: wanted }) } };
    };
    replace(
      place,
      description === '' ? null : h('p', { class: 'muted whole' }, description),
      field('parallelism', parallelism, 'where the program sets none'),
      parameters.length === 0 ? null : h('h4', {}, 'Arguments'),
      parameters.map(({ name, type }, index) => field(name, given[index]![1], type)),
    );
  };
  const showWritten = (): void => {
    const text = h('textarea', { name: 'job', rows: 12, spellcheck: 'false', autocomplete: 'off' });
    text.value = JSON.stringify(EXAMPLE, null, 2);
    value = () => {
      const job = read(text.value.trim(), ['object'], true, true, 'job');
      if (typeof job !== 'object' || job === null) throw new Error('job: this is no JSON object');
      return job;
    };
    replace(place, field('job', text, 'as under jobs: in a scenario, as JSON', true));
  };
  const choose = (): void => {
    const chosen = programs.find(({ entryClass }) => entryClass === program.value);
    if (chosen) showProgram(chosen);
    else showWritten();
  };
  choose();
  const hint = programs.length === 0 ? 'this scenario has no programs (jars:)' : 'entry class of a program of the scenario';
  return { element: h('div', { class: 'fields' }, field('program', program, hint, true), place), value: () => value() as Record<string, unknown>, update: () => undefined };
}
