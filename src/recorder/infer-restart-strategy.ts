import { writeDuration } from './written-values.js';

/** `2000 ms` or `PT1M2.5S`. */
function readJavaDuration(text: string): string | number {
  const plain = /^(\d+) ms$/.exec(text);
  if (plain) return writeDuration(Number(plain[1]));
  const [, hours = '0', minutes = '0', seconds = '0'] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text) ?? [];
  return writeDuration((Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000);
}

/** The sentence in which Flink tells a job's restart strategy; null = the cluster's, or one that is not known here. */
export function inferRestartStrategy(sentence: string): Record<string, unknown> | null {
  if (/^Restart deactivated/.test(sentence)) return { kind: 'none' };
  const fixed = /^Restart with fixed delay \((.+?)\)\. #(\d+) restart attempts/.exec(sentence);
  if (fixed) return { kind: 'fixed-delay', attempts: Number(fixed[2]), delay: readJavaDuration(fixed[1]!) };
  const failureRate = /^Failure rate restart with maximum of (\d+) failures within interval (.+?) and fixed delay (.+?)\.$/.exec(sentence);
  if (failureRate) return { kind: 'failure-rate', maxFailures: Number(failureRate[1]), interval: readJavaDuration(failureRate[2]!), delay: readJavaDuration(failureRate[3]!) };
  const exponential = /starting at (.+?), increasing by ([\d.]+), with maximum (.+?)\. Delay resets after (.+?) with jitter ([\d.]+)/.exec(sentence);
  if (!exponential) return null;
  return {
    kind: 'exponential-delay',
    initialBackoff: readJavaDuration(exponential[1]!),
    maxBackoff: readJavaDuration(exponential[3]!),
    multiplier: Number(exponential[2]),
    resetThreshold: readJavaDuration(exponential[4]!),
    jitter: Number(exponential[5]),
  };
}
