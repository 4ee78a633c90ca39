import type { ConsoleForms } from '../control/console/console-types.js';
import { get } from './api.js';
import { h, replace, setText } from './dom.js';
import { fieldFor, formFor, singleForm, type Form, type JsonSchema } from './form.js';
import { clockTime } from './format.js';
import { act, say } from './messages.js';
import { store } from './store.js';
import { submitForm } from './submit-form.js';
import { keyedTable } from './table.js';
import { setBadge, type Tab } from './tabs.js';

const SUBMIT = 'submitJob';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Where a fault stands in the list; what the server knows beside these comes last. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Operators', ['setServiceTime', 'setSkew', 'failSubtask', 'setSinkCapacity', 'setSelectivity', 'setRecordSize', 'setFailure']],
  ['Load', ['burst', 'setTopicRate', 'setSourceRate']],
  ['Kafka, storage', ['setKafkaBroker', 'setKafkaFlakiness', 'setCheckpointStorage']],
  ['Checkpoints', ['failCheckpoint', 'declineCheckpoint', 'delayCheckpoint', 'expireCheckpoints', 'triggerSavepoint']],
  ['Task managers', ['killTaskManager', 'addTaskManagers', 'pauseTaskManager', 'partitionTaskManager', 'collectGarbage', 'disconnectTaskManagers', 'outOfMemory']],
  ['Job manager', ['crashJobManager', 'failOverJobManager', 'revokeLeadership', 'jumpClock']],
  ['Jobs', [SUBMIT, 'rescaleJob', 'failJob', 'cancelJob']],
];

const words = (name: string): string => {
  const text = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace('kafka', 'Kafka');
  return text[0]!.toUpperCase() + text.slice(1);
};

/** Faults to click, from the schemas of the control API; what is in force, and how to stop it. */
export function faultsTab(): Tab {
  const list = h('div', { class: 'fault-list' });
  const place = h('div', { class: 'fault-form' }, h('p', { class: 'note' }, 'Choose what is to happen.'));
  const active = keyedTable('Faults in force', [{ name: 'In force', left: true, wide: true }, { name: 'Ends' }, { name: '' }], 'Everything is as the scenario has it.');
  const pending = keyedTable('Events to come', [{ name: 'To come', left: true, wide: true }, { name: 'At' }, { name: '' }], 'No event is waiting.');
  const content = h('div', {}, h('div', { class: 'faults' }, list, place, h('div', { class: 'fault-state', id: 'active-faults' }, active.element, pending.element)));
  let form: Form | null = null;
  let loaded = false;

  const load = async (): Promise<void> => {
    loaded = true;
    const forms = await get<ConsoleForms>('/console/forms');
    const { events, httpFaults, httpRequests } = forms as unknown as { events: Schemas; httpFaults: Schemas; httpRequests: Schemas };
    const grouped = new Set(GROUPS.flatMap(([, names]) => names));
    const rest = Object.keys(events).filter((name) => !grouped.has(name));
    const groups = [...GROUPS, ...(rest.length > 0 ? [['More', rest] as const] : [])];
    replace(
      list,
      groups.map(([title, names]) => group(title, names.filter((name) => name in events || name === SUBMIT).map((name) => button(name, () => (name === SUBMIT ? chooseEvent(SUBMIT, 'One job more, beside those that run.', submitForm(forms.programs), 'Submit') : chooseEvent(name, events[name]!.description, formFor(events[name]!))))))),
      group('HTTP answers', [...Object.keys(httpFaults).map((name) => button(name, () => chooseHttp(name, httpFaults[name]!, httpRequests), 'http')), button('refuseConnections', chooseRefusal, 'http')]),
    );
  };
  const group = (title: string, buttons: readonly HTMLElement[]): HTMLElement => h('div', { class: 'fault-group', role: 'group', 'aria-label': title }, h('h3', {}, title), h('div', { class: 'chips' }, buttons));
  const button = (name: string, choose: () => void, kind = 'event'): HTMLButtonElement =>
    h('button', { type: 'button', class: 'chip', 'data-fault': `${kind}-${name}`, onclick: (event: MouseEvent) => {
      for (const each of list.querySelectorAll('.chip')) each.setAttribute('aria-pressed', String(each === event.currentTarget));
      choose();
    } }, words(name));

  const show = (title: string, description: string | undefined, body: Form, more: readonly HTMLElement[], submitText: string, submit: () => Promise<boolean>): void => {
    form = body;
    const send = h('button', { type: 'submit', class: 'primary' }, submitText);
    const element = h(
      'form',
      {
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          send.disabled = true;
          void submit()
            .catch((error: Error) => say(error.message, true))
            .finally(() => (send.disabled = false));
        },
      },
      h('h3', {}, title),
      description === undefined ? null : h('p', { class: 'muted' }, description),
      body.element,
      more,
      h('div', { class: 'form-actions' }, send),
    );
    replace(place, element);
    // On narrow screens it stands below the list.
    if (matchMedia('(max-width: 1100px)').matches) place.scrollIntoView({ block: 'start' });
    else place.scrollTop = 0;
  };
  const chooseEvent = (name: string, description: string | undefined, body: Form, submitText = 'Do it'): void => {
    const later = h('input', { type: 'text', name: 'after', placeholder: 'now', autocomplete: 'off' });
    const at = h('label', { class: 'field' }, h('span', { class: 'field-name' }, 'in'), later, h('small', { class: 'muted' }, 'seconds of virtual time from now; now when left empty'));
    show(words(name), description, body, [at], submitText, async () => {
      const seconds = Number(later.value.trim());
      if (!(seconds >= 0)) throw new Error('in: a number of seconds is needed, or nothing');
      const instant = seconds > 0 && store.state !== null ? { at: new Date(store.state.clock.nowMs + seconds * 1_000).toISOString() } : {};
      return act({ method: 'POST', path: '/events', body: { [name]: body.value(), ...instant } }, seconds > 0 ? `${words(name)}: in ${seconds} s.` : `${words(name)}: done.`);
    });
  };
  const chooseHttp = (name: string, schema: JsonSchema, requests: Schemas): void => {
    const whole = schema.properties !== undefined && schema.anyOf === undefined;
    const body = whole ? formFor(schema) : singleForm(name, schema);
    const where = ['path', 'method', 'probability', 'times'].filter((field) => field in requests).map((field) => fieldFor(field, field === 'method' ? { enum: ['any', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } : requests[field]!, false));
    show(words(name), schema.description, body, [h('div', { class: 'fields' }, h('h4', {}, 'Which requests'), where.map(({ element }) => element))], 'Add the fault', async () => {
      const frame = Object.fromEntries(where.map((field) => [field.name, field.value()] as const).filter(([field, value]) => value !== undefined && !(field === 'method' && value === 'any')));
      const effect = whole ? { [name]: body.value() } : body.value();
      return act({ method: 'POST', path: '/faults', body: { ...effect, ...frame } }, `HTTP fault added: ${words(name).toLowerCase()}.`);
    });
  };
  const chooseRefusal = (): void => {
    const body = formFor({ properties: { forMs: { type: 'integer', default: 3_000, description: 'Wall time, milliseconds. Nobody can connect meanwhile, this page neither (unless the control API has a port of its own).' } }, required: ['forMs'] });
    show('Refuse connections', 'The port is closed for a while.', body, [], 'Close the port', () => act({ method: 'POST', path: '/connections/refuse', body: body.value() }, 'The port is closed.'));
  };

  const showState = (): void => {
    const { state } = store;
    if (state === null) return;
    setBadge('faults', state.faults.length === 0 ? '' : String(state.faults.length));
    active.show(
      state.faults.map(({ id, kind, text, untilMs, stop }) => ({
        key: id,
        tone: kind === 'http' ? 'row-l' : 'row-h',
        cells: [text, untilMs === null ? (stop === null ? 'by itself' : 'when stopped') : clockTime(untilMs), stop === null ? '' : h('button', { type: 'button', 'data-stop': id, onclick: () => void act(stopOf(id), 'Stopped: this is as the scenario has it again.') }, 'Stop')],
      })),
    );
    pending.show(state.pending.slice(0, 50).map(({ id, atMs, text, origin }) => ({ key: String(id), cells: [`${text}${origin === 'scenario' ? '' : ' (by hand)'}`, clockTime(atMs), h('button', { type: 'button', onclick: () => void act({ method: 'DELETE', path: `/events/${id}` }, 'Taken back.') }, 'Take back')] })));
    form?.update();
  };
  // What stops a fault may change while it lasts (a rate that was planned): the latest is taken.
  const stopOf = (id: string) => store.state?.faults.find((fault) => fault.id === id)?.stop ?? { method: 'DELETE' as const, path: `/faults/${id}` };
  return {
    id: 'faults',
    title: 'Faults',
    content,
    update: () => {
      if (!loaded) void load().catch((error: Error) => {
        loaded = false;
        setText(place, error.message);
      });
      showState();
    },
  };
}
