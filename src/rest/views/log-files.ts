import type { LogState } from '../../simulation/state/log-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { writtenBytes, writtenText } from './written-log.js';

/** A file in the log folder of a process. */
export interface LogFile {
  readonly name: string;
  readonly log: LogState;
  /** Epoch ms at which the process made the file. */
  readonly createdMs: number;
}

interface Process {
  readonly host: string;
  readonly startMs: number;
  readonly log: LogState;
  readonly stdout: LogState;
  /** Name of its files without the ending. */
  readonly fileName: string;
}

/** On YARN each container has a folder of its own, with files named after the role. */
function isContainer(id: string): boolean {
  return id.startsWith('container_');
}

function processes(state: SimulationState): { jobManager: Process; taskManagers: Map<string, Process> } {
  const { jobManager } = state;
  const onYarn = [...state.taskManagers.keys()].some(isContainer);
  const taskManagers = new Map<string, Process>();
  const indexOnHost = new Map<string, number>();
  // A process keeps the number it got when it started, also when an earlier one is gone.
  for (const { host, rpcPort } of state.model.cluster.taskManagers) indexOnHost.set(`${host}:${rpcPort}`, [...indexOnHost.keys()].filter((key) => key.startsWith(`${host}:`)).length);
  for (const taskManager of state.taskManagers.values()) {
    const { id, host, rpcPort, startMs, log, stdout } = taskManager;
    const key = `${host}:${rpcPort}`;
    if (!indexOnHost.has(key)) indexOnHost.set(key, [...indexOnHost.keys()].filter((other) => other.startsWith(`${host}:`)).length);
    taskManagers.set(id, { host, startMs, log, stdout, fileName: onYarn ? 'taskmanager' : `flink-root-taskexecutor-${indexOnHost.get(key)}-${host}` });
  }
  const { host, startMs, log, stdout } = jobManager;
  return { jobManager: { host, startMs, log, stdout, fileName: onYarn ? 'jobmanager' : `flink-root-${state.model.cluster.application ? 'standalonejob' : 'standalonesession'}-0-${host}` }, taskManagers };
}

/** Main log and standard output of a process. */
export interface ProcessLogs {
  readonly log: LogFile;
  readonly stdout: LogFile;
  /** All files of its log folder, which processes on one host share. */
  readonly folder: readonly LogFile[];
}

/** Log files of the job manager (`'jobmanager'`) or of a task manager; null when there is no such process. */
export function processLogs(state: SimulationState, processId: string): ProcessLogs | null {
  const { jobManager, taskManagers } = processes(state);
  const process = processId === 'jobmanager' ? jobManager : taskManagers.get(processId);
  if (!process) return null;
  const file = ({ fileName, log, stdout, startMs }: Process, ending: 'log' | 'out'): LogFile => ({ name: `${fileName}.${ending}`, log: ending === 'log' ? log : stdout, createdMs: startMs });
  const neighbours = isContainer(processId) || process.fileName === 'jobmanager' ? [process] : [jobManager, ...taskManagers.values()].filter(({ host }) => host === process.host);
  const [first, ...others] = neighbours;
  return {
    log: file(process, 'log'),
    stdout: file(process, 'out'),
    folder: [file(first!, 'out'), file(first!, 'log'), ...others.map((one) => file(one, 'log')), ...others.map((one) => file(one, 'out')), ...neighbours.flatMap(rolledFiles)],
  };
}

/** Files that were set aside: `.log.1` is the oldest. */
function rolledFiles({ fileName, log, startMs }: Process): LogFile[] {
  return (log.rolled ?? []).map((entries, index) => ({ name: `${fileName}.log.${index + 1}`, log: { entries, droppedEntries: 0 }, createdMs: startMs }));
}

/** The text of a file, as the process has written it so far. */
export function logText(state: SimulationState, file: LogFile): string {
  return writtenText(state, file.log);
}

/** Its length. */
export function logBytes(state: SimulationState, file: LogFile): number {
  return writtenBytes(state, file.log);
}

/** Epoch ms of the last write. */
export function lastWrittenMs(file: LogFile): number {
  return Math.floor(file.log.entries.at(-1)?.timeMs ?? file.createdMs);
}
