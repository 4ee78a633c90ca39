import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SCHEDULED } from '../../src/control/event-control.js';
import { createEventQueue, nextEventMs, popEvent, removeEvent, schedule, shiftEvents, type Lane, type ScheduledEvent } from '../../src/simulation/event-queue.js';
import { startMockFlink, type MockFlink } from '../../src/index.js';
import { ask, SMALL_SCENARIO, smallCluster } from './small-cluster.js';

/** Comparisons of a heap of 10,000, going up or down, and some for its ends. */
const READS_AT_MOST = 3 * Math.ceil(Math.log2(MAX_SCHEDULED)) + 10;

describe('many scheduled events', () => {
  let flink: MockFlink;
  let reads = 0;
  const counted = (heap: ScheduledEvent[]): ScheduledEvent[] =>
    new Proxy(heap, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  /** Instants out of order, the earliest last. */
  const atOf = (i: number): string => `${100_000 - ((i * 7_919) % 10_007)} s`;

  beforeAll(async () => {
    flink = await smallCluster({ control: true });
    const { queue } = flink.simulation.state;
    for (const lane of ['heap', 'announced', 'submissions'] as const) queue[lane] = counted(queue[lane]);
  });
  afterAll(() => flink.close());

  it('cost each the depth of the queue, whatever they name, up to the limit; then are refused, and nothing has changed', async () => {
    const actions = [
      { setTopicRate: { topic: 'orders', rate: '10/s' } },
      { setServiceTime: { job: 'numbers', operator: 'Square', serviceTime: '1 ms' } },
      { failSubtask: { job: 'orders', operator: 'Count' } },
      { killTaskManager: { taskManager: 0 } },
      { cancelJob: { job: 'numbers' } },
    ];
    let most = 0;
    const there = flink.events.count;
    for (let i = there; i < MAX_SCHEDULED - 1; i++) {
      reads = 0;
      flink.events.apply({ at: atOf(i), ...actions[i % actions.length]! } as never);
      most = Math.max(most, reads);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(READS_AT_MOST);
    reads = 0;
    expect((await ask(flink.controlUrl, 'POST', '/events', { at: '1 h', ...actions[0] })).status).toBe(201);
    expect(reads).toBeLessThanOrEqual(READS_AT_MOST);
    reads = 0;
    const refused = await ask(flink.controlUrl, 'POST', '/events', { at: '1 h', ...actions[0] });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringMatching(/^10000 events are to come already; allowed: 10000; .*DELETE \/events/)]);
    expect(reads).toBeLessThanOrEqual(READS_AT_MOST);
    expect(flink.events.count).toBe(MAX_SCHEDULED);
    // What is to happen now is no event to come.
    expect((await ask(flink.controlUrl, 'POST', '/events', actions[0])).status).toBe(201);
  });

  it('are listed in their order, while others have their turn', async () => {
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    const turns = new Set<number>();
    const { events: control } = flink;
    const coming = control.coming.bind(control);
    control.coming = function* () {
      for (const event of coming()) {
        turns.add(turn);
        yield event;
      }
    };
    setImmediate(count);
    const { status, body } = await ask(flink.controlUrl, 'GET', '/events');
    isOver = true;
    control.coming = coming;
    expect(status).toBe(200);
    expect(turns.size).toBeGreaterThan(1);
    const listed = body.events as { id: number; atMs: number; origin: string }[];
    expect(listed).toHaveLength(MAX_SCHEDULED);
    expect(listed).toEqual(listed.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id));
    expect(body.events).toEqual(JSON.parse(JSON.stringify(control.pending())));
    expect(control.pending(3)).toEqual(control.pending().slice(0, 3));
    // The console is told the next ones only.
    const { body: shown } = await ask(flink.controlUrl, 'GET', '/console/state');
    expect(shown.pending.map(({ id }: { id: number }) => id)).toEqual(listed.slice(0, 200).map(({ id }) => id));
  });

  it('make room for another when one is taken back or has happened', async () => {
    const [first, ...rest] = flink.events.pending();
    expect((await ask(flink.controlUrl, 'DELETE', `/events/${first!.id}`)).status).toBe(204);
    expect((await ask(flink.controlUrl, 'DELETE', `/events/${first!.id}`)).body.detail).toContain(`allowed: ${rest.slice(0, 20).map(({ id }) => id).join(', ')}`);
    expect(flink.events.pending().map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
    expect((await ask(flink.controlUrl, 'POST', '/events', { at: '30 s', setTopicRate: { topic: 'orders', rate: '10/s' } })).status).toBe(201);
    expect((await ask(flink.controlUrl, 'POST', '/events', { at: '31 s', setTopicRate: { topic: 'orders', rate: '10/s' } })).status).toBe(409);
    await flink.advanceBy('30 s');
    expect((await ask(flink.controlUrl, 'POST', '/events', { at: '31 s', setTopicRate: { topic: 'orders', rate: '10/s' } })).status).toBe(201);
  });

  it('of a scenario are taken by the thousand, and counted with those of the control API', async () => {
    const timeline = Array.from({ length: MAX_SCHEDULED }, (_, i) => `  - { at: ${3_600 + i} s, setTopicRate: { topic: orders, rate: ${(i % 100) + 1}/s } }`);
    await using long = await startMockFlink({ scenario: { yaml: `${SMALL_SCENARIO}timeline:\n${timeline.join('\n')}\n` }, listen: false });
    await long.advanceBy('1 s');
    expect(long.events.count).toBe(MAX_SCHEDULED);
    expect(() => long.events.apply({ at: '1 h', setTopicRate: { topic: 'orders', rate: '1/s' } })).toThrow(/10000 events are to come already/);
  });
});

describe('the queue of events', () => {
  const LANES: readonly Lane[] = ['heap', 'announced', 'submissions'];

  it('gives them in the order of their instants, then of their scheduling, whatever was taken out or shifted', () => {
    const queue = createEventQueue();
    const expected: { atMs: number; sequence: number }[] = [];
    for (let i = 0; i < 500; i++) {
      expected.push({ atMs: (i * 37) % 101, sequence: queue.nextSequence });
      schedule(queue, (i * 37) % 101, 'kind', i, LANES[(i * 5) % 3]);
    }
    for (let i = 0; i < 500; i += 7) expect(removeEvent(queue, i)).toBe(true);
    expect(removeEvent(queue, 7)).toBe(false);
    const left = expected.filter(({ sequence }) => sequence % 7 !== 0).sort((a, b) => a.atMs - b.atMs || a.sequence - b.sequence);
    shiftEvents(queue, 1_000);
    for (const { atMs, sequence } of left) {
      expect(nextEventMs(queue)).toBe(atMs + 1_000);
      expect(popEvent(queue)).toMatchObject({ atMs: atMs + 1_000, sequence });
    }
    expect([nextEventMs(queue), popEvent(queue)]).toEqual([Infinity, undefined]);
  });
});
