import type { Client } from './client.js';
import type { Random } from './random.js';

type Json = Record<string, any>;

interface KnownVertex {
  readonly id: string;
  readonly parallelism: number;
}

interface KnownJob {
  readonly id: string;
  readonly isOver: boolean;
  readonly vertices: readonly KnownVertex[];
  readonly checkpoints: readonly number[];
}

/** What clients know of the cluster: ids that they have read in lists, some time ago. */
export class Directory {
  jobs: readonly KnownJob[] = [];
  taskManagers: readonly string[] = [];
  readonly jars: string[] = [];
  readonly triggers: string[] = [];

  constructor(readonly baseJobs: Set<string> = new Set()) {}

  /** Reads the lists again; what cannot be read now stays as it was. */
  async refresh(client: Client): Promise<void> {
    const get = async (target: string): Promise<Json | null> => {
      const { status, text } = await client.ask('GET', target);
      if (status !== 200) return null;
      try {
        return JSON.parse(text) as Json;
      } catch {
        return null;
      }
    };
    const taskManagers = await get('/taskmanagers');
    if (Array.isArray(taskManagers?.['taskmanagers'])) this.taskManagers = taskManagers['taskmanagers'].map(({ id }: Json) => id as string);
    const overview = await get('/jobs/overview');
    if (!Array.isArray(overview?.['jobs'])) return;
    const jobs: KnownJob[] = [];
    for (const { jid, state } of overview['jobs'] as Json[]) {
      const [details, checkpoints] = [await get(`/jobs/${jid}`), await get(`/jobs/${jid}/checkpoints`)];
      if (!Array.isArray(details?.['vertices'])) continue;
      const history = Array.isArray(checkpoints?.['history']) ? (checkpoints['history'] as Json[]) : [];
      jobs.push({ id: jid, isOver: ['FINISHED', 'CANCELED', 'FAILED'].includes(state), vertices: details['vertices'].map(({ id, parallelism }: Json) => ({ id, parallelism })), checkpoints: history.slice(0, 3).map(({ id }) => id as number) });
    }
    if (jobs.length > 0) this.jobs = jobs;
  }

  /** The job of a jar, if there is one, that runs. */
  submitted(): KnownJob[] {
    return this.jobs.filter(({ id, isOver }) => !isOver && !this.baseJobs.has(id));
  }

  /** Puts ids into a template such as `/jobs/:jobid/vertices/:vertexid`; null where none is known. */
  fill(template: string, random: Random): string | null {
    const job = template.includes(':jobid') ? random.pick(this.jobs) : undefined;
    const vertex = job && template.includes(':vertexid') ? random.pick(job.vertices) : undefined;
    const values: Readonly<Record<string, () => string | number | undefined>> = {
      jobid: () => job?.id,
      vertexid: () => vertex?.id,
      subtask: () => vertex && Math.floor(random.next() * vertex.parallelism),
      checkpointid: () => job && random.pick(job.checkpoints),
      taskmanagerid: () => random.pick(this.taskManagers),
      jarid: () => random.pick(this.jars),
      trigger: () => random.pick(this.triggers),
    };
    let isKnown = true;
    const filled = template.replace(/:(\w+)/g, (_all, name: string) => {
      const value = values[name]!();
      if (value === undefined) isKnown = false;
      return encodeURIComponent(String(value));
    });
    return isKnown ? filled : null;
  }
}
