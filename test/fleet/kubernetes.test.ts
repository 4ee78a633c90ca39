import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../src/fleet/load-fleet.js';
import { aFleet, ask } from './a-fleet.js';

const folder = (name: string): string => fileURLToPath(new URL(`../../deploy/${name}/`, import.meta.url));
const read = (file: string): string => readFileSync(`${folder('fleet')}${file}`, 'utf8');

/** Manifests have no types here. */
type Manifest = any;

const manifests = (parse(read('kustomization.yaml')) as { resources: string[] }).resources.map((file) => parse(read(file)) as Manifest);
const ofKind = (all: readonly Manifest[], kind: string): Manifest => all.find((each) => each.kind === kind);
const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;

describe('the Kubernetes manifests of a fleet', () => {
  const [service, set, ingress] = ['Service', 'StatefulSet', 'Ingress'].map((kind) => ofKind(manifests, kind));

  it('ask replicas by the address of each, and by the cluster’s name', () => {
    expect(service.spec.clusterIP).toBe('None');
    expect(set.spec.serviceName).toBe(service.metadata.name);
    const { backend } = ingress.spec.rules[0].http.paths[0];
    expect(backend.service).toEqual({ name: service.metadata.name, port: { name: service.spec.ports[0].name } });
    expect(ingress.metadata.annotations['nginx.ingress.kubernetes.io/upstream-hash-by']).toBe('$host');
  });

  it('give clusters the host names that the fleet’s file routes by', () => {
    const { routing, clusters } = loadFleet(`${folder('fleet')}fleet.yaml`);
    expect(ingress.spec.rules.map(({ host }: Manifest) => host)).toEqual([`*.${routing.host}`]);
    expect(clusters.length).toBeGreaterThan(300);
  });

  it('give all replicas one instant since which their clocks run', () => {
    const [container] = set.spec.template.spec.containers;
    expect(container.args).toEqual(['fleet', '/etc/mock-flink/fleet.yaml', '--since', '$(SINCE)']);
    expect(container.env.find(({ name }: Manifest) => name === 'SINCE').valueFrom.configMapKeyRef).toEqual({ name: 'fleet-clock', key: 'since' });
    expect(read('since.env')).toMatch(/^since=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
  });

  it('probe what a fleet answers', async () => {
    const [{ readinessProbe, livenessProbe }] = set.spec.template.spec.containers;
    await using running = await aFleet('clusters: [{ name: a, scenario: healthy }]', { clock: 'real', token: 'secret-token' });
    expect((await ask(`${running.url}${livenessProbe.httpGet.path}`)).status).toBe(200);
    await expect.poll(async () => (await ask(`${running.url}${readinessProbe.httpGet.path}`)).status, { timeout: 20_000 }).toBe(200);
  });

  it.skipIf(!hasKubectl)('are rendered by kustomize, by host and by path', () => {
    const render = (name: string): Manifest[] => {
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder(name)], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    };
    const byHost = render('fleet');
    const config = byHost.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name as string);
    const { volumes, containers } = ofKind(byHost, 'StatefulSet').spec.template.spec;
    expect(config).toContain(volumes.find(({ name }: Manifest) => name === 'fleet').configMap.name);
    expect(config).toContain(containers[0].env.find(({ name }: Manifest) => name === 'SINCE').valueFrom.configMapKeyRef.name);
    expect(containers[0].image).toMatch(/^mock-flink:\d/);
    const byPath = ofKind(render('fleet-by-path'), 'Ingress');
    expect(byPath.metadata.annotations['nginx.ingress.kubernetes.io/upstream-hash-by']).toBe('$mock_flink_cluster');
    expect(byPath.spec.rules[0].http.paths[0].path).toBe('/clusters/');
  });
});
