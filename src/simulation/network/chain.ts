import type { JobVertexModel } from '../model/job-model.js';

/** What a chain of operators is for the flow of records. */
export interface Chain {
  /** Time of the thread for a record that enters the chain, ms. */
  readonly serviceMs: number;
  /** Records a ms that a subtask can take at most because of what is outside its thread; Infinity = no such limit. */
  readonly rateLimitPerMs: number;
  readonly rateLimitTakesThread: boolean;
  /** Records out of the last operator that emits to other tasks, for a record in. */
  readonly selectivity: number;
  readonly outputRecordBytes: number;
  /** Slide of the first window in the chain, 0 = none. */
  readonly windowSlideMs: number;
}

/** Sums up a chain: each operator gets what those before it let through. */
export function chainOf(vertex: JobVertexModel, parallelism: number): Chain {
  let reaching = 1;
  let serviceMs = 0;
  let rateLimitPerMs = Infinity;
  let rateLimitTakesThread = false;
  let selectivity = 1;
  let outputRecordBytes = 0;
  let windowSlideMs = 0;
  for (const operator of vertex.operators) {
    serviceMs += (reaching * operator.serviceTimeUs) / 1000;
    let limit = Infinity;
    let takesThread = false;
    if (operator.async !== null && operator.async.latencyMs > 0) limit = operator.async.capacity / operator.async.latencyMs;
    const outside = operator.sink?.capacityRecordsPerSecond ?? null;
    if (outside !== null && outside / 1000 / parallelism < limit) {
      limit = outside / 1000 / parallelism;
      takesThread = true;
    }
    if (reaching > 0 && limit / reaching < rateLimitPerMs) {
      rateLimitPerMs = limit / reaching;
      rateLimitTakesThread = takesThread;
    }
    if (operator.window !== null && windowSlideMs === 0) windowSlideMs = operator.window.slideMs;
    // A sink at the end of a chain with a side output to other tasks does not swallow what goes there.
    if (operator.kind !== 'sink') {
      reaching *= operator.selectivity;
      selectivity = reaching;
      outputRecordBytes = operator.outputRecordBytes;
    }
  }
  return { serviceMs, rateLimitPerMs, rateLimitTakesThread, selectivity, outputRecordBytes, windowSlideMs };
}
