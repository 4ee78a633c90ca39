import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { COMMIT_WINDOW, type Commit, type CommitHistory } from './commit-history.js';
import { groupLags } from './group-lags.js';

/** Name of the cluster in Burrow's configuration. */
const CLUSTER = 'mock';

type Status = 'OK' | 'WARN' | 'ERR' | 'STOP' | 'STALL';

interface PartitionStatus {
  readonly topic: string;
  readonly partition: number;
  readonly owner: string;
  readonly client_id: string;
  readonly status: Status;
  readonly start: object | null;
  readonly end: object | null;
  readonly current_lag: number;
  readonly complete: number;
}

const shown = ({ offset, timeMs, lag }: Commit) => ({ offset, timestamp: timeMs, observedTimestamp: timeMs, lag });

/** Burrow's rules over the window of commits. */
export function partitionStatus(commits: readonly Commit[], currentLag: number, nowMs: number): Status {
  if (commits.length === 0 || currentLag === 0 || commits.some(({ lag }) => lag === 0)) return 'OK';
  const first = commits[0];
  const last = commits[commits.length - 1];
  if (nowMs - last.timeMs > last.timeMs - first.timeMs) return 'STOP';
  if (commits.length > 1 && commits.every(({ offset }) => offset === first.offset)) return 'STALL';
  return commits.every(({ lag }, i) => i === 0 || lag >= commits[i - 1].lag) ? 'WARN' : 'OK';
}

/** An answer of Burrow's API and its HTTP status. */
export interface BurrowAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Burrow's HTTP API (v3), for paths below `/v3/kafka`. */
export class Burrow {
  constructor(
    private readonly state: SimulationState,
    private readonly history: CommitHistory,
  ) {}

  answer(path: string, host: string): BurrowAnswer {
    const request = { url: path, host };
    const ok = (message: string, content: object): BurrowAnswer => ({ status: 200, body: { error: false, message, ...content, request } });
    const missing = (message: string): BurrowAnswer => ({ status: 404, body: { error: true, message, request } });
    const [, , , cluster, kind, name, view] = path.replace(/\/+$/, '').split('/').map(decodeURIComponent);
    if (cluster === undefined) return ok('cluster list returned', { clusters: [CLUSTER] });
    if (cluster !== CLUSTER) return missing('cluster not found');
    const { topics, brokers } = this.state.kafka;
    if (kind === undefined) return ok('cluster module detail returned', { module: { 'class-name': 'kafka', servers: brokers.map((broker) => `${broker.host}:${broker.port}`), 'client-profile': { name: '' }, 'topic-refresh': 60, 'offset-refresh': 30 } });
    if (kind === 'topic') {
      if (name === undefined) return ok('topic list returned', { topics: [...topics.keys()] });
      const topic = topics.get(name);
      return topic ? ok('topic offsets returned', { offsets: Array.from(topic.endOffsets, Math.floor) }) : missing('cluster or topic not found');
    }
    if (kind !== 'consumer') return missing('not found');
    const groups = [...new Set(groupLags(this.state).map(({ group }) => group))];
    if (name === undefined) return ok('consumer list returned', { consumers: groups });
    if (!groups.includes(name)) return missing('cluster or consumer not found');
    if (view === undefined) return ok('consumer detail returned', { topics: this.#detail(name) });
    return view === 'lag' || view === 'status' ? ok('consumer status returned', { status: this.#status(name, view === 'lag') }) : missing('not found');
  }

  #detail(group: string): object {
    const ofGroup = groupLags(this.state).filter((each) => each.group === group);
    return Object.fromEntries(ofGroup.map(({ topic, partitions }) => [topic, partitions.map(({ partition, lag }) => ({ offsets: this.history.commitsOf(group, topic, partition).map(shown), owner: '', client_id: '', 'current-lag': Math.max(0, lag) }))]));
  }

  /** `lag` shows every partition, `status` those that are not well. */
  #status(group: string, all: boolean): object {
    const partitions = groupLags(this.state)
      .filter((each) => each.group === group)
      .flatMap(({ topic, partitions: each }) =>
        each.map(({ partition, lag }): PartitionStatus => {
          const commits = this.history.commitsOf(group, topic, partition);
          const [first, last] = [commits[0], commits.at(-1)];
          return { topic, partition, owner: '', client_id: '', status: partitionStatus(commits, Math.max(0, lag), this.state.nowMs), start: first ? shown(first) : null, end: last ? shown(last) : null, current_lag: Math.max(0, lag), complete: commits.length / COMMIT_WINDOW };
        }),
      );
    const worst: Status = partitions.some(({ status }) => status === 'STOP' || status === 'STALL') ? 'ERR' : partitions.some(({ status }) => status === 'WARN') ? 'WARN' : 'OK';
    const complete = partitions.reduce((sum, each) => sum + each.complete, 0) / Math.max(1, partitions.length);
    const maxlag = partitions.reduce<PartitionStatus | null>((most, each) => (most === null || each.current_lag > most.current_lag ? each : most), null);
    return { cluster: CLUSTER, group, status: worst, complete, partitions: all ? partitions : partitions.filter(({ status }) => status !== 'OK'), partition_count: partitions.length, maxlag, totallag: partitions.reduce((sum, each) => sum + each.current_lag, 0) };
  }
}
