/** Figures of a job as REST tells them, read alike from a kept watch of a real cluster and from mock-flink. Not by the recorder's own code. */
import type { Answer } from '../../src/recorder/rest-client.js';

export interface VertexFigures {
  readonly name: string;
  /** Records handled a second, all subtasks. */
  readonly recordsPerSecond: number;
  /** By subtask, 0 to 1; NaN = not told. Of the last minute, at the end; up to 1.12 the mean of all stack samples. */
  readonly backPressured: readonly number[];
  readonly busy: readonly number[];
  readonly idle: readonly number[];
}

type Values = Map<string, number>;

function valuesOf(answers: readonly Answer[]): Values {
  const values: Values = new Map();
  for (const { body } of answers) for (const { id, value } of JSON.parse(body) as { id: string; value: string }[]) values.set(id, Number(value));
  return values;
}

const isMetrics = (vertexId: string) => (answer: Answer) => answer.path.includes(`/vertices/${vertexId}/metrics?get=`) && answer.path.length > 150;

/** From all answers of a watch, in order. */
export function figuresOf(answers: readonly Answer[]): VertexFigures[] {
  const detail = answers.find(({ path }) => /^\/jobs\/[0-9a-f]{32}$/.test(path))!;
  const job = JSON.parse(detail.body) as { vertices: { id: string; name: string; parallelism: number }[] };
  return job.vertices.map(({ id, name, parallelism }, v) => {
    const all = answers.filter(isMetrics(id));
    // A shot may take several requests: those of the same query belong to different shots.
    const queries = [...new Set(all.map(({ path }) => path))];
    const shots = all.filter(({ path }) => path === queries[0]).map((first, n) => ({ atMs: first.atMs, values: valuesOf(queries.map((query) => all.filter(({ path }) => path === query)[n]!).filter(Boolean)) }));
    const counter = v === 0 ? 'numRecordsOut' : 'numRecordsIn';
    const total = (values: Values) => Array.from({ length: parallelism }, (_, s) => values.get(`${s}.${counter}`) ?? 0).reduce((a, b) => a + b, 0);
    const [from, to] = [shots[2]!, shots.at(-1)!];
    // Up to 1.12 there are stack samples only.
    const sampled = answers.filter(({ path }) => path.endsWith(`/vertices/${id}/backpressure`)).map(({ body }) => JSON.parse(body) as { subtasks?: { subtask: number; ratio: number }[] });
    const samples = (subtask: number) => sampled.flatMap(({ subtasks = [] }) => subtasks.filter((entry) => entry.subtask === subtask).map(({ ratio }) => ratio));
    const hasTimes = to.values.has('0.backPressuredTimeMsPerSecond');
    const meanSample = (_: unknown, s: number) => samples(s).reduce((a, b) => a + b, 0) / samples(s).length;
    const share = (metric: string) => Array.from({ length: parallelism }, (_, s) => (to.values.get(`${s}.${metric}`) ?? NaN) / 1_000);
    return {
      name,
      recordsPerSecond: (total(to.values) - total(from.values)) / ((to.atMs - from.atMs) / 1_000),
      backPressured: hasTimes ? share('backPressuredTimeMsPerSecond') : Array.from({ length: parallelism }, meanSample),
      busy: share('busyTimeMsPerSecond'),
      idle: share('idleTimeMsPerSecond'),
    };
  });
}
