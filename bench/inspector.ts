import { WebSocket } from 'undici';
import { get } from './servers.js';

/** Speaks Chrome's DevTools protocol with a process that was started with `--inspect`. */
export class Inspector {
  private lastId = 0;
  private readonly waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
      const asked = id === undefined ? undefined : this.waiting.get(id);
      if (!asked) return;
      this.waiting.delete(id!);
      if (error) asked.reject(new Error(error.message));
      else asked.resolve(result);
    });
  }

  static async connect(port: number): Promise<Inspector> {
    const list = await get(`http://127.0.0.1:${port}/json/list`);
    if (list === null) throw new Error(`no inspector at port ${port}`);
    const [{ webSocketDebuggerUrl }] = JSON.parse(list.body.toString()) as [{ webSocketDebuggerUrl: string }];
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    return new Inspector(socket);
  }

  send(method: string, params: object = {}): Promise<any> {
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  close(): void {
    this.socket.close();
  }
}
