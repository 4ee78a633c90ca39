import { NoConnection, Refused } from './api.js';
import { say } from './messages.js';

/** Asks for what a part shows, at its pace, as long as it is in view; called on every state that comes. */
export interface Poller {
  /** Asks if it is time to. */
  readonly due: () => void;
  /** Asks at once: something else was chosen. */
  readonly now: () => void;
}

export function poller(content: HTMLElement, paceMs: number, ask: () => Promise<void>): Poller {
  let last = -Infinity;
  let under = false;
  let again = false;
  let timer = 0;
  const run = async (): Promise<void> => {
    if (under) {
      again = true;
      return;
    }
    under = true;
    clearTimeout(timer);
    last = performance.now();
    try {
      await ask();
    } catch (error) {
      // A job or task that has just gone is no trouble: the next state tells.
      if (!(error instanceof NoConnection || error instanceof Refused)) say(`This part could not be shown: ${(error as Error).message}`, true);
    }
    under = false;
    if (again) {
      again = false;
      void run();
    }
  };
  return {
    due: () => {
      // What is too soon is asked when it is time: there may be no other call, where the clock stands.
      clearTimeout(timer);
      const wait = last + paceMs - 100 - performance.now();
      if (content.hidden) return;
      if (wait <= 0) void run();
      else timer = window.setTimeout(() => void (content.hidden || document.visibilityState === 'hidden' || run()), wait);
    },
    now: () => void run(),
  };
}
