import type { Endpoint } from '../endpoint.js';
import { endpoints as applications } from './applications.js';
import { endpoints as backpressure } from './backpressure.js';
import { endpoints as checkpointTriggers } from './checkpoint-triggers.js';
import { endpoints as checkpoints } from './checkpoints.js';
import { endpoints as clusterOverview } from './cluster-overview.js';
import { endpoints as clusterShutdown } from './cluster-shutdown.js';
import { endpoints as configuration } from './configuration.js';
import { endpoints as dashboardConfig } from './dashboard-config.js';
import { endpoints as datasets } from './datasets.js';
import { endpoints as environment } from './environment.js';
import { endpoints as flamegraph } from './flamegraph.js';
import { endpoints as jarRuns } from './jar-runs.js';
import { endpoints as jars } from './jars.js';
import { endpoints as jobAccumulators } from './job-accumulators.js';
import { endpoints as jobCancellation } from './job-cancellation.js';
import { endpoints as jobClients } from './job-clients.js';
import { endpoints as jobConfig } from './job-config.js';
import { endpoints as jobDetails } from './job-details.js';
import { endpoints as jobExceptions } from './job-exceptions.js';
import { endpoints as jobPlan } from './job-plan.js';
import { endpoints as jobRescales } from './job-rescales.js';
import { endpoints as jobStatus } from './job-status.js';
import { endpoints as jobSubmission } from './job-submission.js';
import { endpoints as jobsOverview } from './jobs-overview.js';
import { endpoints as logUrls } from './log-urls.js';
import { endpoints as logs } from './logs.js';
import { endpoints as metricsAggregated } from './metrics-aggregated.js';
import { endpoints as metricsComponents } from './metrics-components.js';
import { endpoints as profiler } from './profiler.js';
import { endpoints as rescaling } from './rescaling.js';
import { endpoints as resourceRequirements } from './resource-requirements.js';
import { endpoints as savepointDisposal } from './savepoint-disposal.js';
import { endpoints as savepoints } from './savepoints.js';
import { endpoints as subtasks } from './subtasks.js';
import { endpoints as taskManagers } from './task-managers.js';
import { endpoints as threadDumps } from './thread-dumps.js';
import { endpoints as vertices } from './vertices.js';
import { endpoints as watermarks } from './watermarks.js';

/** A part of the API: one file here. */
export interface Resource {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
}

/** Every resource of every version; endpoints that a version does not have are left out when its routes are made. */
export const RESOURCES: readonly Resource[] = [
  { name: 'applications', endpoints: applications },
  { name: 'backpressure', endpoints: backpressure },
  { name: 'checkpoint-triggers', endpoints: checkpointTriggers },
  { name: 'checkpoints', endpoints: checkpoints },
  { name: 'cluster-overview', endpoints: clusterOverview },
  { name: 'cluster-shutdown', endpoints: clusterShutdown },
  { name: 'configuration', endpoints: configuration },
  { name: 'dashboard-config', endpoints: dashboardConfig },
  { name: 'datasets', endpoints: datasets },
  { name: 'environment', endpoints: environment },
  { name: 'flamegraph', endpoints: flamegraph },
  { name: 'jar-runs', endpoints: jarRuns },
  { name: 'jars', endpoints: jars },
  { name: 'job-accumulators', endpoints: jobAccumulators },
  { name: 'job-cancellation', endpoints: jobCancellation },
  { name: 'job-clients', endpoints: jobClients },
  { name: 'job-config', endpoints: jobConfig },
  { name: 'job-details', endpoints: jobDetails },
  { name: 'job-exceptions', endpoints: jobExceptions },
  { name: 'job-plan', endpoints: jobPlan },
  { name: 'job-rescales', endpoints: jobRescales },
  { name: 'job-status', endpoints: jobStatus },
  { name: 'job-submission', endpoints: jobSubmission },
  { name: 'jobs-overview', endpoints: jobsOverview },
  { name: 'log-urls', endpoints: logUrls },
  { name: 'logs', endpoints: logs },
  { name: 'metrics-aggregated', endpoints: metricsAggregated },
  { name: 'metrics-components', endpoints: metricsComponents },
  { name: 'profiler', endpoints: profiler },
  { name: 'rescaling', endpoints: rescaling },
  { name: 'resource-requirements', endpoints: resourceRequirements },
  { name: 'savepoint-disposal', endpoints: savepointDisposal },
  { name: 'savepoints', endpoints: savepoints },
  { name: 'subtasks', endpoints: subtasks },
  { name: 'task-managers', endpoints: taskManagers },
  { name: 'thread-dumps', endpoints: threadDumps },
  { name: 'vertices', endpoints: vertices },
  { name: 'watermarks', endpoints: watermarks },
];
