import { removeMark, resetTo, runUntil, setMark, setSpeed, SPEEDS, step, togglePause } from './clock-actions.js';
import { byId, h, replace, setOptions, setText } from './dom.js';
import { amount, clockTime, count, day } from './format.js';
import { onChange, store } from './store.js';

const STEPS = [
  [1_000, '1 s'],
  [10_000, '10 s'],
  [60_000, '1 min'],
  [600_000, '10 min'],
] as const;

/** Virtual time that `until` may take, hours. */
const UNTIL_LIMIT_MS = 6 * 3_600_000;

interface Until {
  readonly text: string;
  readonly condition: () => object;
}

const job = () => (store.jobId === null ? {} : { job: store.jobId });
const vertex = () => (store.vertex === null ? undefined : store.graph?.vertices[store.vertex]?.id);

/** What can be waited for with one click; conditions of the control API. */
const UNTIL: Readonly<Record<string, Until>> = {
  completed: { text: 'a checkpoint completes', condition: () => ({ checkpointCompleted: job() }) },
  failed: { text: 'another checkpoint fails', condition: () => ({ checkpointFailed: { ...job(), count: (store.state?.job?.checkpoints?.failed ?? 0) + 1 } }) },
  restart: { text: 'the job restarts', condition: () => ({ restarts: { ...job(), count: (store.state?.job?.restarts ?? 0) + 1 } }) },
  running: { text: 'all tasks run', condition: () => ({ allTasksRunning: job() }) },
  high: { text: 'the vertex is back-pressured HIGH', condition: () => ({ vertexLevel: { ...job(), vertex: vertex(), level: 'high' } }) },
  ok: { text: 'the vertex is OK again', condition: () => ({ vertexLevel: { ...job(), vertex: vertex(), level: 'ok' } }) },
  lag: { text: 'the lag has doubled', condition: () => ({ lagAbove: { ...job(), records: Math.max(1_000, 2 * (store.state?.job?.lag ?? 0)) } }) },
  drained: { text: 'the lag is gone', condition: () => ({ lagBelow: { ...job(), records: 100 } }) },
  ended: { text: 'the job has failed', condition: () => ({ jobStatus: { ...job(), status: 'FAILED' } }) },
};

/** The clock in hand: pause, speed, steps, until, marks. */
export function startClockBar(): void {
  const time = h('output', { class: 'now', 'aria-label': 'Cluster time' }, '–');
  const date = h('span', { class: 'muted' });
  const play = h('button', { type: 'button', class: 'primary play', id: 'play', onclick: togglePause, title: 'Pause or run (space)' }, 'Pause');
  const speeds = SPEEDS.map((speed) => h('button', { type: 'button', 'data-speed': speed, 'aria-pressed': 'false', onclick: () => void setSpeed(speed) }, `×${count(speed)}`));
  const until = h('select', { 'aria-label': 'Run until' }, Object.entries(UNTIL).map(([key, { text }]) => h('option', { value: key }, text)));
  const run = h('button', { type: 'button', id: 'run-until', onclick: () => void runChosen() }, 'Run until');
  const marks = h('select', { 'aria-label': 'Mark' });
  const forget = h('button', { type: 'button', onclick: () => removeMark(marks.value), title: 'Forget this mark' }, 'Forget');
  const runChosen = async (): Promise<void> => {
    const { text, condition } = UNTIL[until.value]!;
    run.disabled = true;
    await runUntil(condition(), UNTIL_LIMIT_MS, text);
    run.disabled = false;
  };
  replace(
    byId('clock'),
    h('div', { class: 'time' }, time, date),
    play,
    h('div', { class: 'segments', role: 'group', 'aria-label': 'Speed' }, speeds),
    h('div', { class: 'segments', role: 'group', 'aria-label': 'Step' }, STEPS.map(([ms, text]) => h('button', { type: 'button', 'data-step': ms, onclick: () => step(ms) }, `+${text}`))),
    h('div', { class: 'pair' }, run, until),
  );
  replace(
    byId('marks'),
    h('div', { class: 'pair' }, h('button', { type: 'button', id: 'set-mark', onclick: () => void addMark(), title: 'Remember this instant (m)' }, 'Set mark'), marks, h('button', { type: 'button', id: 'go-back', onclick: () => resetTo(marks.value), title: 'Everything as it was at the mark; what was done by hand since is undone' }, 'Go back'), forget),
  );
  onChange(() => {
    if (store.state === null) return;
    const { clock, marks: known } = store.state;
    setText(time, clockTime(clock.nowMs));
    setText(date, `${day(clock.nowMs)}${clock.mode === 'manual' ? ', manual clock' : clock.paused ? ', paused' : ''}${clock.mode === 'manual' || SPEEDS.some((speed) => speed === clock.speed) ? '' : `, ×${amount(clock.speed)}`}`);
    setText(play, clock.mode === 'manual' ? 'Manual' : clock.paused ? 'Run' : 'Pause');
    play.setAttribute('aria-pressed', String(clock.paused));
    for (const button of speeds) button.setAttribute('aria-pressed', String(Number(button.dataset['speed']) === clock.speed));
    setOptions(marks, known.map(({ name, atMs }) => [name, `${name}, ${clockTime(atMs)}`]));
    forget.disabled = marks.value === 'start';
  });
}

/** `mark-1`, `mark-2` …: the next that is free. */
export async function addMark(): Promise<void> {
  const names = new Set(store.state?.marks.map(({ name }) => name));
  let number = 1;
  while (names.has(`mark-${number}`)) number++;
  await setMark(`mark-${number}`);
}
