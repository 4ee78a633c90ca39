import { applyAction } from '../../src/simulation/commands.js';
import type { SimulationModel } from '../../src/simulation/model/simulation-model.js';
import type { TimelineAction } from '../../src/simulation/model/timeline-event.js';
import type { Simulation } from '../../src/simulation/simulation.js';
import type { Observed } from './compare.js';
import type { RecordedEvent, RecordedLife } from './recording.js';
import { ask, serve, type Server } from './rest-alone.js';
import { shapeOf, type Answer, type Shape } from './shapes.js';

/** How a recorded life is lived again. */
export interface Life {
  readonly name: string;
  readonly flink: string;
  readonly model: SimulationModel;
  /** From the model's start to the recording's. */
  readonly beforeMs: number;
  /** Instants of what happens, ms from the recording's start; those of the recording's events by themselves. */
  readonly actions: readonly { readonly atMs: number; readonly action: TimelineAction | ((simulation: Simulation) => TimelineAction | null) }[];
  /** Name of the job that is looked at. */
  readonly job: string | null;
  /** Answers of the recording that need not be there. */
  readonly passedOver?: (question: string, shape: string) => boolean;
  /** Trigger id of a savepoint that is taken before the recording starts. */
  readonly triggerId?: string;
}

const STEP_MS = 500;
/** What the recording ends with may come a little later. */
const LATE_MS = 2_000;
/** What an event brings about may be over soon. */
const STEP_AFTER_EVENT_MS = 100;
/** Copies of jobs are not kept here: what the recording showed from a copy is looked for at the time before. */
const NO_COPIES = { 'web.refresh-interval': '1' };


const PATHS: Readonly<Record<string, string>> = {
  overview: '/overview',
  jobs: '/jobs/overview',
  tasks: '/jobs/overview',
  job: '/jobs/:job',
  vertices: '/jobs/:job',
  stages: '/jobs/:job',
  plan: '/jobs/:job',
  streamgraph: '/jobs/:job',
  slots: '/overview',
  taskmanagers: '/taskmanagers',
  taskmanager: '/taskmanagers/:taskmanager',
  checkpoints: '/jobs/:job/checkpoints',
  exceptions: '/jobs/:job/exceptions',
  requirements: '/jobs/:job/resource-requirements',
  rescales: '/jobs/:job/rescales/overview',
  history: '/jobs/:job/rescales/history',
  summary: '/jobs/:job/rescales/summary',
  rescaleconfig: '/jobs/:job/rescales/config',
  savepoint: '/jobs/:job/savepoints/:trigger',
  config: '/config',
  index: '/',
};

export interface Replay {
  readonly observed: Observed;
  /** What the recording's requests were answered. */
  readonly answers: readonly { readonly event: RecordedEvent; readonly shape: Shape }[];
}

/** Lives a recorded life again, asks at the recording's instants and between them. */
export async function replay(life: Life, recorded: RecordedLife): Promise<Replay> {
  await using server = await serve({ ...life.model, options: { ...life.model.options, ...NO_COPIES } });
  const { simulation } = server;
  const startMs = life.model.startMs + life.beforeMs;
  server.advanceTo(startMs - (life.triggerId ? 3_000 : 0));
  const ids = idsOf(life, simulation);
  if (life.triggerId) await ask(server.url + `/jobs/${ids[':job']}/savepoints`, 'POST', { triggerId: life.triggerId, 'cancel-job': false });
  const observed = new Map<string, { atMs: number; shape: Shape }[]>();
  const answers: { event: RecordedEvent; shape: Shape }[] = [];
  const happenings = [
    ...life.actions.map(({ atMs, action }) => ({ atMs, happen: async () => act(simulation, action) })),
    ...recorded.events.flatMap((event) => (event.request ? [{ atMs: event.atMs, happen: async () => void answers.push({ event, shape: await answerTo(server, event, ids) }) }] : [])),
  ].sort((a, b) => a.atMs - b.atMs);
  const lastMs = recorded.shotsMs.at(-1)!;
  const instants = new Set(recorded.shotsMs);
  for (let atMs = 0; atMs <= lastMs + LATE_MS; atMs += STEP_MS) instants.add(atMs);
  for (const { atMs } of happenings) for (let afterMs = 0; afterMs < 3_000 && atMs + afterMs < lastMs; afterMs += STEP_AFTER_EVENT_MS) instants.add(Math.ceil(atMs) + afterMs);
  for (const atMs of [...instants].sort((a, b) => a - b)) {
    while (happenings[0] && happenings[0].atMs <= atMs) {
      const next = happenings.shift()!;
      server.advanceTo(startMs + next.atMs);
      await next.happen();
    }
    server.advanceTo(startMs + atMs);
    const given = new Map<string, Promise<Answer>>();
    for (const question of Object.keys(recorded.answers)) {
      const path = Object.entries(ids).reduce((text, [word, id]) => text.replace(word, id), PATHS[question]!);
      if (!given.has(path)) given.set(path, ask(server.url + path));
      const samples = observed.get(question) ?? [];
      observed.set(question, samples);
      samples.push({ atMs, shape: shapeOf(question, await given.get(path)!) });
    }
  }
  return { observed, answers };
}

function act(simulation: Simulation, action: TimelineAction | ((simulation: Simulation) => TimelineAction | null)): void {
  const chosen = typeof action === 'function' ? action(simulation) : action;
  if (chosen) applyAction(simulation.state, chosen);
}

function idsOf(life: Life, simulation: Simulation): Record<string, string> {
  const { jobs, taskManagers } = simulation.state;
  return {
    ':job': [...jobs.values()].find((job) => job.name === life.job)?.id ?? life.model.jobs.find(({ job }) => job.name === life.job)?.job.jobId ?? '0'.repeat(32),
    ':taskmanager': [...taskManagers.keys()][0] ?? 'none',
    ':trigger': life.triggerId ?? '',
  };
}

async function answerTo(server: Server, { request }: RecordedEvent, ids: Readonly<Record<string, string>>): Promise<Shape> {
  const { method, path, body } = request!;
  const { status, body: answer } = await ask(server.url + path.replace(':job', ids[':job']!), method, body ?? undefined);
  return answer !== null && typeof answer === 'object' && 'errors' in answer ? [status, ...(answer as { errors: string[] }).errors[0]!.split('\n').filter((line) => !line.startsWith('\tat'))] : [status];
}
