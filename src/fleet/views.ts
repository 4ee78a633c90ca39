import { z } from 'zod';
import { isGloballyTerminal } from '../simulation/lifecycle/job-status.js';
import type { Fleet } from './fleet.js';
import type { HostedCluster } from './hosted-cluster.js';

export const CLUSTER_VIEW = z.object({
  name: z.string(),
  url: z.string().meta({ description: "Of its Flink API; its control API, where there is one, is at `<url>/_mock`." }),
  status: z.enum(['opening', 'running', 'failed']).meta({ description: '`opening`: its history is not simulated yet; a request waits for that. `failed`: see `failure`; it answers 503.' }),
  failure: z.string().nullable(),
  scenario: z.string(),
  flinkVersion: z.string(),
  seed: z.int(),
  control: z.boolean(),
  now: z.string().meta({ description: 'What its clock shows, ISO 8601.' }),
  speed: z.number(),
  paused: z.boolean(),
  behindMs: z.int().meta({ description: 'How far its simulation is behind its clock, virtual ms: nobody asked lately.' }),
  jobs: z.int().meta({ description: 'Jobs that have not ended.' }),
});

export type ClusterView = z.output<typeof CLUSTER_VIEW>;

/** Where clients find a cluster: below the fleet's address, or at a host name of its own. */
export function clusterUrl(fleet: Fleet, { name }: HostedCluster, fleetUrl: string): string {
  const { path, host } = fleet.definition.routing;
  if (path !== null) return `${fleetUrl}${path}/${name}`;
  const { protocol, port } = new URL(fleetUrl);
  return `${protocol}//${name}.${host}${port === '' ? '' : `:${port}`}`;
}

/** A cluster at a glance; it is not moved for that. */
export function clusterView(fleet: Fleet, cluster: HostedCluster, fleetUrl: string): ClusterView {
  const { name, status, failure, definition, clock, behindMs, simulation } = cluster;
  const { state } = simulation;
  return {
    name,
    url: clusterUrl(fleet, cluster, fleetUrl),
    status,
    failure: failure?.message ?? null,
    scenario: state.model.name,
    flinkVersion: state.model.flinkVersion,
    seed: state.model.seed,
    control: definition.control,
    now: new Date(clock.now()).toISOString(),
    speed: clock.speed,
    paused: clock.paused,
    behindMs: Math.round(behindMs),
    jobs: [...state.jobs.values()].filter((job) => !isGloballyTerminal(job.status)).length,
  };
}

export const FLEET_HEALTH = z.object({
  status: z.enum(['ok', 'opening', 'degraded']).meta({ description: '`opening`: some histories are not simulated yet; `degraded`: a cluster failed.' }),
  clusters: z.int(),
  opening: z.int(),
  running: z.int(),
  failed: z.int(),
  maxBehindMs: z.int().meta({ description: 'How far that running cluster is behind its clock which is so the most, virtual ms.' }),
  residentMiB: z.int().meta({ description: "The process's memory." }),
});

export type FleetHealth = z.output<typeof FLEET_HEALTH>;

export function fleetHealth(fleet: Fleet): FleetHealth {
  const counts = { opening: 0, running: 0, failed: 0 };
  let maxBehindMs = 0;
  for (const { status, behindMs } of fleet.list()) {
    counts[status]++;
    if (status === 'running') maxBehindMs = Math.max(maxBehindMs, behindMs);
  }
  return { status: counts.failed > 0 ? 'degraded' : counts.opening > 0 ? 'opening' : 'ok', clusters: fleet.size, ...counts, maxBehindMs: Math.round(maxBehindMs), residentMiB: Math.round(process.memoryUsage.rss() / 1024 ** 2) };
}
