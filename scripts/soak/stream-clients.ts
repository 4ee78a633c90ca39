import { ControlClient } from '../../src/library/control-client.js';

/** Clients of the control API's stream that read all that comes; `close` gives how much that was. */
export function streamClients(controlUrl: string, count: number): { close(): Promise<number> } {
  const ending = new AbortController();
  let events = 0;
  const clients = Array.from({ length: count }, async () => {
    while (!ending.signal.aborted) {
      try {
        for await (const event of new ControlClient(controlUrl).stream(undefined, ending.signal)) if (event.type) events++;
      } catch {
        // Ended by us, or dropped for reading too slowly: it connects again.
      }
      if (!ending.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  return {
    async close() {
      ending.abort();
      await Promise.all(clients);
      return events;
    },
  };
}
