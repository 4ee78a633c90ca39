import { gunzipSync, gzipSync } from 'node:zlib';
import type { Answer, RestClient } from './rest-client.js';
import { RecorderError } from './recorder-error.js';

/** All answers of a recording with their times, so that the scenario can be made again without the cluster. */
export interface Traffic {
  /** When the first request was sent and the last answer had come, epoch ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly answers: readonly Answer[];
}

/** Hands requests on and keeps the answers. */
export class TrafficKeeper implements RestClient {
  readonly answers: Answer[] = [];
  private readonly fromMs: number;

  constructor(private readonly client: RestClient) {
    this.fromMs = client.now();
  }

  async get(path: string, mostBytes?: number): Promise<Answer> {
    const answer = await this.client.get(path, mostBytes);
    this.answers.push(answer);
    return answer;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.client.sleep(ms, signal);
  }

  now(): number {
    return this.client.now();
  }

  traffic(): Traffic {
    return { fromMs: this.fromMs, toMs: this.now(), answers: this.answers };
  }
}

/** Gives kept answers again: each path's in their order, the last one for ever. Time goes as it went. */
export class ReplayClient implements RestClient {
  private readonly byPath = new Map<string, Answer[]>();
  private nowMs: number;

  constructor(traffic: Traffic) {
    this.nowMs = traffic.fromMs;
    for (const answer of traffic.answers) {
      const list = this.byPath.get(answer.path);
      if (list) list.push(answer);
      else this.byPath.set(answer.path, [answer]);
    }
  }

  async get(path: string): Promise<Answer> {
    const answers = this.byPath.get(path);
    if (!answers) throw new RecorderError(`the kept traffic has no answer to ${path}`);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    this.nowMs = Math.max(this.nowMs, answer.atMs);
    return answer;
  }

  async sleep(ms: number): Promise<void> {
    this.nowMs += ms;
  }

  now(): number {
    return this.nowMs;
  }
}

export function writeTraffic(traffic: Traffic): Buffer {
  return gzipSync(JSON.stringify(traffic), { level: 9 });
}

export function readTraffic(bytes: Buffer): Traffic {
  return JSON.parse(gunzipSync(bytes).toString('utf8')) as Traffic;
}
