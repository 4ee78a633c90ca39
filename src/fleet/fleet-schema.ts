import { z } from 'zod';
import { durationMs, flinkVersion, name, options } from '../scenario/schema/scalars.js';
import { MAX_SPEED } from '../control/time-control.js';

/** Clusters of one fleet, and of one entry of its file. */
export const MAX_CLUSTERS = 20_000;

/** What a cluster may be called: a label of a host name. */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** The same, with one place for the number. */
const NAME_PATTERN = /^(?=.{1,70}$)[a-z0-9-]*(\{n\}[a-z0-9-]*)?$/;

const speed = z.number().min(0.001).max(MAX_SPEED).meta({ description: 'Virtual seconds for each second of the wall' });
const seed = z.int().min(0).max(4_294_967_295);

/** What a cluster is made of, wherever it is said: in an entry, or for all entries. */
const settings = {
  scenario: name.meta({ description: 'Name of a scenario that ships, or a YAML file (from the folder of this file)' }),
  flinkVersion: flinkVersion.meta({ description: "Flink version to be; the scenario's when left out" }),
  options: options.meta({ description: "Flink options by Flink's own names, in place of the scenario's" }),
  openAt: durationMs.meta({ description: "How much of the scenario is history when the cluster opens; the scenario's when left out" }),
  speed,
  control: z.boolean().meta({ description: "The control API below the cluster's own `/_mock`" }),
};

export const clusterEntrySchema = z
  .strictObject({
    name: z.string().regex(NAME_PATTERN, 'lower-case letters, digits and `-`, at most 63 characters, with one `{n}` where there is a `count`: `team-{n}`').meta({ description: '`team-{n}`: with `count`, {n} is 1, 2, 3 …' }),
    count: z.int().min(1).max(MAX_CLUSTERS).optional().meta({ description: 'How many clusters of this kind there are' }),
    seed: seed.optional().meta({ description: "Seed of the first one, each next has the next; made from the cluster's name when left out" }),
    scenario: settings.scenario.optional(),
    flinkVersion: settings.flinkVersion.optional(),
    options: settings.options.optional(),
    openAt: settings.openAt.optional(),
    speed: settings.speed.optional(),
    control: settings.control.optional(),
  })
  .meta({ description: 'A cluster, or a template of several' });

const path = z
  .string()
  .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'a path that begins with `/` and does not end with it: `/clusters`')
  .refine((value) => !/^\/_(fleet|mock)(\/|$)/.test(value), 'a path other than `/_fleet` and `/_mock`, which are taken');

export const fleetSchema = z
  .strictObject({
    routing: z
      .strictObject({
        path: path.nullable().default('/clusters').meta({ description: 'Path in front of the clusters: `<path>/<name>/jobs`; null = none' }),
        host: z
          .string()
          .regex(/^[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/, 'a domain such as `flink.local`, lower-case')
          .nullable()
          .default(null)
          .meta({ description: 'Domain below which each cluster has a host name: `<name>.flink.local`; null = none' }),
      })
      .prefault({}),
    defaults: z
      .strictObject({
        scenario: settings.scenario.default('healthy'),
        flinkVersion: settings.flinkVersion.optional(),
        options: settings.options.default({}),
        openAt: settings.openAt.optional(),
        speed: settings.speed.default(1),
        control: settings.control.default(true),
      })
      .prefault({})
      .meta({ description: 'What holds for every entry that does not say otherwise' }),
    clusters: z.array(clusterEntrySchema).max(MAX_CLUSTERS).meta({ description: 'Clusters and templates of clusters' }),
  })
  .meta({ title: 'mock-flink fleet', description: 'Many simulated Flink clusters in one process' });

export type FleetInput = z.output<typeof fleetSchema>;
export type ClusterEntry = z.output<typeof clusterEntrySchema>;
export type FleetDefaults = FleetInput['defaults'];
export type Routing = FleetInput['routing'];

/** The file format as JSON Schema, for editors; made from what the loader checks. */
export function fleetJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(fleetSchema, { io: 'input', unrepresentable: 'any', reused: 'inline', target: 'draft-7' }), null, 1)}\n`;
}
