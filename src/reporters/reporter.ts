import type { LogEntry } from '../simulation/state/log-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { FlinkVersion } from '../versions/flink-versions.js';
import type { ReporterMemory } from './reporter-memory.js';

/** What a reporter knows of the server around it. */
export interface ReporterSurroundings {
  readonly state: SimulationState;
  readonly version: FlinkVersion;
  /** Address that endpoints listen on. */
  readonly host: string;
  /** Writes a line into the log of a process. */
  readonly logLine: (process: string, level: LogEntry['level'], logger: string, message: string) => void;
  readonly warn: (message: string) => void;
  /** What this reporter remembers from report to report; snapshots hold it. */
  readonly memory: ReporterMemory;
}

/** Sends a report. Those of a reporter are sent one after the other. */
export type Delivery = () => Promise<void>;

export interface Reporter {
  /** Reads what there is at state.nowMs, and gives what is to be done with it; null = nothing more. */
  report?(): Delivery | null;
  /** Processes came or went. */
  processesChanged?(): Promise<void>;
  close(): Promise<void>;
}
