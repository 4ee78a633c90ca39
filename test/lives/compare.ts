import { byShot, type RecordedLife } from './recording.js';
import type { Shape } from './shapes.js';

/** What the simulation answered, by question, at instants in order; ms from the recording's start. */
export type Observed = ReadonlyMap<string, readonly { readonly atMs: number; readonly shape: Shape }[]>;

export interface Difference {
  readonly question: string;
  readonly atMs: number;
  readonly side: 'recorded only' | 'simulated only';
  readonly shape: string;
  /** What the other side answered then. */
  readonly instead: string;
}

/** An instant may be off by 20 % of the time since what caused it, or by 2 s. */
const SHARE = 0.2;
const LEAST_MS = 2_000;
/** What lasts shorter may fall between the shots. */
const FLEETING_MS = 1_500;
/** Answers that Flink gives from copies of jobs, which are up to 3 s old. */
const COPIES: ReadonlySet<string> = new Set(['job', 'vertices', 'exceptions', 'checkpoints', 'rescales', 'history', 'summary']);
/** Task managers are registered a moment before their slots are known, vertices initialize for a moment. */
const BLINKING: ReadonlySet<string> = new Set(['overview', 'taskmanagers', 'stages', 'plan', 'streamgraph', 'slots']);
const BLINK_MS = 700;
const COPY_AGE_MS = 3_000;

/** A recording that was not asked for so long says nothing about the time between. */
const GAP_MS = 550;

interface Span {
  readonly shape: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly shape: string;
}

function spans(samples: readonly Sample[]): Span[] {
  const result: { shape: string; fromMs: number; toMs: number }[] = [];
  for (const { atMs, shape } of samples) {
    const last = result.at(-1);
    if (last) last.toMs = atMs;
    if (last?.shape !== shape) result.push({ shape, fromMs: atMs, toMs: atMs });
  }
  if (result.length > 0) result.at(-1)!.toMs += 1;
  return result;
}

/** Both tell the same story when every state that lasts is there on the other side too, at about the same time, and in the same order. */
export function differences(life: RecordedLife, observed: Observed, eventsMs: readonly number[], passedOver: (question: string, shape: string) => boolean = () => false): Difference[] {
  const toleranceMs = (atMs: number): number => Math.max(LEAST_MS, SHARE * (atMs - Math.max(0, ...eventsMs.filter((eventMs) => eventMs <= atMs))));
  const found: Difference[] = [];
  for (const question of Object.keys(life.answers)) {
    const samples = observed.get(question);
    if (!samples) continue;
    const recorded = byShot(life, question).map((shape, shot) => ({ atMs: life.shotsMs[shot]!, shape: JSON.stringify(shape) }));
    const simulated = samples.map(({ atMs, shape }) => ({ atMs, shape: JSON.stringify(shape) }));
    const ageMs = COPIES.has(question) ? COPY_AGE_MS : 0;
    const look = (side: Difference['side'], from: readonly Sample[], into: readonly Sample[]): void => {
      for (const span of spans(from)) {
        if (passedOver(question, span.shape) || (span.toMs - span.fromMs < FLEETING_MS + ageMs && (side === 'simulated only' || question === 'tasks' || (BLINKING.has(question) && span.toMs - span.fromMs < BLINK_MS)))) continue;
        const lonely = from.find(({ atMs }) => atMs >= span.fromMs && atMs < span.toMs && into.some((other) => Math.abs(other.atMs - atMs) <= GAP_MS) && !into.some((other) => other.shape === span.shape && Math.abs(other.atMs - atMs) <= toleranceMs(atMs) + ageMs));
        if (!lonely) continue;
        const instead = into.filter((other) => other.atMs <= lonely.atMs).at(-1);
        found.push({ question, atMs: lonely.atMs, side, shape: span.shape, instead: instead?.shape ?? 'nothing' });
      }
    };
    look('recorded only', recorded, simulated);
    look('simulated only', simulated, recorded);
  }
  return found;
}
