import type { Dispatch, Interceptor } from './interceptor.js';

/** Where Node's fetch and undici keep their global dispatcher; undici 7.30 and later use the second, too. */
const SYMBOLS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

type Dispatcher = { dispatch: Dispatch };
type Globals = Record<symbol, Dispatcher | undefined>;

/** Puts an interceptor before the global dispatcher; gives the way back. */
export function interceptGlobally(interceptor: Interceptor): () => void {
  // Node makes its own when fetch is touched first.
  void fetch('data:,').catch(() => undefined);
  const globals = globalThis as unknown as Globals;
  const undo = SYMBOLS.flatMap((symbol) => {
    const before = globals[symbol];
    if (!before) return [];
    const dispatch = interceptor(((options, handler) => before.dispatch(options, handler)) as Dispatch);
    // All else (close, destroy, events) is the dispatcher's that was there.
    const after = Object.create(before, { dispatch: { value: dispatch } }) as Dispatcher;
    globals[symbol] = after;
    return [
      () => {
        if (globals[symbol] === after) globals[symbol] = before;
      },
    ];
  });
  return () => undo.forEach((each) => each());
}
