import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { JobEdgeModel, JobModel, JobVertexModel, OperatorModel } from '../../../src/simulation/model/job-model.js';
import { jsonPlan, type JsonPlan } from '../../../src/simulation/plan/json-plan.js';
import { treeDescription } from '../../../src/simulation/plan/description.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restFeatures } from '../../../src/versions/rest-features.js';
import { bpJob } from '../../simulation/fixture.js';

interface RecordedPlan {
  readonly version: string;
  readonly name: string;
  /** In the order of /jobs/:jobid. */
  readonly vertices: readonly (readonly [id: string, name: string, parallelism: number])[];
  readonly plan: JsonPlan;
}

const recorded = JSON.parse(gunzipSync(readFileSync(new URL('../../golden/jobs-plans.json.gz', import.meta.url))).toString('utf8')) as RecordedPlan[];
const template = bpJob();

function vertexModel(id: string, name: string, parallelism: number, description: string | null = null): JobVertexModel {
  const operators = name.split(/ -> \(|, (?=[A-Z]\w+: )| -> /).map((part): OperatorModel => ({ ...template.vertices[1]!.operators[0]!, id, name: part.replace(/\)$/, '') }));
  return { id, name, parallelism, maxParallelism: 128, slotSharingGroup: 'default', operators, description };
}

/** The job of a recorded plan, as far as a plan shows it. */
function jobModel({ vertices, plan }: RecordedPlan): JobModel {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const edges = vertices.flatMap(([id]) =>
    (nodes.get(id)!.inputs ?? []).map(
      (input): JobEdgeModel => ({ sourceVertexId: input.id, targetVertexId: id, shipStrategy: input.ship_strategy as 'HASH', exchange: input.exchange as 'blocking', fraction: 1, skew: null }),
    ),
  );
  return { ...template, jobType: plan.type ?? 'STREAMING', vertices: vertices.map(([id, name, parallelism]) => vertexModel(id, name, parallelism)), edges };
}

/** Windows are described at length where their names are short. */
const isLong = (description: string) => description.includes('Window');

describe('plan of a job', () => {
  it.each(recorded.map((plan) => [`${plan.version} ${plan.name}`, plan] as const))('has the nodes, inputs and descriptions of real Flink: %s', (_title, expected) => {
    const features = restFeatures(parseFlinkVersion(expected.version)!);
    const plan = jsonPlan(expected.plan.jid, expected.name, jobModel(expected), features);
    expect(plan.nodes.map((node) => node.id)).toEqual(expected.plan.nodes.map((node) => node.id));
    for (const [i, node] of expected.plan.nodes.entries()) {
      const { description, ...rest } = plan.nodes[i]!;
      const { description: expectedDescription, ...expectedRest } = node;
      expect(rest).toEqual(expectedRest);
      if (!isLong(expectedDescription)) expect(description).toBe(expectedDescription);
    }
  });

  it('shows the parallelism of now, not of the model', () => {
    const model = bpJob({ p: 2 });
    const plan = jsonPlan('0'.repeat(32), 'rescaled', model, restFeatures(parseFlinkVersion('2.3')!), () => 7);
    expect(plan.nodes.map((node) => node.parallelism)).toEqual([7, 7, 7, 7]);
  });

  it('escapes names for HTML, as a tree from 1.15 on and in one line before', () => {
    const model: JobModel = { ...template, edges: [], vertices: [vertexModel('a'.repeat(32), 'Source: a<b> -> "c"\\d', 1)] };
    const describe19 = jsonPlan('j', 'n', model, restFeatures(parseFlinkVersion('1.9')!)).nodes[0]!.description;
    const describe115 = jsonPlan('j', 'n', model, restFeatures(parseFlinkVersion('1.15')!)).nodes[0]!.description;
    expect(describe19).toBe('Source: a&lt;b&gt; -&gt; &quot;c&quot;&#92;d');
    expect(describe115).toBe('Source: a&lt;b&gt;<br/>+- &quot;c&quot;&#92;d<br/>');
  });

  it('draws a chain that forks as a tree', () => {
    const vertex = vertexModel('a'.repeat(32), 'TumblingEventTimeWindows -> (Late: Writer, Counts: Writer)', 2);
    expect(treeDescription(vertex)).toBe('TumblingEventTimeWindows\n:- Late: Writer\n+- Counts: Writer\n');
  });
});
