import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resolveServeOptions } from '../../src/cli/option-sources.js';
import { reporterConfigs } from '../../src/reporters/reporter-config.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const text = (file: string): unknown => parse(read(file));

interface Compose {
  readonly services: Readonly<Record<string, { readonly image?: string; readonly volumes?: readonly string[]; readonly ports?: readonly string[] }>>;
}
const compose = text('compose.yaml') as Compose;

/** The host of a URL in the demo's files is a service of the compose file. */
const serviceOf = (url: string): string => new URL(url).hostname;

describe('compose.yaml', () => {
  it('passes the linter', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('node_modules/dclint/bin/dclint.cjs', ROOT)), '--formatter', 'json', 'compose.yaml'], { cwd: ROOT });
    expect(JSON.parse(stdout) as { messages: unknown[] }[]).toEqual([expect.objectContaining({ messages: [] })]);
  });

  it('mounts files that are there, and pins its images', () => {
    for (const { volumes = [], image } of Object.values(compose.services)) {
      for (const volume of volumes) expect(existsSync(new URL(volume.split(':')[0]!, ROOT)), volume).toBe(true);
      if (image !== undefined) expect(image).toMatch(/:v?\d+\.\d+/);
    }
  });
});

describe('what the services are told', () => {
  const options = resolveServeOptions({}, {}, fileURLToPath(new URL('demo/mock-flink/mock-flink.yaml', ROOT)));

  it('mock-flink: a scenario that ships, and reporters that there are', () => {
    const { model } = loadScenario(options.scenario, { flinkVersion: options.flinkVersion!, options: options.config });
    const warnings: string[] = [];
    const reporters = reporterConfigs(model.options, parseFlinkVersion(options.flinkVersion!)!, (message) => void warnings.push(message));
    expect(warnings).toEqual([]);
    expect(reporters.map(({ kind }) => kind)).toEqual(['influxdb', 'prometheus']);
    expect(Object.keys(compose.services)).toContain(options.config['metrics.reporter.influx.host']);
  });

  it('Prometheus and Grafana: services and files of the demo', () => {
    const prometheus = text('demo/prometheus/prometheus.yml') as { rule_files: string[]; scrape_configs: { http_sd_configs: { url: string }[] }[] };
    for (const file of prometheus.rule_files) expect(existsSync(new URL(`demo/prometheus/${file}`, ROOT))).toBe(true);
    const urls = prometheus.scrape_configs.flatMap(({ http_sd_configs }) => http_sd_configs.map(({ url }) => url));
    const { datasources } = text('demo/grafana/provisioning/datasources/prometheus.yml') as { datasources: { uid: string; url: string }[] };
    for (const url of [...urls, ...datasources.map((each) => each.url)]) expect(Object.keys(compose.services)).toContain(serviceOf(url));
    const { providers } = text('demo/grafana/provisioning/dashboards/flink.yml') as { providers: { options: { path: string } }[] };
    expect(compose.services['grafana']!.volumes!.some((volume) => volume.split(':')[1] === providers[0]!.options.path)).toBe(true);
  });

  it('the dashboards lie on a grid without overlaps and ask the data source that is provisioned', () => {
    const files = readdirSync(new URL('demo/grafana/dashboards/', ROOT));
    expect(files).toHaveLength(6);
    for (const file of files) {
      const { uid, panels } = JSON.parse(read(`demo/grafana/dashboards/${file}`)) as { uid: string; panels: { id: number; gridPos: { x: number; y: number; w: number; h: number }; datasource: { uid: string } }[] };
      expect(`${uid}.json`).toBe(file);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`));
      expect(new Set(cells).size, file).toBe(cells.length);
      for (const { datasource, gridPos } of panels) {
        expect(datasource.uid).toBe('prometheus');
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      }
    }
  });
});
