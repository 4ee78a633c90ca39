import { blobServerPort } from '../../simulation/blob-server.js';
import { uuid } from '../../simulation/random.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { setOption, SHOWS_BLOB_SERVER_PORT, shownValue } from '../../versions/flink-options.js';
import { since, valueIn, type ByVersion, type FlinkVersion } from '../../versions/flink-versions.js';
import { hashMapOrder, hashSetCopyOrder, stringHash } from '../java/hash-order.js';

/** In application mode the main method runs in the job manager (FLIP-85). */
const RUNS_EMBEDDED: ByVersion<boolean> = since('1.11');

/** Folder that the web server makes for itself, below web.tmpdir (default: java.io.tmpdir). */
export function webTmpDirectory({ options, model }: SimulationState): string {
  const parent = setOption(options, 'web.tmpdir') ?? '/tmp';
  return `${parent}/flink-web-${uuid(model.seed, 'web.tmpdir')}`;
}

/** Folder of uploaded jars, as messages name it. The files lie elsewhere (RestServices.uploadDirectory). */
export function shownUploadDirectory(state: SimulationState): string {
  return `${setOption(state.options, 'web.upload.dir') ?? webTmpDirectory(state)}/flink-web-upload`;
}

/** The options of a running cluster: those that were set, and those that the job manager writes back when it has started. */
export function runningOptions(state: SimulationState, version: FlinkVersion): Record<string, string> {
  const { options, jobManager, model } = state;
  const running: Record<string, string> = {
    ...options,
    'jobmanager.rpc.address': options['jobmanager.rpc.address'] ?? jobManager.host,
    'jobmanager.rpc.port': options['jobmanager.rpc.port'] ?? String(jobManager.rpcPort),
    'web.tmpdir': webTmpDirectory(state),
  };
  if (model.cluster.application && valueIn(RUNS_EMBEDDED, version)) running['execution.target'] ??= 'embedded';
  if (valueIn(SHOWS_BLOB_SERVER_PORT, version)) running['blob.server.port'] ??= String(blobServerPort(model));
  return running;
}

/** Flink's ConfigurationInfo: key and value in the order of a Java HashSet, secrets hidden. */
export function configurationInfo(state: SimulationState, version: FlinkVersion): { key: string; value: string }[] {
  const options = runningOptions(state, version);
  const keys = hashSetCopyOrder(hashMapOrder(Object.keys(options), stringHash), stringHash);
  return keys.map((key) => ({ key, value: shownValue(key, options[key]!, version) }));
}
