import type { LogRolling } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

/** What Flink's log4j.properties say when nobody changed them: 100 MB, MAX_LOG_FILE_NUMBER. */
const DEFAULT: LogRolling = { maxBytes: 100_000_000, files: 10 };

/** How the log files of the cluster's processes roll; undefined = they do not. */
export function logRolling(state: SimulationState): LogRolling | undefined {
  return lifecycleOf(state).logFilesRoll ? (state.model.cluster.logFiles ?? DEFAULT) : undefined;
}
