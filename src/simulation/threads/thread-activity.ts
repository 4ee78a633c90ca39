import type { JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { uniform } from '../random.js';

/**
 * What a look at a task's thread finds: waiting inside a request for a buffer (hard), not taking input because no buffer would be there
 * (soft), in the operators' functions, or waiting for input.
 */
export type ThreadActivity = 'hard-back-pressured' | 'soft-back-pressured' | 'busy' | 'idle';

/**
 * What the task thread of a subtask does at an instant of the last tick. Within a tick the thread waits, works and idles in one stretch
 * each, as long as the tick's shares say; where in the tick the stretches lie is random. So looks that are close together agree, as
 * looks at a real thread do, and many looks find the shares.
 */
export function threadActivityAt(state: SimulationState, vertex: JobVertexState, subtask: number, atMs: number): ThreadActivity {
  const { columns } = vertex;
  const { tickMs, startMs, seed } = state.model;
  const hard = columns.hardBackPressuredShare[subtask];
  const blocked = hard + columns.softBackPressuredShare[subtask];
  const tick = Math.ceil((atMs - startMs) / tickMs);
  const offset = uniform(seed, 'thread', vertex.id, subtask, tick);
  const position = ((atMs - startMs) / tickMs - (tick - 1) + offset) % 1;
  if (position < hard) return 'hard-back-pressured';
  if (position < blocked) return 'soft-back-pressured';
  return position < blocked + columns.busyShare[subtask] ? 'busy' : 'idle';
}

/** Waiting for a buffer to write into, one way or the other: what back pressure sampling counts. */
export function isBackPressured(activity: ThreadActivity): boolean {
  return activity === 'hard-back-pressured' || activity === 'soft-back-pressured';
}
