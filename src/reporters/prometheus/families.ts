import { Histogram, javaText, type ReportedMetric, type ScopeMetrics } from '../../simulation/metrics/index.js';
import { MetricCatalog } from '../reported-metrics.js';
import type { ReporterConfig } from '../reporter-config.js';
import { orderedVariables } from '../variables.js';

/** What a Prometheus reporter's options decide about names and labels. */
export type ExpositionConfig = Pick<ReporterConfig, 'filter' | 'excludedVariables' | 'additionalVariables'> & { readonly filterLabelValueCharacters: boolean };

/** Metrics of one name: the text of each child's labels (without braces) with its value. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'summary';
  readonly children: Map<string, number | Summary>;
}

export interface Summary {
  readonly count: number;
  /** In the order of SUMMARY_QUANTILES. */
  readonly quantiles: readonly number[];
}

export const SUMMARY_QUANTILES = [0.5, 0.75, 0.95, 0.98, 0.99, 0.999] as const;

/** Only these may be in a metric's name or label. */
export const prometheusName = (text: string): string => text.replace(/[^a-zA-Z0-9:_]/g, '_');

const escapeLabel = (value: string): string => value.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

/** `name="value",` for each. */
export function labelsText(variables: Iterable<readonly [string, string]>, filterValues: boolean): string {
  let text = '';
  for (const [name, value] of variables) text += `${prometheusName(name)}="${escapeLabel(filterValues ? prometheusName(value) : value)}",`;
  return text;
}

/** A number as Flink's reporter takes it out of a metric: what is neither number nor boolean shows as 0. */
function numberOf(value: ReportedMetric['value']): number {
  return typeof value === 'number' ? value : value === true ? 1 : 0;
}

interface FamilyHead {
  readonly name: string;
  readonly help: string;
}

/** Gathers metrics by name, as the registry of Flink's Prometheus reporters does. */
export class FamilyCollector {
  readonly families = new Map<string, Family>();
  readonly #catalog: MetricCatalog<FamilyHead>;

  constructor(private readonly config: ExpositionConfig) {
    this.#catalog = new MetricCatalog<FamilyHead>(config.filter, ({ name, scope }) => {
      const flatScope = prometheusName(scope);
      return { name: `flink_${flatScope}_${prometheusName(name)}`, help: `${name} (scope: ${flatScope})` };
    });
  }

  /** Forgets the children, keeping what is known about names. */
  clear(): void {
    this.families.clear();
  }

  add({ scope, variables, metrics }: ScopeMetrics): void {
    const { excludedVariables, additionalVariables, filterLabelValueCharacters } = this.config;
    const inScope = { ...additionalVariables, ...variables };
    let groupLabels: Readonly<Record<string, string>> | null = null;
    let text = '';
    for (const metric of metrics) {
      const { isReported, extra } = this.#catalog.of(scope, metric);
      if (!isReported) continue;
      if (metric.labels !== groupLabels) {
        groupLabels = metric.labels;
        text = labelsText(orderedVariables(inScope, groupLabels, excludedVariables), filterLabelValueCharacters);
      }
      this.#add(extra, text, metric.value);
    }
  }

  #add({ name, help }: FamilyHead, labels: string, value: ReportedMetric['value']): void {
    let family = this.families.get(name);
    if (!family) this.families.set(name, (family = { name, help, type: value instanceof Histogram ? 'summary' : 'gauge', children: new Map() }));
    // A metric that is registered again takes the place of the first.
    family.children.set(labels, value instanceof Histogram ? { count: value.total, quantiles: SUMMARY_QUANTILES.map((quantile) => value.quantile(quantile)) } : numberOf(value));
  }
}

/** A double as the Java client prints it. */
export function sampleText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return javaText('double', value);
}
