import type { JobModel } from '../simulation/model/job-model.js';
import type { JobSubmissionModel, SimulationModel } from '../simulation/model/simulation-model.js';
import type { TimelineEvent } from '../simulation/model/timeline-event.js';
import { FLINK_MINORS, parseFlinkVersion } from '../versions/flink-versions.js';
import { unreadableOption } from '../versions/option-kinds.js';
import { buildCluster } from './build-cluster.js';
import { buildHttpFault } from './build-http-fault.js';
import { buildJob, type JobSurroundings } from './build-job.js';
import { buildKafka } from './build-kafka.js';
import { buildAction } from './build-timeline.js';
import { checkSlots } from './check-slots.js';
import { deepFreeze } from './deep-freeze.js';
import { buildJarTemplate, readJob } from './jar-templates.js';
import { nearestName } from './nearest-name.js';
import type { JarTemplate, Scenario } from './scenario.js';
import { ScenarioError, showValue, type Path, type Problem } from './scenario-error.js';
import type { ScenarioInput } from './schema/scenario-schema.js';
import { ArgumentError } from './template/parameters.js';
import { resolveInstant, type WrittenInstant } from './units.js';
import type { YamlSource } from './yaml-source.js';

const MAX_HISTORY_MS = 31 * 86_400_000;

/** What the command line may change in a scenario. */
export interface ScenarioOverrides {
  readonly flinkVersion?: string;
  readonly seed?: number;
  readonly options?: Readonly<Record<string, string>>;
}

function timeZoneName(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  return `GMT${offsetMinutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(Math.abs(offsetMinutes) % 60).padStart(2, '0')}`;
}

/** The options of the file and those that were given beside it; `reportGiven` hears of a wrong one of those. */
function optionsInForce(
  input: ScenarioInput,
  flinkVersion: string,
  given: Readonly<Record<string, string>>,
  report: (path: Path, message: string) => void,
  reportGiven: (name: string, message: string) => void,
): Record<string, string> {
  const { index } = parseFlinkVersion(flinkVersion)!;
  const check = (options: Readonly<Record<string, string>>, tell: (name: string, message: string) => void): void => {
    for (const [name, text] of Object.entries(options)) {
      const allowed = unreadableOption(name, text);
      if (allowed !== null) tell(name, `found ${showValue(text)}; allowed: ${allowed}`);
    }
  };
  check(input.options, (name, message) => report(['options', name], message));
  input.optionsFor.forEach((entry, i) => check(entry.options, (name, message) => report(['optionsFor', i, 'options', name], message)));
  check(given, reportGiven);
  const options = { ...input.options };
  input.optionsFor.forEach((entry, i) => {
    const [, operator, minor] = /^(<|>=)\s*(.*)$/.exec(entry.flink)!;
    const bound = FLINK_MINORS.indexOf(minor!);
    if (bound < 0) report(['optionsFor', i, 'flink'], `found ${JSON.stringify(entry.flink)}; allowed versions: ${FLINK_MINORS.join(', ')}`);
    else if (operator === '<' ? index < bound : index >= bound) Object.assign(options, entry.options);
  });
  return Object.assign(options, given);
}

/** Turns a parsed file into the simulation's input, checking what a schema cannot; throws a ScenarioError with all that is wrong. */
export function buildScenario(name: string, input: ScenarioInput, source: YamlSource, overrides: ScenarioOverrides): Scenario {
  const problems: Problem[] = [];
  const report = (path: Path, message: string): void => void problems.push(source.problemAt(path, message));
  const attempt = <T>(read: () => T, argumentsPath: Path): T | null => {
    try {
      return read();
    } catch (error) {
      if (error instanceof ScenarioError) problems.push(...error.problems);
      else if (error instanceof ArgumentError) report(argumentsPath, error.message);
      else throw error;
      return null;
    }
  };

  const { epochMs: startMs, offsetMinutes } = input.start;
  const resolve = (instant: WrittenInstant, path: Path): number => {
    const ms = resolveInstant(instant, startMs, offsetMinutes);
    if (ms >= 0) return ms;
    report(path, `lies ${-ms / 1_000} s before the start of the scenario; allowed: from \`start\` on`);
    return 0;
  };
  if (input.tick < 1 || input.tick > 1_000) report(['tick'], `found ${input.tick} ms; allowed: 1 ms to 1 s`);

  const topics = input.kafka.topics.map((topic) => topic.name);
  const surroundings: JobSurroundings = { topics };
  const templates = new Map<string, JarTemplate>();
  input.jars.forEach((jar, j) => {
    if (templates.has(jar.entryClass)) report(['jars', j, 'entryClass'], `found the entry class ${JSON.stringify(jar.entryClass)} a second time; give each its own`);
    const template = buildJarTemplate(jar, source, ['jars', j], surroundings);
    templates.set(jar.entryClass, template);
    // With its defaults it must make a job, so that mistakes show here and not at the first run.
    attempt(() => template.createJob([], 1), ['jars', j, 'parameters']);
  });
  const fromTemplate = (use: { entryClass: string; arguments: readonly string[]; parallelism: number }, path: Path): JobModel | null => {
    const template = templates.get(use.entryClass);
    if (template) return attempt(() => template.createJob(use.arguments, use.parallelism), [...path, 'arguments']);
    const near = nearestName(use.entryClass, templates.keys());
    report([...path, 'entryClass'], `found ${JSON.stringify(use.entryClass)}, which is no entry class under \`jars\`; ${near ? `did you mean \`${near}\`?` : `allowed: ${[...templates.keys()].join(', ') || 'none, there is no template'}`}`);
    return null;
  };

  const jobs: (JobSubmissionModel & { path: Path })[] = [];
  const jobNames = new Map<string, Path>();
  const jobIds = new Set<string>();
  const claim = (job: JobModel, path: Path): void => {
    if (jobNames.has(job.name)) report([...path, 'name'], `found the job name ${JSON.stringify(job.name)} a second time; give each job its own`);
    jobNames.set(job.name, path);
    if (job.jobId !== null && jobIds.has(job.jobId)) report([...path, 'id'], `found the job id ${job.jobId} a second time; give each job its own`);
    if (job.jobId !== null) jobIds.add(job.jobId);
  };
  input.jobs.forEach((entry, j) => {
    const path: Path = ['jobs', j];
    const atMs = resolve(entry.at, [...path, 'at']);
    const job = 'template' in entry ? fromTemplate(entry.template, [...path, 'template']) : buildJob(entry, { add: (inner, message) => report([...path, ...inner], message) }, surroundings);
    if (!job) return;
    claim(job, path);
    jobs.push({ atMs, job, path });
  });
  jobs.sort((a, b) => a.atMs - b.atMs);
  if (input.cluster.deployment === 'application' && jobs.length !== 1) report(['cluster', 'deployment'], `found application with ${jobs.length} jobs; allowed: exactly one job, the program's; or use session`);

  // Jobs that the timeline submits are known to actions before and after: collect them first.
  const submitted = new Map<number, JobModel | null>();
  input.timeline.forEach((event, e) => {
    if (event.submitJob === undefined) return;
    const path: Path = ['timeline', e, 'submitJob'];
    const use = event.submitJob['template'] as { entryClass?: unknown; arguments?: unknown; parallelism?: unknown } | undefined;
    const job =
      use === undefined
        ? attempt(() => readJob(event.submitJob, source, path, surroundings), path)
        : fromTemplate({ entryClass: String(use.entryClass), arguments: Array.isArray(use.arguments) ? use.arguments.map(String) : [], parallelism: Number(use.parallelism ?? 1) }, [...path, 'template']);
    if (job) claim(job, path);
    submitted.set(e, job);
  });
  const knownJobs = [...jobs.map(({ job }) => job), ...[...submitted.values()].filter((job) => job !== null)];
  let lastMs = 0;
  const events: TimelineEvent[] = [];
  const eventPaths: Path[] = [];
  input.timeline.forEach((event, e) => {
    const path: Path = ['timeline', e];
    const atMs = resolve(event.at, [...path, 'at']);
    if (atMs < lastMs) report([...path, 'at'], 'lies before the event above it: time does not go back; put the events in order of time');
    lastMs = Math.max(lastMs, atMs);
    const action = buildAction(event, path, { jobs: knownJobs, topics, submittedJob: () => submitted.get(e) ?? null, report });
    if (!action) return;
    events.push({ atMs, ...action });
    eventPaths.push(path);
  });

  const faultIds = new Set<string>();
  const httpFaults = input.httpFaults.flatMap((entry, f) => {
    const path: Path = ['httpFaults', f];
    const fault = buildHttpFault(entry, `scenario-${f + 1}`, path, resolve, report);
    if (fault === null) return [];
    if (faultIds.has(fault.id)) report([...path, 'id'], `found the id ${JSON.stringify(fault.id)} a second time; give each fault its own`);
    faultIds.add(fault.id);
    return [fault];
  });

  const flinkVersion = overrides.flinkVersion ?? input.flink;
  const model: SimulationModel = {
    name,
    seed: overrides.seed ?? input.seed,
    flinkVersion,
    startMs,
    timeZoneOffsetMinutes: offsetMinutes,
    timeZoneName: input.timeZone ?? timeZoneName(offsetMinutes),
    tickMs: input.tick,
    options: optionsInForce(input, flinkVersion, overrides.options ?? {}, report, (name, message) => void problems.push({ file: `Flink option ${name}`, line: null, column: null, path: '', message })),
    cluster: buildCluster(input.cluster, report),
    kafka: buildKafka(input.kafka, resolve, report),
    jobs: jobs.map(({ atMs, job }) => ({ atMs, job })),
    events,
  };
  const openAtMs = resolve(input.openAt, ['openAt']);
  if (openAtMs > MAX_HISTORY_MS) report(['openAt'], `lies ${Math.round(openAtMs / 86_400_000)} d after the start; allowed: at most ${MAX_HISTORY_MS / 86_400_000} d, for all of it is simulated at start-up`);
  if (problems.length === 0 && !input.cluster.allowTooFewSlots) checkSlots(model, jobs.map(({ path }) => path), eventPaths, report);
  if (problems.length > 0) throw new ScenarioError(problems);
  return deepFreeze({ name, title: input.title, description: input.description.trim(), file: source.file, model, openAtMs, jarTemplates: [...templates.values()], httpFaults });
}
