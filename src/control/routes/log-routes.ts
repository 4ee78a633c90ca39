import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import { readLog } from '../log-range.js';
import type { ControlRoutes } from './control-routes.js';

const LOG_QUERY = z.strictObject({
  process: z.string().min(1).default('jobmanager').meta({ description: 'jobmanager, or the resource id of a task manager.' }),
  file: z.string().min(1).optional().meta({ description: 'A file of its log folder; its main log when left out.' }),
  offset: z.coerce.number().int().min(0).default(0).meta({ description: 'Byte to begin with.' }),
  limit: z.coerce.number().int().min(1).max(10_000_000).default(1_000_000).meta({ description: 'Bytes at most.' }),
});
const LOG_RANGE = z.object({ process: z.string(), file: z.string(), size: z.int(), offset: z.int(), next: z.int(), text: z.string() });

/** Log files by offset, which Flink's own API does not have. */
export function logRoutes(routes: ControlRoutes, control: ClusterControl): void {
  routes.get('/logs', { schema: { operationId: 'readLog', tags: ['cluster'], summary: 'A piece of a log file, from a byte on', querystring: LOG_QUERY, response: { 200: LOG_RANGE } } }, ({ query }) => readLog(control.state, query.process, query.file, query.offset, query.limit));
}
