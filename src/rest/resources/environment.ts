import { jobManagerJvmOptions, JVM_ARCHITECTURE, JVM_VERSION, libraryJars } from '../../versions/distribution.js';
import { defineEndpoint, type Endpoint, type EndpointHandler } from '../endpoint.js';
import { processLogs } from '../views/log-files.js';

/** The job manager's JVM; asked for a job too, whose id Flink does not look at. */
const environment: EndpointHandler = (_request, { state, version }) => ({
  jvm: {
    version: JVM_VERSION,
    arch: JVM_ARCHITECTURE,
    options: jobManagerJvmOptions(state.jobManager.jvm.heapMaxBytes, processLogs(state, 'jobmanager')!.log.name),
  },
  classpath: libraryJars(version),
});

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'GET', url: '/jobmanager/environment', handle: environment }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/jobmanager/environment', handle: environment }),
];
