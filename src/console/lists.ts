import { describeCheckpoint, STAGES, stagesOf } from './checkpoint-chart.js';
import { h, setText, shareBar } from './dom.js';
import { bytes, clockTime, count, duration, exactTime } from './format.js';
import { store } from './store.js';
import { keyedTable } from './table.js';
import type { Tab } from './tabs.js';

const SHOWN_ENTRIES = 400;

/** Checkpoints with their stages, the newest first. */
export function checkpointsTab(): Tab {
  const table = keyedTable(
    'Checkpoints',
    [{ name: 'Id' }, { name: 'Status', left: true }, { name: 'Triggered' }, { name: 'Duration' }, { name: 'Acknowledged' }, { name: 'State' }, { name: 'Stages of the slowest task', left: true }, { name: 'Start delay' }, { name: 'Alignment' }, { name: 'Sync' }, { name: 'Async' }, { name: 'Slowest task, or what went wrong', left: true, wide: true }],
    'There is no checkpoint.',
  );
  const says = h('p', { class: 'sums' });
  return {
    id: 'checkpoints',
    title: 'Checkpoints',
    content: h('div', {}, says, table.element),
    update: () => {
      const checkpoints = store.state?.job?.checkpoints;
      if (!checkpoints) {
        setText(says, store.state?.job ? 'Checkpointing is off for this job.' : 'There is no job.');
        table.show([]);
        return;
      }
      const { completed, failed, inProgress, intervalMs, timeoutMs, mode, recent } = checkpoints;
      setText(says, `${count(completed)} completed, ${count(failed)} failed, ${count(inProgress)} in progress · ${mode}, ${intervalMs === null ? 'not periodic' : `every ${duration(intervalMs)}`}, time-out ${duration(timeoutMs)}`);
      table.show(
        recent.map((checkpoint) => {
          const { id, status, savepoint, triggerMs, durationMs, acknowledged, subtasks, stateBytes, slowest, failure } = checkpoint;
          const stages = stagesOf(checkpoint);
          const bar = shareBar(STAGES.map(([stage], index) => [stage, stages[index]! / Math.max(1, durationMs)]), describeCheckpoint(checkpoint));
          bar.classList.add('stages');
          return {
            key: String(id),
            tone: status === 'FAILED' ? 'row-h' : status === 'IN_PROGRESS' ? 'row-l' : '',
            cells: [`${id}${savepoint ? ' savepoint' : ''}`, status.toLowerCase().replace('_', ' '), clockTime(triggerMs), duration(durationMs), `${count(acknowledged)} of ${count(subtasks)}`, bytes(stateBytes), bar, duration(slowest?.startDelayMs), duration(slowest?.alignmentMs), duration(slowest?.syncMs), duration(slowest?.asyncMs), failure ?? (slowest === null ? 'none has acknowledged yet' : `${slowest.vertex} (${slowest.subtask + 1})`)],
          };
        }),
      );
    },
  };
}

const KIND_NAMES: Readonly<Record<string, string>> = { scenario: 'scenario', live: 'by hand', 'http-fault': 'HTTP fault', checkpoint: 'checkpoint', failure: 'failure', job: 'job', 'task-manager': 'task manager' };

/** What has happened, the latest first: the time-line in words. */
export function eventsTab(): Tab {
  const table = keyedTable('Events', [{ name: 'Time' }, { name: 'What', left: true }, { name: 'Event', left: true, wide: true }], 'Nothing has happened yet.');
  const kind = h('select', { 'aria-label': 'Kind', onchange: () => update() }, [['', 'everything'], ['calm', 'all but completed checkpoints'], ...Object.entries(KIND_NAMES)].map(([value, text]) => h('option', { value: value! }, text!)));
  kind.value = 'calm';
  const update = (): void => {
    const fits = store.entries.filter((entry) => (kind.value === '' ? true : kind.value === 'calm' ? entry.kind !== 'checkpoint' || entry.grave : entry.kind === kind.value));
    table.show(fits.slice(-SHOWN_ENTRIES).sort((a, b) => b.atMs - a.atMs || b.sequence - a.sequence).map(({ sequence, atMs, kind: what, text, grave }) => ({ key: String(sequence), tone: grave ? 'row-h' : '', cells: [exactTime(atMs), KIND_NAMES[what]!, text] })));
  };
  return { id: 'events', title: 'Events', content: h('div', {}, h('div', { class: 'panel-head' }, h('label', {}, 'Show ', kind)), table.element), update };
}
