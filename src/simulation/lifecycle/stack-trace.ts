import { framesIn, type TraceName } from '../../versions/failure-traces.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';

/** A throwable as it was thrown: class, message, where, why. */
export interface Throwable {
  readonly exceptionClass: string;
  readonly message: string;
  readonly trace: TraceName;
  readonly cause?: Throwable;
}

/** As Java prints it: `class: message`, frames, `Caused by: …`. */
export function stackTrace(state: SimulationState, throwable: Throwable): string {
  const lines: string[] = [];
  let prefix = '';
  for (let t: Throwable | undefined = throwable; t; t = t.cause) {
    lines.push(`${prefix}${t.message === '' ? t.exceptionClass : `${t.exceptionClass}: ${t.message}`}`);
    for (const frame of framesIn(t.trace, versionOf(state))) lines.push(`\tat ${frame}`);
    prefix = 'Caused by: ';
  }
  return `${lines.join('\n')}\n`;
}
