import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { ControlError } from '../control/problem.js';
import { nearestName } from '../scenario/nearest-name.js';
import { Background } from './background.js';
import type { ClusterDefinition } from './cluster-definition.js';
import { ControlApps } from './control-apps.js';
import { MAX_CLUSTERS } from './fleet-schema.js';
import type { FleetTime } from './fleet-time.js';
import { HostedCluster } from './hosted-cluster.js';
import type { FleetDefinition } from './load-fleet.js';
import { SharedApps } from './shared-apps.js';

export interface FleetOptions {
  readonly definition: FleetDefinition;
  readonly time: FleetTime;
  readonly host: string;
  /** Port on which it will be asked, as far as it is known. */
  readonly restPort: number;
  readonly address: () => string;
  readonly token: string | null;
  readonly dashboard: string | null;
  readonly logger: Logger | null;
}

interface Hosted {
  readonly cluster: HostedCluster;
  /** Which of the shared apps answers for it. */
  readonly app: string;
}

/** All clusters of a process: to be found by name, added and taken away while the others go on. */
export class Fleet {
  readonly apps: SharedApps;
  readonly controlApps: ControlApps;
  readonly background: Background;
  private readonly hosted = new Map<string, Hosted>();
  private readonly clusters = new Map<string, HostedCluster>();
  /** Names that are being added. */
  private readonly claimed = new Set<string>();
  private fastest = 1;
  private folders = 0;

  private constructor(
    private readonly options: FleetOptions,
    readonly temporaryDirectory: string,
  ) {
    const { logger, token, dashboard } = options;
    this.apps = new SharedApps({ temporaryDirectory: path.join(temporaryDirectory, 'parts'), dashboard, logger });
    this.controlApps = new ControlApps({ token, logger });
    this.background = new Background(this.clusters, () => this.fastest);
  }

  /** With all clusters of the definition; their history is simulated later. Throws a ScenarioError. */
  static async create(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options, await mkdtemp(path.join(tmpdir(), 'flink-fleet-')));
    try {
      for (const definition of options.definition.clusters) await fleet.host(definition, options.time.opensMs, options.time.passedMs(definition.speed));
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  get size(): number {
    return this.clusters.size;
  }

  get definition(): FleetDefinition {
    return this.options.definition;
  }

  get time(): FleetTime {
    return this.options.time;
  }

  /** In the order in which they came. */
  list(): Iterable<HostedCluster> {
    return this.clusters.values();
  }

  find(name: string): Hosted | undefined {
    return this.hosted.get(name);
  }

  /** Throws a ControlError where there is none. */
  get(name: string): HostedCluster {
    const cluster = this.clusters.get(name);
    if (cluster) return cluster;
    const near = this.clusters.size <= 2_000 ? nearestName(name, this.clusters.keys()) : null;
    throw new ControlError(404, `there is no cluster ${JSON.stringify(name.slice(0, 100))}${near === null ? '' : `; did you mean ${near}?`}`);
  }

  /** Adds clusters while others run: all or none. They open at `opensMs` (epoch ms), or at what the fleet's clock shows now. */
  async add(definitions: readonly ClusterDefinition[], opensMs: number | null): Promise<HostedCluster[]> {
    const taken = definitions.find(({ name }) => this.clusters.has(name) || this.claimed.has(name));
    if (taken) throw new ControlError(409, `there is a cluster ${taken.name} already; take it away, or give another name`);
    const total = this.clusters.size + this.claimed.size + definitions.length;
    if (total > MAX_CLUSTERS) throw new ControlError(409, `there would be ${total} clusters; allowed: at most ${MAX_CLUSTERS}`);
    const { time } = this.options;
    for (const { name } of definitions) this.claimed.add(name);
    const added: HostedCluster[] = [];
    try {
      for (const definition of definitions) {
        const presentMs = time.opensMs === null ? null : time.opensMs + time.passedMs(definition.speed);
        const opens = opensMs ?? presentMs;
        const passedMs = opens === null || presentMs === null ? 0 : Math.max(0, presentMs - opens);
        added.push(await this.host(definition, opens === null ? null : Math.floor(opens), passedMs));
      }
    } catch (error) {
      for (const { name } of added) await this.remove(name);
      throw error;
    } finally {
      for (const { name } of definitions) this.claimed.delete(name);
    }
    return added;
  }

  /** Takes a cluster away; who asks for it then is told that there is none. */
  async remove(name: string): Promise<void> {
    const cluster = this.get(name);
    this.clusters.delete(name);
    this.hosted.delete(name);
    this.background.removed(cluster);
    await this.controlApps.removed(cluster);
    await cluster.close();
  }

  /** Moves all clocks on, where they are held. */
  advance(ms: number): void {
    if (this.options.time.mode !== 'manual') throw new ControlError(409, 'the clocks run by themselves; only those that are held (--clock manual) can be advanced');
    this.options.time.advance(ms);
    for (const cluster of this.clusters.values()) cluster.advanceClock(ms);
  }

  async close(): Promise<void> {
    this.background.stop();
    const clusters = [...this.clusters.values()];
    this.clusters.clear();
    this.hosted.clear();
    await Promise.all([this.controlApps.close(), this.apps.close(), ...clusters.map((cluster) => cluster.close())]);
    await rm(this.temporaryDirectory, { recursive: true, force: true });
  }

  private async host(definition: ClusterDefinition, opensMs: number | null, passedMs: number): Promise<HostedCluster> {
    const { definition: fleet, time, restPort, host, address, logger } = this.options;
    const { path: base } = fleet.routing;
    const input = fleet.scenarios.inputOf(definition, opensMs, restPort);
    const cluster = await HostedCluster.create({
      ...input,
      definition,
      mode: time.mode,
      nowMs: Math.floor(input.model.startMs + input.openAtMs + passedMs),
      // Numbered: one of the same name may be on its way out.
      directory: path.join(this.temporaryDirectory, String(this.folders++)),
      host,
      basePath: base === null ? null : `${base}/${definition.name}`,
      address,
      onShutdown: () => void this.shutDown(definition.name),
      logger,
    });
    const app = await this.apps.prepare(cluster);
    this.clusters.set(definition.name, cluster);
    this.hosted.set(definition.name, { cluster, app });
    this.fastest = Math.max(this.fastest, definition.speed);
    this.background.added(cluster);
    return cluster;
  }

  private async shutDown(name: string): Promise<void> {
    this.options.logger?.info({ cluster: name }, 'was shut down through its API');
    if (this.clusters.has(name)) await this.remove(name);
  }
}
