import type { JarStore } from './jars/jar-store.js';
import type { JobTemplates } from './jars/job-templates.js';

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
  /** Whether metrics that are due are fetched before the answer, as nothing would be different later. Default: never; Flink fetches them behind it. */
  readonly fetchesAtOnce?: () => boolean;
}
