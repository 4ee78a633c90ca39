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

/** Binary heaps of events. What somebody outside has asked for lies apart, to be counted and listed without a look at the rest. */
export interface EventQueue {
  /** What the simulation itself has to do later. */
  heap: ScheduledEvent[];
  /** What a scenario's timeline or a caller announced, submissions of jobs left out. */
  announced: ScheduledEvent[];
  /** Jobs that are to be submitted. */
  submissions: ScheduledEvent[];
  nextSequence: number;
}

/** Where an event waits. */
export type Lane = 'heap' | 'announced' | 'submissions';
const LANES: readonly Lane[] = ['heap', 'announced', 'submissions'];

/** Where an action waits that somebody outside has asked for. */
export function laneOf({ kind }: { readonly kind: string }): Lane {
  return kind === 'submit-job' ? 'submissions' : 'announced';
}

export function createEventQueue(): EventQueue {
  return { heap: [], announced: [], submissions: [], nextSequence: 0 };
}

function before(a: ScheduledEvent, b: ScheduledEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence);
}

export function schedule(queue: EventQueue, atMs: number, kind: string, payload: unknown, lane: Lane = 'heap'): void {
  const event: ScheduledEvent = { atMs, sequence: queue.nextSequence++, kind, payload };
  rise(queue[lane], queue[lane].length, event);
}

/** Puts an event where a heap has a gap, or above it. */
function rise(heap: ScheduledEvent[], gap: number, event: ScheduledEvent): void {
  let i = gap;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!before(event, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = event;
}

/** Puts an event where a heap has a gap, or below it. */
function sink(heap: ScheduledEvent[], gap: number, event: ScheduledEvent): void {
  let i = gap;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, event)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = event;
}

/** Takes the first event out of one heap. */
export function popFirst(heap: ScheduledEvent[]): ScheduledEvent | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) sink(heap, 0, last);
  return first;
}

function firstHeap({ heap, announced, submissions }: EventQueue): ScheduledEvent[] {
  let first = heap;
  for (const other of [announced, submissions]) if (other.length > 0 && (first.length === 0 || before(other[0]!, first[0]!))) first = other;
  return first;
}

/** Instant of the earliest event, Infinity when there is none. */
export function nextEventMs({ heap, announced, submissions }: EventQueue): number {
  return Math.min(heap[0]?.atMs ?? Infinity, announced[0]?.atMs ?? Infinity, submissions[0]?.atMs ?? Infinity);
}

export function popEvent(queue: EventQueue): ScheduledEvent | undefined {
  return popFirst(firstHeap(queue));
}

/** Takes an event out before its time; false when it is not (or no longer) there. */
export function removeEvent(queue: EventQueue, sequence: number, lanes: readonly Lane[] = LANES): boolean {
  return lanes.some((lane) => {
    const heap = queue[lane];
    const gap = heap.findIndex((event) => event.sequence === sequence);
    if (gap < 0) return false;
    const last = heap.pop()!;
    if (gap === heap.length) return true;
    if (gap > 0 && before(last, heap[(gap - 1) >> 1]!)) rise(heap, gap, last);
    else sink(heap, gap, last);
    return true;
  });
}

/** All waiting times stay what they are while the clock jumps. */
export function shiftEvents(queue: EventQueue, byMs: number): void {
  for (const lane of LANES) queue[lane] = queue[lane].map((event) => ({ ...event, atMs: event.atMs + byMs }));
}

/** How many events somebody outside has asked for that are still to come. */
export function countComing({ announced, submissions }: EventQueue): number {
  return announced.length + submissions.length;
}

/** Events that somebody outside has asked for, as a heap of its own that popFirst empties in their order. */
export function copyComing({ announced, submissions }: EventQueue): ScheduledEvent[] {
  const heap = announced.slice();
  for (const event of submissions) rise(heap, heap.length, event);
  return heap;
}
