import { describe, expect, it } from 'vitest';
import { joinPieces, longAnswer } from '../../src/rest/serializer/answer-pieces.js';
import { LongList, rowList } from '../../src/rest/serializer/long-list.js';
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

  it('is cut into pieces of a hundred items', () => {
    const pieces = [...longAnswer(responseOf('/jobs/:jobid/vertices/:vertexid/metrics'), namesOf(100_000), spec, serializerOf)!];
    expect(Math.max(...pieces.map((piece) => piece.split('"id"').length - 1))).toBe(100);
  });

  it('is made as it is written, where it is a list of rows to come', async () => {
    const type = responseOf('/jobs/:jobid/vertices/:vertexid/subtasktimes');
    const value = timesOf(2_000);
    let made = 0;
    const lazy = { ...value, subtasks: rowList(2_000, (subtask) => (made++, value.subtasks[subtask])) };
    const pieces = longAnswer(type, lazy, spec, serializerOf)!;
    const madeByPiece: number[] = [];
    let text = '';
    for (let before = 0, step = pieces.next(); !step.done; step = pieces.next()) {
      madeByPiece.push(made - before);
      before = made;
      text += step.value;
    }
    expect(text).toBe(serializerOf(type)(value));
    expect(made).toBe(2_000);
    expect(Math.max(...madeByPiece)).toBe(100);
  });

  it('has fewer rows in a piece where each is of many subtasks', () => {
    const type = responseOf('/jobs/:jobid/vertices/:vertexid/subtasktimes');
    const value = timesOf(300);
    const pieces = [...longAnswer(type, { ...value, subtasks: rowList(300, (row) => value.subtasks[row], 3_000) }, spec, serializerOf)!];
    expect(Math.max(...pieces.map((piece) => piece.split('"subtask"').length - 1))).toBe(10);
    expect(pieces.join('')).toBe(serializerOf(type)(value));
  });

  it.each([[[]], [[0, 0, 0]], [[0, 3, 0, 150, 1]]])('may have any number of rows in a group: %j', async (sizes: number[]) => {
    const type = responseOf('/jobs/:jobid/vertices/:vertexid/metrics');
    const rowsOf = (group: number) => namesOf(sizes[group]!);
    const pieces = longAnswer(type, new LongList(sizes.length, rowsOf), spec, serializerOf)!;
    expect((await joinPieces(pieces)).toString()).toBe(serializerOf(type)(sizes.flatMap((_, group) => rowsOf(group))));
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
    // Before the first piece, too: whoever gathered what it is made of has had its turn.
    expect(turns).toBe(4);
  });

  it('is written whole where no list is longer than that', () => {
    expect(longAnswer(responseOf('/jobs/:jobid/vertices/:vertexid/subtasktimes'), timesOf(250), spec, serializerOf)).toBeNull();
    expect(longAnswer(responseOf('/overview'), { taskmanagers: 1 }, spec, serializerOf)).toBeNull();
  });
});
