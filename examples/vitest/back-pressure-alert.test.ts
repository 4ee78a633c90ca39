import { expect, it } from 'vitest';
import { startMockFlink } from 'mock-flink';

/** What is tested: a monitor that names the vertices under high back pressure. */
async function backPressuredVertices(flink: string): Promise<string[]> {
  const get = async (path: string): Promise<any> => (await fetch(flink + path)).json();
  const { jobs } = await get('/jobs/overview');
  const { vertices } = await get(`/jobs/${jobs[0].jid}`);
  const levels = await Promise.all(vertices.map(({ id }: { id: string }) => get(`/jobs/${jobs[0].jid}/vertices/${id}/backpressure`)));
  return vertices.filter((_: unknown, i: number) => levels[i]['backpressure-level'] === 'high').map(({ name }: { name: string }) => name);
}

it('notices back pressure', async () => {
  await using flink = await startMockFlink({ scenario: 'slow-sink', openAt: '20 s' });
  flink.events.apply({ setSinkCapacity: { operator: 'Database: Writer', capacity: '50/s' } });
  await flink.advanceUntil({ vertexLevel: { vertex: 'Enrich', level: 'high' } });
  await backPressuredVertices(flink.url); // Flink fetches metrics when it is asked, and shows them from then on
  expect(await backPressuredVertices(flink.url)).toContain('Enrich');
});
