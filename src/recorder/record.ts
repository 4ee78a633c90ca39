import { FLINK_MINORS, parseFlinkVersion, type FlinkVersion } from '../versions/flink-versions.js';
import { inferCluster } from './infer-cluster.js';
import { inferJob } from './infer-job.js';
import { inferOptions } from './infer-options.js';
import { inferTopics } from './infer-topics.js';
import { NoteList, notesAt } from './notes.js';
import { RecorderError } from './recorder-error.js';
import type { RestClient } from './rest-client.js';
import { surveyCluster, type ClusterSurvey, type JobSurvey, type WantedJobs } from './survey.js';
import { watchJobs, type JobWatch, type WatchOptions } from './watch.js';
import { writeScenario } from './write-scenario.js';
import { writeDuration, writeInstant } from './written-values.js';

export interface RecordOptions extends WatchOptions {
  readonly jobs: WantedJobs;
}

export interface ScenarioRecord {
  readonly yaml: string;
  /** What could not be seen and had to be assumed, for the one who records. */
  readonly warnings: readonly string[];
  readonly jobs: number;
}

/** Long enough for the meters of a minute and for some checkpoints; they are simulated before the scenario opens. */
const WARM_UP_MS = 120_000;
const CHECKPOINTS_BEFORE = 4;
const LONGEST_WARM_UP_MS = 20 * 60_000;

/** The version that mock-flink plays for one that a cluster says it is: that one, or the nearest minor that it knows. */
export function nearestFlinkVersion(told: string): { version: FlinkVersion; isKnown: boolean } {
  const match = /^(\d+)\.(\d+)(\.\d+)?/.exec(told.trim());
  if (!match) throw new RecorderError(`found the version ${JSON.stringify(told)}, which is none of Flink's`);
  const known = parseFlinkVersion(match[0]);
  if (known) return { version: known, isKnown: true };
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const rank = ([a, b]: readonly number[]): number => a! * 1_000 + b!;
  // The newest that is no newer; else the oldest there is.
  const earlier = FLINK_MINORS.filter((text) => rank(text.split('.').map(Number)) <= rank([major, minor]));
  return { version: parseFlinkVersion(earlier.at(-1) ?? FLINK_MINORS[0]!)!, isKnown: false };
}

function warmUpMs(jobs: readonly JobSurvey[]): number {
  const intervals = jobs.map(({ checkpointing }) => checkpointing?.interval ?? 0).filter((interval) => interval < LONGEST_WARM_UP_MS);
  return Math.min(LONGEST_WARM_UP_MS, Math.ceil(Math.max(WARM_UP_MS, ...intervals.map((interval) => interval * CHECKPOINTS_BEFORE)) / 1_000) * 1_000);
}

function uniqueNames(jobs: readonly JobSurvey[]): string[] {
  const taken = new Set<string>();
  return jobs.map(({ name }) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name} (${n})`;
    taken.add(unique);
    return unique;
  });
}

/** The scenario that behaves as the cluster did. */
export function inferScenario(survey: ClusterSurvey, watches: ReadonlyMap<string, JobWatch>, watchedFromMs: number): ScenarioRecord {
  const notes = new NoteList();
  const { version, isKnown } = nearestFlinkVersion(survey.flinkVersion);
  if (!isKnown) notes.warn(['flink'], `The cluster is ${survey.flinkVersion}, which mock-flink does not know; this is the nearest version that it does.`);
  const openAtMs = warmUpMs(survey.jobs);
  const startMs = Math.floor((watchedFromMs - openAtMs) / 1_000) * 1_000;
  const offsetMinutes = Math.round(survey.timeZoneOffsetMs / 60_000);
  const names = uniqueNames(survey.jobs);
  const jobs = survey.jobs.map((job, j) => inferJob(job, watches.get(job.id)!, { survey, startMs, name: names[j]! }, notesAt(notes, ['jobs', j])));
  const topics = jobs.flatMap((job) => job.topics);
  notes.add(['openAt'], 'The watch began here. What lies before is simulated, with the first rates that were seen, so that buffers and meters are as they were.');
  if (survey.otherJobs.length > 0) notes.add(['jobs'], `Not recorded: ${survey.otherJobs.slice(0, 20).join(', ')}${survey.otherJobs.length > 20 ? ' …' : ''}.`);
  const draft = {
    title: names.length === 0 ? 'Recorded: a cluster without jobs' : `Recorded: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`,
    flink: version.full,
    start: writeInstant(startMs, offsetMinutes),
    ...(survey.timeZoneName ? { timeZone: survey.timeZoneName } : {}),
    openAt: writeDuration(openAtMs),
    options: inferOptions(survey, notes),
    cluster: inferCluster(survey, notes),
    ...(topics.length > 0 ? { kafka: { topics: inferTopics(topics, startMs, openAtMs, notesAt(notes, ['kafka', 'topics'])) } } : {}),
    jobs: jobs.map(({ job }) => job),
  };
  const head = [
    `Made by mock-flink record from a cluster of Flink ${survey.flinkVersion}, ${writeInstant(watchedFromMs, offsetMinutes)}.`,
    'Comments say what was measured, what was assumed, and what is not played. All can be edited: it is a scenario like any other.',
  ];
  return { yaml: writeScenario(draft, notes, head), warnings: notes.warnings, jobs: jobs.length };
}

/** Watches a cluster, through GET alone, and writes a scenario of it. */
export async function record(client: RestClient, options: RecordOptions): Promise<ScenarioRecord> {
  const survey = await surveyCluster(client, options.jobs, options.signal);
  const watches = await watchJobs(client, survey, options);
  if (survey.jobs.length === 0) return inferScenario(survey, watches, client.now());
  const begins = [...watches.values()].flatMap(({ shots }) => (shots[0] ? [shots[0].atMs] : []));
  if (begins.length === 0) {
    throw new RecorderError(`nothing was seen of ${survey.jobs.map(({ name }) => name).join(', ')}: ${[...watches.values()].map(({ ended }) => ended).find((ended) => ended !== null) ?? 'stopped before the first look'}`);
  }
  return inferScenario(survey, watches, Math.min(...begins));
}
