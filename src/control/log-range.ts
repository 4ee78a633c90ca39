import type { SimulationState } from '../simulation/state/simulation-state.js';
import { logText, processLogs } from '../rest/views/log-files.js';
import { ControlError } from './problem.js';

/** A piece of a log file, and where the next one begins. */
export interface LogRange {
  readonly process: string;
  readonly file: string;
  /** Bytes of the whole file, of which this piece begins at `offset`. */
  readonly size: number;
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}

/** What a process's log file holds from a byte on; whole lines' worth is not promised, whole characters are. */
export function readLog(state: SimulationState, process: string, name: string | undefined, offset: number, limit: number): LogRange {
  const logs = processLogs(state, process);
  if (!logs) throw new ControlError(404, `There is no process ${process}; allowed: jobmanager, ${[...state.taskManagers.keys()].join(', ')}`);
  const file = name === undefined ? logs.log : logs.folder.find((one) => one.name === name);
  if (!file) throw new ControlError(404, `There is no file ${name}; allowed: ${logs.folder.map((one) => one.name).join(', ')}`);
  const bytes = Buffer.from(logText(state, file));
  const from = Math.min(offset, bytes.length);
  let to = Math.min(from + limit, bytes.length);
  while (to > from && to < bytes.length && (bytes[to]! & 0xc0) === 0x80) to--;
  return { process, file: file.name, size: bytes.length, offset: from, next: to, text: bytes.toString('utf8', from, to) };
}
