import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Simulation } from '../../../src/simulation/simulation.js';
import { threadDump, type ThreadInfo } from '../../../src/simulation/threads/index.js';
import { bpJob, twoTaskManagers } from '../fixture.js';

interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly json: { readonly threadInfos?: ThreadInfo[] } | null;
}

/** The recorded task manager's threads while the script's job runs. */
function recordedDump(version: string): ThreadInfo[] {
  const { records } = JSON.parse(gunzipSync(readFileSync(new URL(`../../golden/${version}.json.gz`, import.meta.url))).toString()) as { records: Recorded[] };
  const dumps = records.filter((record) => record.name.startsWith('[running]') && /^\/taskmanagers\/[^/]+\/thread-dump$/.test(record.path) && record.status === 200);
  return dumps.at(-1)!.json!.threadInfos!;
}

const kindOf = (threadName: string) => threadName.replace(/\d+/g, 'N');
/** Without what differs from run to run: identities, ids, addresses of lambdas. */
const stable = (text: string) => text.replace(/@[0-9a-f]+(?=\s|$)/gm, '@X').replace(/Id=\d+/g, 'Id=N').replace(/Lambda\$\d+\/0x[0-9a-f]+/g, 'Lambda');

// The script had one job of 8 tasks on that task manager, or two (16 tasks), when the dump was taken.
test.each([
  ['1.13.6', 1, 28],
  ['1.20.5', 2, 34],
  ['2.3.0', 2, 35],
])('a task manager of %s has the threads that the recorded one had, most of them word for word', (version, jobs, atLeast) => {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: Array.from({ length: jobs }, (_, index) => ({ atMs: 0, job: bpJob({ name: `job ${index}` }) })) }));
  simulation.advanceBy(60_000);
  const busy = [...simulation.state.taskManagers.values()].find((taskManager) => taskManager.jvm.jobsSeen > 0)!;
  const ours = threadDump(simulation.state, busy.id);
  // It is there only after a flame graph was asked for.
  const recorded = recordedDump(version).filter((thread) => !thread.threadName.startsWith('flink-thread-info-sampler'));
  expect(ours.map((thread) => kindOf(thread.threadName)).sort()).toEqual(recorded.map((thread) => kindOf(thread.threadName)).sort());

  const texts = new Map(ours.map((thread) => [thread.threadName, stable(thread.stringifiedThreadInfo)]));
  const same = new Set(recorded.filter((thread) => texts.get(thread.threadName) === stable(thread.stringifiedThreadInfo)).map((thread) => kindOf(thread.threadName)));
  expect(same.size).toBeGreaterThanOrEqual(atLeast);
});
