import { describe, expect, it } from 'vitest';
import { joinPieces, longAnswer } from '../../src/rest/serializer/answer-pieces.js';
import { createSerializers } from '../../src/rest/serializer/compile-serializer.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { restSpec, type TypeSpec } from '../../src/versions/rest-spec.js';

const spec = restSpec(parseFlinkVersion('1.20')!);
const serializerOf = createSerializers(spec);

function responseOf(url: string): TypeSpec {
  return spec.endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.url === url)!.response!;
}

const timesOf = (subtasks: number) => ({
  id: 'a'.repeat(32),
  name: 'Zähler',
  now: 7,
  subtasks: Array.from({ length: subtasks }, (_, subtask) => ({ subtask, host: `host-${subtask}`, endpoint: 'host:1', duration: subtask, timestamps: { RUNNING: subtask } })),
});
const namesOf = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}.numRecordsIn` }));

describe('a long answer', () => {
  it.each<[string, unknown]>([
    ['/jobs/:jobid/vertices/:vertexid/subtasktimes', timesOf(251)],
    ['/jobs/:jobid/vertices/:vertexid/subtasktimes', timesOf(2_000)],
    ['/jobs/:jobid/vertices/:vertexid/metrics', namesOf(251)],
    ['/jobs/:jobid/vertices/:vertexid/metrics', namesOf(100_000)],
  ])('is the same in pieces as in one: %s', async (url, value) => {
    const type = responseOf(url);
    const pieces = longAnswer(type, value, spec, serializerOf)!;
    expect((await joinPieces(pieces)).toString()).toBe(serializerOf(type)(value));
  });

  it('is cut into pieces of a few hundred items', () => {
    const pieces = [...longAnswer(responseOf('/jobs/:jobid/vertices/:vertexid/metrics'), namesOf(100_000), spec, serializerOf)!];
    expect(Math.max(...pieces.map((piece) => piece.split('"id"').length - 1))).toBe(250);
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    function* slowly(): Generator<string, void> {
      for (let i = 0; i < 3; i++) {
        const until = performance.now() + 10;
        while (performance.now() < until);
        yield String(i);
      }
    }
    expect((await joinPieces(slowly(), async () => void turns++)).toString()).toBe('012');
    expect(turns).toBe(3);
  });

  it('is written whole where no list is longer than that', () => {
    expect(longAnswer(responseOf('/jobs/:jobid/vertices/:vertexid/subtasktimes'), timesOf(250), spec, serializerOf)).toBeNull();
    expect(longAnswer(responseOf('/overview'), { taskmanagers: 1 }, spec, serializerOf)).toBeNull();
  });
});
