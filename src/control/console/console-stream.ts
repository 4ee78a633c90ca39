import type { ClusterControl } from '../cluster-control.js';
import type { FeedEvent } from '../event-feed.js';
import type { EventStream } from '../event-streams.js';
import type { ConsoleControl, Since } from './console-control.js';
import type { ConsoleState } from './console-types.js';

/** How often what has changed is told, wall ms, and how soon after another what somebody did. */
const PACE_MS = 500;
const SOONEST_MS = 250;

/** What is told without waiting for the pace. */
const URGENT: ReadonlySet<FeedEvent['type']> = new Set<FeedEvent['type']>(['clock', 'reset', 'event', 'job', 'task-manager']);

/**
 * The console's state, whenever it has changed: at the pace while the clock runs, not at all while it stands and nothing happens. Who has not
 * read the last one yet gets the next when it has.
 */
export function streamState(control: ClusterControl, console: ConsoleControl, stream: EventStream, jobId: string | undefined, from: Since): void {
  let shown = jobId;
  let since = from;
  let stamp = '';
  let toldAt = 0;
  let soon: NodeJS.Timeout | undefined;
  const tell = (): void => {
    control.recorder.watch();
    control.catchUp();
    const now = stampOf(control);
    // The stream's own beginning leaves together with the first state.
    if (now === stamp || (toldAt > 0 && stream.isWaiting)) return;
    stamp = now;
    toldAt = performance.now();
    const state = console.state(shown, since);
    shown = state.job?.id;
    since = after(state, since);
    stream.write('state', state);
  };
  const unsubscribe = control.feed.subscribe(({ type }) => {
    if (!URGENT.has(type)) return;
    stamp = '';
    if (soon !== undefined) return;
    soon = setTimeout(() => {
      soon = undefined;
      tell();
    }, Math.max(0, toldAt + SOONEST_MS - performance.now()));
    soon.unref();
  });
  const pace = setInterval(() => {
    if (performance.now() - toldAt >= SOONEST_MS) tell();
  }, PACE_MS);
  pace.unref();
  stream.onEnd(() => {
    unsubscribe();
    clearInterval(pace);
    clearTimeout(soon);
  });
  tell();
}

function after({ epoch, samples, entries }: ConsoleState, since: Since): Since {
  const known = since.epoch === epoch ? since : { sample: -Infinity, entry: 0 };
  return { epoch, sample: samples.at(-1)?.atMs ?? known.sample, entry: entries.at(-1)?.sequence ?? known.entry };
}

/** Is another one when anything that the console shows may have changed. */
function stampOf({ clock, state, recorder, journal, history, faults, events }: ClusterControl): string {
  const { mode, nowMs, speed, paused } = clock.view();
  return JSON.stringify([mode, nowMs, speed, paused, state.nowMs, state.revision, recorder.epoch, journal.total, history.listMarks(), faults.list().map(({ id, struck }) => [id, struck]), events.pending().map(({ id }) => id)]);
}
