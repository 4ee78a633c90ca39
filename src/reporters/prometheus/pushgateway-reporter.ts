import { randomBytes } from 'node:crypto';
import { valueIn } from '../../versions/flink-versions.js';
import { REPORTER_FEATURES } from '../../versions/reporter-features.js';
import { httpSend } from '../http-post.js';
import { processOf, reportingProcesses, scopesOf } from '../reported-metrics.js';
import { booleanOf, numberOf, requiredText, type ReporterConfig } from '../reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from '../reporter.js';
import { EXPOSITION_TYPE, familiesText } from './exposition.js';
import { FamilyCollector } from './families.js';
import { expositionConfig } from './prometheus-reporter.js';

/** `k1=v1;k2=v2`; pairs that lack a side are left out. */
export function parseGroupingKey(text: string): [string, string][] {
  return text.split(';').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=');
    const [key, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    return equals < 0 || key.trim() === '' || value.trim() === '' ? [] : [[key, value]];
  });
}

/** Part of a PushGateway's path; a value with a slash goes encoded. */
function pathSegment(key: string, value: string): string {
  return value.includes('/') ? `${key}@base64/${Buffer.from(value).toString('base64url')}` : `${key}/${encodeURIComponent(value)}`;
}

/** Flink's PrometheusPushGatewayReporter: each process puts its metrics into a group of its own. */
export class PushGatewayReporter implements Reporter {
  readonly #collectors = new Map<string, FamilyCollector>();
  /** Where each process pushes to; kept when it has gone, to be deleted. */
  readonly #groups = new Map<string, string>();
  readonly #url: string;

  constructor(
    private readonly config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    const hostUrl = valueIn(REPORTER_FEATURES.pushGatewayUrl, surroundings.version) ? config.options['hostUrl'] : undefined;
    this.#url = (hostUrl ?? `http://${requiredText(config, 'host')}:${numberOf(config, 'port', -1)}`).replace(/\/+$/, '');
  }

  async processesChanged(): Promise<void> {
    const present = reportingProcesses(this.surroundings.state);
    for (const process of [...this.#groups.keys()]) if (!present.includes(process)) await this.#leave(process);
  }

  report(): Delivery {
    const { state } = this.surroundings;
    for (const collector of this.#collectors.values()) collector.clear();
    for (const scope of scopesOf(state, null)) this.#collectorOf(processOf(scope)).add(scope);
    const bodies = [...this.#collectors].map(([process, { families }]) => [process, [...familiesText(families.values())].join('')] as const);
    return async () => {
      for (const [process, body] of bodies) if (body !== '') await httpSend('PUT', this.#groupOf(process), { 'Content-Type': EXPOSITION_TYPE }, body);
    };
  }

  async close(): Promise<void> {
    for (const process of [...this.#groups.keys()]) await this.#leave(process);
  }

  #collectorOf(process: string): FamilyCollector {
    let collector = this.#collectors.get(process);
    if (!collector) this.#collectors.set(process, (collector = new FamilyCollector(expositionConfig(this.config))));
    return collector;
  }

  #groupOf(process: string): string {
    let group = this.#groups.get(process);
    if (group === undefined) {
      const suffix = booleanOf(this.config, 'randomJobNameSuffix', true) ? randomBytes(16).toString('hex') : '';
      const labels = [['job', (this.config.options['jobName'] ?? '') + suffix], ...parseGroupingKey(this.config.options['groupingKey'] ?? '')] as const;
      group = `${this.#url}/metrics/${labels.map(([key, value]) => pathSegment(key!, value!)).join('/')}`;
      this.#groups.set(process, group);
    }
    return group;
  }

  /** A process that ends takes its metrics away, unless it is told not to. */
  async #leave(process: string): Promise<void> {
    const group = this.#groups.get(process)!;
    this.#groups.delete(process);
    this.#collectors.delete(process);
    if (booleanOf(this.config, 'deleteOnShutdown', true)) await httpSend('DELETE', group, {}, null);
  }
}
