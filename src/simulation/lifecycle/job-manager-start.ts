import { shownValue } from '../../versions/flink-options.js';
import type { LogLineName } from '../../versions/log-lines.js';
import { blobServerPort } from '../blob-server.js';
import { durationOption } from '../options.js';
import { uuid } from '../random.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf, versionOf } from '../version.js';
import { logValues } from './names.js';
import { entrypointValues } from './application.js';
import { reporterLines } from './reporter-lines.js';
import { buildValues, logStartUp } from './task-managers.js';

const MIB = 1024 * 1024;

/** The lines of a job manager's process from its start until it leads. */
export function logJobManagerStart(state: SimulationState, fromMs: number, toMs: number): void {
  const { host, rpcPort, restPort, log } = state.jobManager;
  const { seed, options } = state.model;
  const values: Record<string, string | number> = {
    ...logValues(state),
    ...buildValues(state),
    ...entrypointValues(state),
    heapMiB: Math.round(state.jobManager.jvm.heapMaxBytes / MIB),
    directory: options['io.tmp.dirs'] ?? '/tmp',
    uuid: uuid(seed, 'store'),
    expiration: durationOption(options, 'jobstore.expiration-time', 3_600_000, 1000),
  };
  const rest = { ...values, host, port: restPort };
  const lines: [LogLineName, Record<string, string | number>][] = [
    ...(['jmRule', 'jmStarting', 'jmUser', 'jmHadoopUser', 'jmJvm', 'jmArch', 'jmHeap', 'jmJavaHome', 'jmNoHadoop', 'jmJvmOptions', 'jmHeapOption', 'jmRule', 'jmSignals'] as const).map((name): [LogLineName, typeof values] => [name, values]),
    ...Object.entries(options).map(([key, value]): [LogLineName, Record<string, string>] => ['loadingProperty', { key, value: shownValue(key, value, versionOf(state)) }]),
    ...(['jmEntrypoint', 'jmFileSystem', 'jmSecurity', 'jmServices', 'startingActorSystem', 'slf4jStarted', 'startingRemoting', 'remotingStarted', 'actorSystemStarted'] as const).map((name): [LogLineName, typeof values] => [name, { ...values, port: rpcPort }]),
    ['blobServer', { port: blobServerPort(state.model) }],
    ...reporterLines(options),
    ['jobStore', values],
    ['startingRest', rest],
    ['restListening', rest],
    ['restLeadership', rest],
    ['webFrontend', rest],
    ['startingResourceManagerEndpoint', { ...values, resourceManager: lifecycleOf(state).startEndpoints.resourceManager }],
    ['startingDispatcherEndpoint', { ...values, dispatcher: lifecycleOf(state).startEndpoints.dispatcher }],
    ['resourceManagerLeadership', { ...values, resourceManager: lifecycleOf(state).startEndpoints.resourceManager }],
    ['startingSlotManager', values],
    ['recoveringJobs', values],
  ];
  logStartUp(state, log, lines, fromMs, toMs);
}
