import { Pool } from 'undici';

export interface PacedLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * Asks so many times a second, evenly, whatever the answers take (an open loop): each latency counts from when the request was due, so that
 * a server that stands still is charged with everyone who would have come meanwhile. (autocannon's overallRate sends a second's requests one
 * after another, then is silent, and corrects as if a connection asked every millisecond.)
 */
export async function pacedLatency(url: string, paths: readonly string[], perSecond: number, seconds: number): Promise<PacedLatency> {
  const pool = new Pool(url, { connections: 10, pipelining: 1 });
  const latenciesMs: number[] = [];
  const ask = async (path: string, dueAt: number): Promise<void> => {
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
    latenciesMs.push(performance.now() - dueAt);
  };
  try {
    const startedAt = performance.now();
    const total = perSecond * seconds;
    const asked: Promise<void>[] = [];
    while (asked.length < total) {
      for (let dueAt: number; asked.length < total && (dueAt = startedAt + (asked.length * 1000) / perSecond) <= performance.now(); ) asked.push(ask(paths[asked.length % paths.length]!, dueAt));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(asked);
  } finally {
    await pool.destroy();
  }
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1)! };
}
