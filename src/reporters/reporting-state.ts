import type { CommitHistory, CommitHistoryState } from './kafka/commit-history.js';
import type { ReporterRegistry, ReportersState } from './reporter-registry.js';

/** What is remembered of the reports so far: by the reporters, and of the commits that Burrow looks at. Plain data. */
export interface ReportingState {
  readonly reporters: ReportersState;
  readonly commits: CommitHistoryState;
}

/** Takes and puts back what is remembered; null = everything begins anew. */
export interface ReportingKeeper {
  take(): ReportingState;
  put(state: ReportingState | null): void;
}

export function reportingKeeper(reporters: ReporterRegistry, commits: CommitHistory): ReportingKeeper {
  return {
    take: () => ({ reporters: reporters.take(), commits: commits.take() }),
    put: (state) => {
      commits.put(state?.commits ?? null);
      reporters.put(state?.reporters ?? null);
    },
  };
}
