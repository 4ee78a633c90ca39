import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LazyControlApp } from '../../src/control/lazy-control-app.js';
import { ask, smallCluster } from './small-cluster.js';

describe('the control API, made for the first request to it', () => {
  it('is not made before, and once for all who come first', async () => {
    let made = 0;
    const api = new LazyControlApp({ plugin: async () => void made++ });
    expect(made).toBe(0);
    await Promise.all([api.route(), api.route(), api.route()]);
    await api.route();
    expect(made).toBe(1);
    await api.close();
  });

  it('need not be made to be closed', async () => {
    let made = 0;
    await new LazyControlApp({ plugin: async () => void made++ }).close();
    expect(made).toBe(0);
  });

  it('answers all that come at once, bodies and all', async () => {
    await using flink = await smallCluster({ control: true });
    const padding = 'x'.repeat(500_000);
    const answers = await Promise.all([
      ask(flink.controlUrl, 'GET', '/health'),
      ask(flink.controlUrl, 'POST', '/marks', { name: 'first' }),
      ask(flink.controlUrl, 'POST', '/faults', { path: `/${padding}`, status: 503 }),
      ask(flink.controlUrl, 'POST', '/clock', '{'),
      ask(flink.controlUrl, 'DELETE', '/clock'),
      ask(flink.controlUrl, 'GET', '/nowhere'),
      ...Array.from({ length: 20 }, () => ask(flink.controlUrl, 'GET', '/clock')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 400, 404, 404, ...Array.from({ length: 20 }, () => 200)]);
    expect(flink.history.listMarks().map(({ name }) => name)).toContain('first');
  });

  it('answers the first of all below a base path, and without a socket', async () => {
    await using flink = await smallCluster({ control: true, listen: false, basePath: '/proxy/application_1' });
    const redirect = await flink.fetch('/proxy/application_1/_mock');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '_mock/']);
    const changed = await flink.fetch('/_mock/marks', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"here"}' });
    expect(changed.status).toBe(201);
    expect((await flink.fetch('/_mock/%zz')).status).toBe(404);
  });

  it('is none of those who went away meanwhile, and ends with the server, streams too', async () => {
    const flink = await smallCluster({ control: true });
    const { hostname, port } = new URL(flink.url);
    const gone = connect(Number(port), hostname);
    gone.end('POST /_mock/marks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{');
    const stream = await fetch(`${flink.controlUrl}/stream`);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const whole = stream.text();
    await flink.close();
    expect(await whole).toContain(': mock-flink');
    expect(flink.history.listMarks().map(({ name }) => name)).toEqual(['start']);
    gone.destroy();
  });
});
