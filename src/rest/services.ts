import type { JarStore } from './jars/jar-store.js';
import type { JobTemplates } from './jars/job-templates.js';

/**
 * When metrics that somebody asked for are there: for the answer, behind it, or when time goes on (so that answers do not change while a clock
 * is held).
 */
export type MetricFetch = 'at-once' | 'behind-the-answer' | 'when-time-goes-on';

/** What the server keeps beside the simulated state. Each part is defined by the resource that needs it. */
export interface RestServices {
  /** Ends the process as DELETE /cluster ends Flink's. */
  readonly shutdown: () => void;
  /** Uploaded jars; lie in `uploadDirectory`. */
  readonly jars: JarStore;
  /** What jar runs start. */
  readonly jobTemplates: JobTemplates;
  /** Folder of uploaded jars (`<tmp>/flink-web-upload`). */
  readonly uploadDirectory: string;
  /** Address that /jars shows, such as http://127.0.0.1:8081. */
  readonly address: () => string;
  /** When metrics that are due come home. Default: behind the answer, as Flink's. */
  readonly metricFetch?: () => MetricFetch;
}
