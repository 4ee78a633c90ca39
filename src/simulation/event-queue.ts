/**
 * What is to happen at an instant. Events are plain data, so that the whole state can be cloned; `kind` says which module handles it
 * (see simulation.ts). Events of the same instant happen in the order in which they were scheduled.
 */
export interface ScheduledEvent {
  readonly atMs: number;
  readonly sequence: number;
  readonly kind: string;
  readonly payload: unknown;
}

/** A binary heap of events. */
export interface EventQueue {
  heap: ScheduledEvent[];
  nextSequence: number;
}

export function createEventQueue(): EventQueue {
  return { heap: [], nextSequence: 0 };
}

function before(a: ScheduledEvent, b: ScheduledEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence);
}

export function schedule(queue: EventQueue, atMs: number, kind: string, payload: unknown): void {
  const { heap } = queue;
  const event: ScheduledEvent = { atMs, sequence: queue.nextSequence++, kind, payload };
  let i = heap.length;
  heap.push(event);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!before(event, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = event;
}

/** Instant of the earliest event, Infinity when there is none. */
export function nextEventMs(queue: EventQueue): number {
  return queue.heap.length === 0 ? Infinity : queue.heap[0]!.atMs;
}

export function popEvent(queue: EventQueue): ScheduledEvent | undefined {
  const { heap } = queue;
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, last)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
  return first;
}

/** Takes an event out before its time; false when it is not (or no longer) there. */
export function removeEvent(queue: EventQueue, sequence: number): boolean {
  const left = queue.heap.filter((event) => event.sequence !== sequence);
  if (left.length === queue.heap.length) return false;
  // A sorted array is a heap.
  queue.heap = left.sort((a, b) => a.atMs - b.atMs || a.sequence - b.sequence);
  return true;
}
