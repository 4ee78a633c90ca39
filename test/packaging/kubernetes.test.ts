import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../docs/markdown.js';
import { startCli } from '../support/running-server.js';

type Manifest = Record<string, any>;

const folder = path.join(ROOT, 'deploy/kubernetes');
const kubectl = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
const hasKubectl = kubectl.error === undefined;

/** As kubectl renders it; without kubectl the files as they are. */
function manifests(): Manifest[] {
  if (hasKubectl) return parseAllDocuments(kubectl.stdout).map((document) => document.toJS() as Manifest);
  const { resources } = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
  return resources.map((file) => parse(readFileSync(path.join(folder, file), 'utf8')) as Manifest);
}

const all = manifests();
const deployment = all.find(({ kind }) => kind === 'Deployment')!;
const pod = deployment['spec'].template;
const container = pod.spec.containers[0] as Manifest;
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];

describe('the manifests for Kubernetes', () => {
  it.skipIf(!hasKubectl)('are rendered by kubectl without a complaint, each kind once', () => {
    expect(kubectl.stderr).toBe('');
    expect(all.map(({ kind }) => kind as string).sort()).toEqual(['ConfigMap', 'Deployment', 'Service']);
  });

  it.skipIf(!hasKubectl)('fit together: selectors, the name of the config map, the tag of the image', () => {
    const labels = pod.metadata.labels;
    const service = all.find(({ kind }) => kind === 'Service')!;
    const configMap = all.find(({ kind }) => kind === 'ConfigMap')!;
    expect(deployment['spec'].selector.matchLabels).toEqual(labels);
    expect(service['spec'].selector).toEqual(labels);
    expect(pod.spec.volumes.find(({ name }: Manifest) => name === 'configuration').configMap.name).toBe(configMap['metadata'].name);
    expect(container['image']).toBe(`mock-flink:${(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }).version}`);
    expect(Object.keys(configMap['data'])).toEqual([path.basename(container['args'].at(-1))]);
  });

  it('ask a named port for health', () => {
    const ports = container['ports'].map(({ name }: Manifest) => name);
    for (const probe of PROBES) expect(ports, probe).toContain(container[probe].httpGet.port);
    expect(all.find(({ kind }) => kind === 'Service')!['spec'].ports.map(({ targetPort }: Manifest) => targetPort)).toEqual(ports);
  });

  it('give no privileges', () => {
    expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
    expect(container['securityContext']).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(container['volumeMounts'].find(({ mountPath }: Manifest) => mountPath === '/tmp')).not.toHaveProperty('readOnly');
  });

  it("start a server that answers the probes, with the container's arguments and the config map's file", async () => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'kubernetes-'));
    const file = path.join(temporary, 'mock-flink.yaml');
    writeFileSync(file, readFileSync(path.join(folder, 'mock-flink.yaml')));
    const [command, ...args] = (container['args'] as string[]).map((each) => (each.endsWith('.yaml') ? file : each));
    expect(command).toBe('serve');
    const server = await startCli(args);
    try {
      for (const probe of PROBES) expect((await fetch(server.url + container[probe].httpGet.path)).status).toBe(200);
      expect(await (await fetch(`${server.url}/config`)).json()).toMatchObject({ 'flink-version': '2.3.0' });
    } finally {
      await server.stop();
      rmSync(temporary, { recursive: true });
    }
  });
});
