import type { ServerResponse } from 'node:http';

/**
 * The answers that a server has under way. When a server closes, Node ends the connections that are idle at that instant; one that becomes
 * idle a moment later would stay until its client says something or the server's patience is over. Here it ends with its last answer.
 */
export class LastAnswers {
  private readonly underWay = new Set<ServerResponse>();
  private isClosing = false;

  follow(response: ServerResponse): void {
    this.underWay.add(response);
    response.once('close', () => void this.underWay.delete(response));
    if (this.isClosing) this.endConnectionAfter(response);
  }

  /** The server closes: connections end when what is under way on them is out. */
  begin(): void {
    this.isClosing = true;
    for (const response of this.underWay) this.endConnectionAfter(response);
  }

  private endConnectionAfter(response: ServerResponse): void {
    const { socket } = response.req;
    response.once('finish', () => {
      this.underWay.delete(response);
      if (![...this.underWay].some((other) => other.req.socket === socket)) socket.end();
    });
  }
}
