import { h, setOptions, type Child } from './dom.js';
import { store } from './store.js';

/** As much of JSON Schema as the control API's schemas make use of. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

/** Values to begin with, where the schema has none: something that shows. */
const BEGIN: Readonly<Record<string, unknown>> = {
  rate: '500/s', serviceTime: '20 ms', selectivity: 2, recordSize: '64 KiB', capacity: '50/s', for: '30 s', by: '10 s', meanTimeBetweenDisconnects: '1 min', bytesPerSecond: '1 MiB', latency: '2 s', count: 1, parallelism: 4, afterRecords: 10_000,
  skew: { hotKeys: [{ key: 'hot', share: 0.6 }] }, state: 'down', status: 503, requests: 5, per: '10 s', over: '5 s', contentType: 'text/plain', answers: [{ status: 502, text: 'Bad gateway' }], override: { '/jobs/0/status': 'FAILED' }, path: '/**',
};

export interface Field {
  readonly name: string;
  readonly element: HTMLElement;
  /** undefined = left out. Throws with a sentence where what was typed is nothing. */
  value(): unknown;
  /** Names that can be chosen are those that there are now. */
  update(): void;
}

/** Names that the cluster knows, for the fields that take one. */
function namesFor(field: string): (() => readonly (readonly [string, string])[]) | null {
  const taskManagers = () => (store.state?.taskManagers ?? []).map(({ id, host }) => [id, id.includes(host) ? id : `${id} on ${host}`] as const);
  switch (field) {
    case 'job':
      return () => (store.state?.jobs ?? []).filter(({ status }) => !['FAILED', 'CANCELED', 'FINISHED'].includes(status)).map(({ id, name }) => [id, name] as const);
    case 'operator':
      return () => (store.graph?.vertices ?? []).flatMap(({ operators }) => operators.map(({ id, name }) => [id, name] as const));
    case 'topic':
      return () => (store.state?.topics ?? []).map((name) => [name, name] as const);
    case 'taskManager':
    case 'first':
      return taskManagers;
    case 'second':
      return () => [...taskManagers()].reverse();
    default:
      return null;
  }
}

const words = (name: string): string => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace('kafka', 'Kafka');

/** A field for a property, as its schema has it. */
export function fieldFor(name: string, schema: JsonSchema, required: boolean): Field {
  const label = (control: HTMLElement, hint: string | undefined): HTMLElement => h('label', { class: 'field' }, h('span', { class: 'field-name' }, words(name)), control, hint === undefined ? null : h('small', { class: 'muted' }, hint.replaceAll('`', '').replace('null = ', 'left empty: ')));
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const names = namesFor(name);
  const initial = schema.default ?? BEGIN[name];
  if (names !== null) {
    const select = h('select', { name });
    const update = (): void => setOptions(select, names().length === 0 ? [['', 'there is none']] : names());
    update();
    if (name === 'job' && store.jobId !== null) select.value = store.jobId;
    const operators = name === 'operator' && store.vertex !== null ? store.graph?.vertices[store.vertex]?.operators : undefined;
    if (operators?.[0]) select.value = operators.at(-1)!.id;
    return { name, element: label(select, undefined), value: () => (select.value === '' ? undefined : select.value), update };
  }
  if (schema.enum !== undefined) {
    const select = h('select', { name }, schema.enum.map((each) => h('option', { value: String(each) }, String(each))));
    if (initial !== undefined && schema.enum.includes(initial)) select.value = String(initial);
    return { name, element: label(select, schema.description), value: () => select.value, update: () => undefined };
  }
  if (types.includes('boolean')) {
    const box = h('input', { type: 'checkbox', name, checked: schema.const === true || initial === true });
    return { name, element: label(box, schema.description), value: () => box.checked, update: () => undefined };
  }
  const structured = types.some((type) => type === 'object' || type === 'array');
  const text = structured && !types.includes('string') ? JSON.stringify(initial ?? null) : initial === null || initial === undefined ? '' : String(initial);
  const input = h('input', { type: 'text', name, value: text, required, autocomplete: 'off', spellcheck: 'false', placeholder: types.includes('null') ? 'none' : '' });
  const hint = schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description;
  return { name, element: label(input, structured && types.includes('string') ? `${hint ?? ''}; or as JSON` : hint), value: () => read(input.value.trim(), types, structured, required, name), update: () => undefined };
}

/** A typed text as a value; undefined = left out. Throws with a sentence where it is none. */
export function read(text: string, types: readonly string[], structured: boolean, required: boolean, name: string): unknown {
  if (text === '') return required ? (types.includes('null') ? null : '') : undefined;
  if (structured && (/^[[{"]/.test(text) || text === 'null')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Error(`${words(name)}: this is no JSON`);
    }
  }
  const isNumber = types.includes('number') || types.includes('integer');
  if (!isNumber) return text;
  const value = Number(text);
  if (Number.isNaN(value) && !types.includes('string')) throw new Error(`${words(name)}: found “${text}”, a number is needed`);
  return Number.isNaN(value) ? text : value;
}

export interface Form {
  readonly element: HTMLElement;
  value(): Record<string, unknown>;
  update(): void;
}

/** Fields for all properties of a map. */
export function formFor(schema: JsonSchema): Form {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => fieldFor(name, property, schema.required?.includes(name) ?? false));
  const children: Child[] = fields.length === 0 ? [h('p', { class: 'muted' }, 'Nothing to fill in.')] : fields.map(({ element }) => element);
  return {
    element: h('div', { class: 'fields' }, children),
    value: () => Object.fromEntries(fields.map((field) => [field.name, field.value()] as const).filter(([, value]) => value !== undefined)),
    update: () => {
      for (const field of fields) field.update();
    },
  };
}

/** A form for one value, under its name. */
export function singleForm(name: string, schema: JsonSchema): Form {
  const field = fieldFor(name, schema, true);
  return { element: h('div', { class: 'fields' }, field.element), value: () => ({ [name]: field.value() }), update: () => undefined };
}
