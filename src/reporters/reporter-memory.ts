/** What a reporter remembers from report to report. Plain data: it goes into snapshots. */
export interface ReporterMemory {
  /** Counts that were reported, for reporters that tell what has come since. */
  counts: Map<string, number>;
  /** When it last reported, epoch ms. */
  lastMs: number;
  readonly meters: MeterMemory;
}

/** What meters without a counter of their own have counted. */
export interface MeterMemory {
  counted: Map<string, number>;
  /** Instant of the last report, epoch ms. */
  atMs: number | null;
}

export function createMeterMemory(): MeterMemory {
  return { counted: new Map(), atMs: null };
}

export function createReporterMemory(): ReporterMemory {
  return { counts: new Map(), lastMs: 0, meters: createMeterMemory() };
}

/** Goes on with what another one remembers; the objects stay the same. */
export function recall(memory: ReporterMemory, { counts, lastMs, meters }: ReporterMemory): void {
  Object.assign(memory.meters, structuredClone(meters));
  memory.counts = new Map(counts);
  memory.lastMs = lastMs;
}
