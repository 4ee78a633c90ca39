/** Figures of recorded runs that the simulation is known to miss, and why. The runs that are called P miss none. */

/**
 * Which queues are the longer ones is the outcome of a walk that nothing pulls back: where keys are random, or buffers hold few records. Two
 * recordings of the same run differ by as much (N13 and N23; N15 and N24).
 */
const WALK = ['Parse: in-pool, mean', 'Parse: in-pool, highest', 'Enrich: in-pool, mean', 'Parse: input queue, mean', 'Enrich: input queue, mean', 'Enrich: input queue, highest'];

/** One of two tasks fed by the same pool runs dry now and then, when the other one's buffers fill it: the fluid model smooths that. */
const RUNS_DRY = ['Parse: back-pressured 1/2', 'Parse: back-pressured 2/2', 'Parse: idle 1/2', 'Parse: idle 2/2'];

const MISSES: Readonly<Record<string, readonly string[]>> = {
  'N07-hot-0.9': WALK,
  'N13-slow-sink-at-least-once': WALK,
  'N15-fan': [...WALK, ...RUNS_DRY],
  'N16-unaligned-large': [...WALK, ...RUNS_DRY],
  // Queues take half the run to fill: the instant at which the run began counts.
  'N21-unaligned-small-wide': ['Source: Source: back-pressured 2/2'],
  // Sources got the checkpoint lock sooner than in the other runs.
  'N22-timeout-slow-parse': ['processed in alignment, bytes'],
  'N24-fan-again': RUNS_DRY,
};

export function knownMisses(run: string): readonly string[] {
  return MISSES[run] ?? [];
}
