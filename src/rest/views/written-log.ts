import { formatLog, formattedBytes } from '../../simulation/logs/index.js';
import type { LogEntry, LogState } from '../../simulation/state/log-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';

/** What was made of the first so many entries of a file, whose oldest one was `first`. */
interface Made<T> {
  readonly first: LogEntry | undefined;
  readonly entries: number;
  readonly value: T;
}

/** Something that grows with a file: of what has come since the last time, only that is made. */
function growing<T>(empty: T, more: (state: SimulationState, log: LogState, sofar: T) => T): (state: SimulationState, log: LogState) => T {
  const known = new WeakMap<readonly LogEntry[], Made<T>>();
  return (state, { entries }) => {
    const [first] = entries;
    const before = known.get(entries);
    // The oldest entries go when there are too many.
    const { entries: count, value } = before !== undefined && before.first === first && before.entries <= entries.length ? before : { entries: 0, value: empty };
    if (count === entries.length) return value;
    const made = { first, entries: entries.length, value: more(state, { entries: entries.slice(count), droppedEntries: 0 }, value) };
    known.set(entries, made);
    return made.value;
  };
}

/** The text of a log file. */
export const writtenText = growing('', (state, log, text) => text + formatLog(state, log));

/** Its length in bytes, without writing it. */
export const writtenBytes = growing(0, (state, log, bytes) => bytes + formattedBytes(state, log, Buffer.byteLength));
