import { ask, configAnswer, jobsAnswer } from '../recorder/answers.js';
import { InProcessClient } from '../recorder/in-process-client.js';
import { nearestFlinkVersion, record } from '../recorder/record.js';
import { METRICS_FETCH_MS, type RestClient } from '../recorder/rest-client.js';
import { startMockFlink } from '../library/start-mock-flink.js';
import type { FlinkVersion } from '../versions/flink-versions.js';
import { restSpec } from '../versions/rest-spec.js';
import { compareStep, type StepComparison } from './compare-answers.js';
import { findLiveIds, sweep } from './sweep.js';

export interface VerifyOptions {
  /** Name or file of one of that cluster; null = recorded first, so that ids and jobs are the same. */
  readonly scenario: string | null;
  /** Compare with this version; null = the cluster's, or the nearest. */
  readonly version: FlinkVersion | null;
  readonly watchMs: number;
  readonly signal: AbortSignal;
}

export interface Verification {
  /** As the cluster tells it. */
  readonly flinkVersion: string;
  readonly comparedWith: string;
  readonly isKnownVersion: boolean;
  /** The job that was asked about; null = none runs. */
  readonly job: string | null;
  readonly requests: number;
  readonly steps: readonly StepComparison[];
}

const WATCH_EVERY_MS = 5_000;
/** Of virtual time between two requests, so that caches age as the real ones do. */
const BETWEEN_REQUESTS_MS = 20;

async function scenarioFor(client: RestClient, hasJob: boolean, options: VerifyOptions): Promise<string | { readonly yaml: string }> {
  if (options.scenario !== null) return options.scenario;
  const { yaml } = await record(client, { forMs: options.watchMs, everyMs: Math.min(WATCH_EVERY_MS, options.watchMs), jobs: hasJob ? 'all' : 'none', signal: options.signal });
  return { yaml };
}

/** Asks a real cluster every GET of its version, mock-flink the same, and compares the shapes of their answers. */
export async function verify(client: RestClient, options: VerifyOptions): Promise<Verification> {
  const { 'flink-version': flinkVersion } = await ask(client, '/config', configAnswer);
  const nearest = nearestFlinkVersion(flinkVersion);
  const version = options.version ?? nearest.version;
  const { jobs } = await ask(client, '/jobs/overview', jobsAnswer);
  const running = jobs.filter(({ state }) => state === 'RUNNING').sort((a, b) => a['start-time'] - b['start-time']);
  const scenario = await scenarioFor(client, running.length > 0, options);
  await using flink = await startMockFlink({ scenario, flinkVersion: version.full, listen: false });
  const ours = new InProcessClient(flink);
  const ourJobs = await ask(ours, '/jobs/overview', jobsAnswer);
  const job = running.find(({ jid, name }) => ourJobs.jobs.some((our) => our.jid === jid || our.name === name)) ?? null;
  const ourJob = job && ourJobs.jobs.find(({ jid, name }) => jid === job.jid || name === job.name)!;
  const spec = restSpec(version);
  let requests = 0;
  const count = async (): Promise<void> => void requests++;
  // The first look makes either side fetch its metrics.
  await findLiveIds(client, job?.jid ?? null);
  await client.sleep(METRICS_FETCH_MS, options.signal);
  const realSteps = await sweep(client, spec, await findLiveIds(client, job?.jid ?? null), count);
  await findLiveIds(ours, ourJob?.jid ?? null);
  await ours.sleep(METRICS_FETCH_MS);
  const ourSteps = await sweep(ours, spec, await findLiveIds(ours, ourJob?.jid ?? null), () => ours.sleep(BETWEEN_REQUESTS_MS));
  const byStep = new Map(ourSteps.map((step) => [step.step, step]));
  return {
    flinkVersion,
    comparedWith: version.full,
    isKnownVersion: nearest.isKnown,
    job: job?.name ?? null,
    requests,
    steps: realSteps.map((step) => compareStep(step, byStep.get(step.step)!, spec)),
  };
}
