import type { FastifyInstance } from 'fastify';

export interface Refusal {
  /** Stops listening and closes what is open; listens again after so many ms. */
  begin(forMs: number): Promise<void>;
  /** Never mind: the server closes. */
  end(): void;
}

/** Lets clients' connections be refused as by a host on which nobody listens. */
export function refuseConnections(app: FastifyInstance, address: () => { readonly host: string; readonly port: number }): Refusal {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const listenAgain = (): void => {
    timer = undefined;
    if (ended || app.server.listening) return;
    app.server.once('error', () => {
      // Somebody else took the port meanwhile: try until it is free again.
      timer = setTimeout(listenAgain, 100);
    });
    app.server.listen(address().port, address().host, () => app.server.removeAllListeners('error'));
  };
  return {
    async begin(forMs) {
      clearTimeout(timer);
      if (app.server.listening) {
        const closed = new Promise((resolve) => app.server.close(resolve));
        app.server.closeAllConnections();
        await closed;
      }
      timer = setTimeout(listenAgain, forMs);
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
