import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

const SCENARIO = `
flink: 1.20
start: 2024-01-01T00:00:00Z
options: { taskmanager.numberOfTaskSlots: 1, state.checkpoints.dir: 'file:///data/checkpoints' }
cluster: { jobManager: { host: jm }, taskManagers: { count: 1, slots: 1, host: worker }, logFiles: { maxSize: 8 kB, keep: 3 } }
jobs:
  - name: chatty
    checkpointing: { interval: 1 s }
    vertices: [{ operators: [{ name: 'Source: Numbers', source: { rate: 10/s } }, { name: 'Sink: Writer', sink: {} }] }]
`;

const files = async (cluster: Cluster, path = '/jobmanager/logs'): Promise<Map<string, Json>> => new Map(((await cluster.get(path))['logs'] as Json[]).map((file) => [file['name'] as string, file]));
const LOG = 'flink-root-standalonesession-0-jm.log';

describe('log files', () => {
  it('grow: what was read stays, what comes is appended', async () => {
    await using cluster = await Cluster.start(SCENARIO.replace('8 kB', '10 MB'), '1.20');
    await cluster.advance('10 s');
    const before = await cluster.text('/jobmanager/log');
    const [size, mtime] = [(await files(cluster)).get(LOG)!['size'], (await files(cluster)).get(LOG)!['mtime']];
    expect(size).toBe(Buffer.byteLength(before));
    await cluster.advance('10 s');
    const after = await cluster.text('/jobmanager/log');
    expect(after.slice(0, before.length)).toBe(before);
    expect((await files(cluster)).get(LOG)!['size']).toBe(Buffer.byteLength(after));
    expect((await files(cluster)).get(LOG)!['mtime']).toBeGreaterThan(mtime);
  });

  it.each(['1.13', '1.20', '2.3'])('of %s roll when they are full, without a gap, and the oldest are deleted', async (version) => {
    await using cluster = await Cluster.start(SCENARIO, version);
    await cluster.advance('2 s');
    expect([...(await files(cluster)).keys()].filter((name) => name.startsWith(LOG)).length).toBeGreaterThan(0);
    await cluster.advance('5 min');
    const there = await files(cluster);
    expect([...there.keys()].filter((name) => name.startsWith(LOG)).sort()).toEqual([LOG, `${LOG}.1`, `${LOG}.2`, `${LOG}.3`]);
    for (const [name, { size }] of there) if (/\.log\.\d$/.test(name)) expect([name, size >= 8_000 && size < 9_000]).toEqual([name, true]);
    const texts = await Promise.all([`${LOG}.1`, `${LOG}.2`, `${LOG}.3`, LOG].map((name) => cluster.text(`/jobmanager/logs/${name}`)));
    expect(texts.at(-1)).toBe(await cluster.text('/jobmanager/log'));
    const triggered = [...texts.join('').matchAll(/Triggering checkpoint (\d+)/g)].map(([, id]) => Number(id));
    expect(triggered.length).toBeGreaterThan(50);
    expect(triggered).toEqual(triggered.map((_, index) => triggered[0]! + index));
    expect(triggered[0]).toBeGreaterThan(1);
  });

  it('can be followed by offset over the control API', async () => {
    await using cluster = await Cluster.start(SCENARIO.replace('8 kB', '10 MB'), '2.3');
    let offset = 0;
    let text = '';
    const follow = async (): Promise<void> => {
      for (let more = true; more; ) {
        const piece = await cluster.get(`/_mock/logs?offset=${offset}&limit=777`);
        expect(piece).toMatchObject({ process: 'jobmanager', file: LOG, offset });
        text += piece['text'] as string;
        offset = piece['next'] as number;
        more = offset < (piece['size'] as number);
      }
    };
    await cluster.advance('5 s');
    await follow();
    await cluster.advance('5 s');
    await follow();
    expect(text).toBe(await cluster.text('/jobmanager/log'));
    expect((await cluster.get(`/_mock/logs?offset=${offset + 5_000}`))['text']).toBe('');
    const [taskManager] = cluster.flink.state.taskManagers.keys();
    expect((await cluster.get(`/_mock/logs?process=${encodeURIComponent(taskManager!)}`))['text']).toBe(await cluster.text(`/taskmanagers/${taskManager}/log`));
    expect(await cluster.status('/_mock/logs?process=nobody')).toBe(404);
    expect(await cluster.status('/_mock/logs?offset=-1')).toBe(400);
  });

  it('do not roll before 1.13', async () => {
    await using cluster = await Cluster.start(SCENARIO, '1.12');
    await cluster.advance('5 min');
    expect([...(await files(cluster)).keys()].filter((name) => /\.\d+$/.test(name))).toEqual([]);
    expect(Buffer.byteLength(await cluster.text('/jobmanager/log'))).toBeGreaterThan(20_000);
  });

  it('of a process that is started again lie beside the new one', async () => {
    await using cluster = await Cluster.start(SCENARIO.replace('8 kB', '10 MB'), '1.20');
    await cluster.advance('10 s');
    const before = await cluster.text('/jobmanager/log');
    cluster.flink.events.apply({ crashJobManager: { restartAfter: '1 s' } });
    await cluster.advance('1 min');
    expect((await cluster.text('/jobmanager/log')).includes(before)).toBe(false);
    expect(await cluster.text(`/jobmanager/logs/${LOG}.1`)).toBe(before);
  });
});
