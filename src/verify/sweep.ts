import type { Answer, RestClient } from '../recorder/rest-client.js';
import type { EndpointSpec, RestSpec } from '../versions/rest-spec.js';

/** Answers of one server to the requests of a step; the other server's answers to the same step are compared with them. */
export interface StepAnswers {
  readonly endpoint: EndpointSpec;
  /** What was asked, with the names of parameters: `GET /jobs/:jobid/metrics?get=…`. */
  readonly step: string;
  readonly answers: readonly Answer[];
}

type Json = Record<string, any>;

/** GETs that change something: Flink answers them as YARN's proxy needs it. */
const CHANGES_SOMETHING = /\/yarn-(cancel|stop)$/;
const NO_SUCH_TRIGGER = '0'.repeat(32);
const NO_SUCH_RESCALE = '00000000-0000-0000-0000-000000000000';
const MOST_VERTICES = 4;
const MOST_CHECKPOINTS = 2;
const MOST_METRICS = 3;
/** Enough of a log to see that it is one. */
const MOST_LOG_BYTES = 64 * 1_024;

/** Values for the parameters of paths, as one server has them. */
export type LiveIds = ReadonlyMap<string, readonly string[]>;

/** Finds out what there is to ask about; `jobId` null = no job. */
export async function findLiveIds(client: RestClient, jobId: string | null): Promise<LiveIds> {
  const look = async (path: string): Promise<Json> => {
    const answer = await client.get(path);
    try {
      return answer.status === 200 ? (JSON.parse(answer.body) as Json) : {};
    } catch {
      return {};
    }
  };
  const managers = ((await look('/taskmanagers'))['taskmanagers'] ?? []) as Json[];
  const taskManager = managers[0]?.['id'] as string | undefined;
  const ids = new Map<string, readonly string[]>([
    ['taskmanagerid', taskManager === undefined ? [] : [taskManager]],
    ['triggerid', [NO_SUCH_TRIGGER]],
    ['jarid', ['no-such.jar']],
    ['rescaleuuid', [NO_SUCH_RESCALE]],
    ['subtaskindex', ['0']],
    ['attempt', ['0']],
    ['filename', ['no-such.log']],
    ['applicationid', (((await look('/applications/overview'))['applications'] ?? []) as Json[]).slice(0, 1).map(({ id }) => String(id))],
  ]);
  if (jobId === null) return ids;
  const job = await look(`/jobs/${jobId}`);
  const vertices = ((job['vertices'] ?? []) as Json[]).map(({ id }) => String(id));
  const checkpoints = ((await look(`/jobs/${jobId}/checkpoints`))['history'] ?? []) as Json[];
  const attempt = vertices[0] === undefined ? {} : await look(`/jobs/${jobId}/vertices/${vertices[0]}/subtasks/0`);
  return ids
    .set('jobid', [jobId])
    .set('vertexid', vertices.slice(0, MOST_VERTICES))
    .set('attempt', [String(attempt['attempt'] ?? 0)])
    .set('checkpointid', checkpoints.filter(({ status }) => status === 'COMPLETED').slice(0, MOST_CHECKPOINTS).map(({ id }) => String(id)));
}

function fill(url: string, ids: LiveIds): string[] {
  return (url.match(/:\w+/g) ?? []).reduce((paths, parameter) => {
    const values = ids.get(parameter.slice(1)) ?? [];
    return paths.flatMap((path) => values.map((value) => path.replace(parameter, encodeURIComponent(value))));
  }, [url]);
}

/** Which names to ask of a list of metrics: the first ones by name, the same on both servers. */
function namesIn(answer: Answer): string[] {
  try {
    const list = JSON.parse(answer.body) as unknown;
    return Array.isArray(list) ? list.map(({ id }: Json) => String(id)).filter((id) => /numRecords|Status\.JVM\.Memory\.Heap|uptime|lastCheckpoint/.test(id)).sort().slice(0, MOST_METRICS) : [];
  } catch {
    return [];
  }
}

/** Asks every GET of the version; endpoints about which there is nothing to ask get no answers. */
export async function sweep(client: RestClient, spec: RestSpec, ids: LiveIds, between: () => Promise<void>): Promise<StepAnswers[]> {
  const steps: StepAnswers[] = [];
  const ask = async (path: string, endpoint: EndpointSpec): Promise<Answer> => {
    await between();
    return client.get(path, endpoint.response === null ? MOST_LOG_BYTES : undefined);
  };
  for (const endpoint of spec.endpoints) {
    if (endpoint.method !== 'GET' || CHANGES_SOMETHING.test(endpoint.url)) continue;
    const answers: Answer[] = [];
    for (const path of fill(endpoint.url, ids)) answers.push(await ask(path, endpoint));
    steps.push({ endpoint, step: `GET ${endpoint.url}`, answers });
    if (!endpoint.query.some(({ key }) => key === 'get')) continue;
    const valued: Answer[] = [];
    for (const { path, body } of answers) {
      const names = namesIn({ body } as Answer);
      if (names.length > 0) valued.push(await ask(`${path}?get=${names.map(encodeURIComponent).join(',')}`, endpoint));
    }
    steps.push({ endpoint, step: `GET ${endpoint.url}?get=…`, answers: valued });
  }
  return steps;
}
