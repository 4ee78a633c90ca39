import { runBackwards, type Watched } from '../../test/trust/invariants/monotony.js';
import type { Client } from './client.js';
import type { Disturbances } from './disturbances.js';
import type { Outcome } from './judge.js';

type Json = Record<string, any>;

/** Looks at one thing after the other, again and again, and compares what must not become less; begins anew where the script went to another time. */
export class Watcher {
  #before: { readonly watched: Watched; readonly epoch: number } | null = null;
  compared = 0;

  constructor(
    private readonly client: Client,
    private readonly disturbances: Disturbances,
    private readonly judged: (outcome: Outcome) => void,
  ) {}

  /** What ran backwards since the look before. */
  async look(): Promise<string[]> {
    const { epoch } = this.disturbances;
    const watched = await this.watch();
    if (watched === null || this.disturbances.epoch !== epoch || epoch % 2 !== 0) {
      this.#before = null;
      return [];
    }
    const before = this.#before;
    this.#before = { watched, epoch };
    if (before?.epoch !== epoch) return [];
    this.compared++;
    return runBackwards(before.watched, watched);
  }

  /** null: something could not be seen, or only as a fault showed it. */
  private async watch(): Promise<Watched | null> {
    const taskManagers = await this.get('/taskmanagers');
    const overview = await this.get('/jobs/overview');
    if (taskManagers === null || overview === null) return null;
    const jobs: Watched['jobs'][number][] = [];
    for (const { jid } of overview['jobs'] as Json[]) {
      const [details, checkpoints] = [await this.get(`/jobs/${jid}`), await this.get(`/jobs/${jid}/checkpoints`)];
      if (details === null || checkpoints === null) continue;
      const vertices: { details: Json }[] = [];
      for (const { id } of details['vertices'] as Json[]) {
        const vertex = await this.get(`/jobs/${jid}/vertices/${id}`);
        if (vertex !== null) vertices.push({ details: vertex });
      }
      // Minutes pass in the cluster between two answers: its tasks may be of another life, under another leader, than what was read before.
      const again = await this.get(`/jobs/${jid}`);
      if (again?.['start-time'] !== details['start-time']) continue;
      jobs.push({ details, checkpoints, vertices });
    }
    return { taskManagers: taskManagers['taskmanagers'] as Json[], jobs };
  }

  private async get(target: string): Promise<Json | null> {
    const outcome = await this.client.ask('GET', target);
    this.judged(outcome);
    if (outcome.status !== 200 || this.disturbances.effectsOn(target, outcome.fromMs, outcome.untilMs).changesBody) return null;
    return JSON.parse(outcome.text) as Json;
  }
}
