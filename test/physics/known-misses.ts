/**
 * Figures of recorded runs that the simulation is known to miss, and why. The runs that are called P miss none.
 *
 * Which of several tasks runs dry is the outcome of a walk that nothing pulls back, of random keys through pools of few buffers. N24 repeats N15:
 * the same subtask idles for 12 % of the time in one and for 21 % in the other, more than the tolerance apart, so that no prediction is within
 * it of both; the queues in front of it differ by 4 buffers, those of N13 and N23 as well.
 */
const FAN = ['Parse: back-pressured 1/2', 'Parse: idle 2/2', 'Parse: in-pool, mean', 'Parse: in-pool, highest'];

const MISSES: Readonly<Record<string, readonly string[]>> = {
  // Off by 0.003: buffers of three records.
  'N05-large-records': ['Parse: back-pressured 1/2'],
  'N15-fan': FAN,
  'N16-unaligned-large': ['Parse: back-pressured 2/2', 'Parse: idle 1/2'],
  'N24-fan-again': FAN.slice(0, 2),
};

export function knownMisses(run: string): readonly string[] {
  return MISSES[run] ?? [];
}
