import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import { streamState } from '../console/console-stream.js';
import { ConsoleControl } from '../console/console-control.js';
import { formsView } from '../console/console-views.js';
import type { EventStreams } from '../event-streams.js';
import { anObject } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

const whole = z.coerce.number().int().min(0);
const VERTEX = z.strictObject({ job: z.string(), vertex: z.string() });
const SINCE = z.strictObject({
  job: z.string().optional().meta({ description: 'Id; the latest that runs when left out' }),
  epoch: whole.default(0).meta({ description: 'Of the last answer' }),
  sample: z.coerce.number().default(0).meta({ description: 'Instant of the last sample that came' }),
  entry: whole.default(0).meta({ description: 'Number of the last entry that came' }),
});

/** What the console shows, as JSON; docs/console.md says what is what. */
export function consoleRoutes(routes: ControlRoutes, control: ClusterControl, streams: EventStreams): void {
  const console = new ConsoleControl(control);
  const about = (operationId: string, summary: string) => ({ operationId, tags: ['console'], summary, response: { 200: anObject('See docs/console.md.') } });
  routes.get('/console/state', { schema: { ...about('getConsoleState', 'Everything at a glance, and what is new since the last answer'), querystring: SINCE } }, ({ query: { job, ...since } }) => ({ ...console.state(job, since) }));
  routes.get('/console/stream', { schema: { operationId: 'streamConsoleState', tags: ['console'], summary: 'The same as server-sent events, whenever it has changed', querystring: SINCE } }, ({ query: { job, ...since }, raw }, reply) => streamState(control, console, streams.open(reply, raw), job, since));
  routes.get('/console/graph', { schema: { ...about('getConsoleGraph', "A job's graph"), querystring: z.strictObject({ job: z.string() }) } }, ({ query }) => ({ ...console.graph(query.job) }));
  routes.get('/console/vertex', { schema: { ...about('getConsoleVertex', 'Subtasks of a vertex, 200 a page'), querystring: VERTEX.extend({ from: whole.default(0) }) } }, ({ query }) => ({ ...console.vertex(query.job, query.vertex, query.from) }));
  routes.get('/console/threads', { schema: { ...about('getConsoleThreads', 'Looks at the threads of a task, with their stacks'), querystring: VERTEX.extend({ subtask: whole }) } }, ({ query }) => ({ ...console.threads(query.job, query.vertex, query.subtask) }));
  routes.get('/console/buffers', { schema: { ...about('getConsoleBuffers', 'Network buffers of an edge, from the side of a consumer'), querystring: z.strictObject({ job: z.string(), edge: whole, consumer: whole.default(0) }) } }, ({ query }) => ({ ...console.buffers(query.job, query.edge, query.consumer) }));
  routes.get('/console/log', { schema: { ...about('getConsoleLog', "New lines of a process's log"), querystring: z.strictObject({ process: z.string().default('jobmanager'), after: whole.default(0), level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'), limit: z.coerce.number().int().min(1).max(2_000).default(500) }) } }, ({ query }) => ({ ...console.log(query.process, query.after, query.level, query.limit) }));
  routes.get('/console/requests', { schema: { ...about('getConsoleRequests', "The latest requests to Flink's API, without answers"), querystring: z.strictObject({ after: whole.default(0), limit: z.coerce.number().int().min(1).max(1_000).default(200) }) } }, ({ query }) => ({ ...console.requests(query.after, query.limit) }));
  routes.get('/console/forms', { schema: about('getConsoleForms', 'What can be clicked, as JSON Schema') }, () => ({ ...formsView(), programs: control.jobs.programs() }));
}
