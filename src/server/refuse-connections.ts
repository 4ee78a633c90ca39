import type { FastifyInstance } from 'fastify';

export interface Refusal {
  /** Stops listening and closes what is open; listens again after so many ms. */
  begin(forMs: number): Promise<void>;
  /** The process behind the port is down, or up again: nobody listens meanwhile. Closes what is open. */
  setDown(isDown: boolean): void;
  /** Never mind: the server closes. */
  end(): void;
}

/** Longest delay of a timer that keeps the process, ms. */
const FOR_EVER_MS = 2 ** 31 - 1;
const RETRY_MS = 100;

/** Lets clients' connections be refused as by a host on which nobody listens. */
export function refuseConnections(app: FastifyInstance, address: () => { readonly host: string; readonly port: number }): Refusal {
  let refusing: NodeJS.Timeout | undefined;
  let retrying: NodeJS.Timeout | undefined;
  /** While nobody listens, this keeps the process alive, as the port did. */
  let down: NodeJS.Timeout | undefined;
  let ended = false;

  const stopListening = (): Promise<unknown> => {
    clearTimeout(retrying);
    if (!app.server.listening) return Promise.resolve();
    const closed = new Promise((resolve) => app.server.close(resolve));
    app.server.closeAllConnections();
    return closed;
  };
  const listenAgain = (): void => {
    if (ended || refusing !== undefined || down !== undefined || app.server.listening) return;
    app.server.once('error', () => {
      // Somebody else took the port meanwhile: try until it is free again.
      retrying = setTimeout(listenAgain, RETRY_MS);
    });
    app.server.listen(address().port, address().host, () => app.server.removeAllListeners('error'));
  };
  return {
    async begin(forMs) {
      clearTimeout(refusing);
      refusing = setTimeout(() => {
        refusing = undefined;
        listenAgain();
      }, forMs);
      await stopListening();
    },
    setDown(isDown) {
      if (ended || isDown === (down !== undefined)) return;
      if (isDown) {
        down = setTimeout(() => undefined, FOR_EVER_MS);
        void stopListening();
      } else {
        clearTimeout(down);
        down = undefined;
        listenAgain();
      }
    },
    end() {
      ended = true;
      clearTimeout(refusing);
      clearTimeout(retrying);
      clearTimeout(down);
    },
  };
}
