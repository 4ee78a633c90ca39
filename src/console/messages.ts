import { perform, Refused } from './api.js';
import type { ControlRequest } from '../control/console/console-types.js';
import { refreshSoon } from './connection.js';
import { byId, h } from './dom.js';

const SHOWN_MS = 5_000;
const SHOWN = 2;

/** Says what was done, or why not; goes away by itself. */
export function say(text: string, isTrouble = false): void {
  const message = h('p', { class: isTrouble ? 'message trouble' : 'message' }, text);
  const messages = byId('messages');
  messages.append(message);
  // The latest few: they must not hide what they speak of.
  for (const old of [...messages.querySelectorAll('.message:not([hidden])')].slice(0, -SHOWN)) old.remove();
  setTimeout(() => message.remove(), SHOWN_MS);
}

/** Asks the server to do something, says what came of it, and looks again. */
export async function act(request: ControlRequest, done: string | null, use: (answer: unknown) => void = () => undefined): Promise<boolean> {
  try {
    use(await perform(request));
    if (done !== null) say(done);
    return true;
  } catch (error) {
    say((error as Error).message, true);
    if (!(error instanceof Refused)) console.warn(error);
    return false;
  } finally {
    refreshSoon();
  }
}
