import { describe, expect, it } from 'vitest';
import type { RecordedAnswer } from '../../golden/recording.js';
import { FittingCluster } from './fitting-cluster.js';
import { ADAPTIVE_REQUESTS, neverAnswered, REQUESTS } from './fitting-requests.js';
import { MAY_BE_NULL, NEVER_SEEN } from './never-seen.js';
import { ShapeCheck } from './shape-check.js';
import { RELEASES, SPECS, type SpecEndpoint } from './spec.js';

const keyOf = ({ method, url }: SpecEndpoint): string => `${method} ${url}`;
/** Reading comes first, then what changes the cluster, its end last. */
const ORDER = Object.keys(REQUESTS);
const requestsOrder = (a: SpecEndpoint, b: SpecEndpoint): number => ORDER.indexOf(keyOf(a)) - ORDER.indexOf(keyOf(b));

class Examination {
  readonly problems: string[] = [];
  private readonly check: ShapeCheck;

  constructor(release: string) {
    this.check = new ShapeCheck(release);
  }

  look(endpoint: SpecEndpoint, answers: readonly RecordedAnswer[]): void {
    const key = keyOf(endpoint);
    if (answers.length === 0) this.problems.push(`${key}: nothing was asked`);
    for (const { status, json, text, path, headers } of answers) {
      const expected = endpoint.status ?? (key.endsWith('yarn-cancel') ? 202 : 200);
      if (status !== expected) this.problems.push(`${key}: ${path} is answered ${status}, not ${expected}: ${JSON.stringify(json ?? text).slice(0, 200)}`);
      else if (endpoint.response) this.check.check(json, endpoint.response, key);
      else if (!headers['content-type']) this.problems.push(`${key}: no content type`);
    }
  }

  result() {
    const { problems, known, seen, nulls } = this.check;
    return { problems: [...this.problems, ...new Set(problems)], unseen: [...known].filter((path) => !seen.has(path)), nulls: [...nulls] };
  }
}

describe.each(RELEASES)('Flink %s', (release) => {
  it('answers every endpoint with the fields that its classes have', async () => {
    const examination = new Examination(release);
    const endpoints = SPECS[release]!;
    const untold = endpoints.map(keyOf).filter((key) => !REQUESTS[key] && !ADAPTIVE_REQUESTS[key] && !neverAnswered(key, release));
    expect(untold).toEqual([]);
    {
      await using cluster = await FittingCluster.start(release, 'default');
      for (const endpoint of endpoints) {
        const never = neverAnswered(keyOf(endpoint), release);
        if (never) expect([keyOf(endpoint), ...(await never.ask(cluster)).map(({ status }) => status)]).toEqual([keyOf(endpoint), never.status]);
      }
      for (const endpoint of endpoints.filter((each) => REQUESTS[keyOf(each)] && !neverAnswered(keyOf(each), release)).sort(requestsOrder)) examination.look(endpoint, await REQUESTS[keyOf(endpoint)]!(cluster));
    }
    const adaptive = endpoints.filter((each) => ADAPTIVE_REQUESTS[keyOf(each)]);
    if (adaptive.length > 0) {
      await using cluster = await FittingCluster.start(release, 'adaptive');
      for (const key of Object.keys(ADAPTIVE_REQUESTS)) {
        const endpoint = adaptive.find((each) => keyOf(each) === key);
        if (endpoint) examination.look(endpoint, await ADAPTIVE_REQUESTS[key]!(cluster));
      }
    }
    const { problems, unseen, nulls } = examination.result();
    expect(problems).toEqual([]);
    expect(unseen.filter((field) => !NEVER_SEEN.some(({ path }) => path.test(field)))).toEqual([]);
    expect(nulls.filter((field) => !MAY_BE_NULL.test(field))).toEqual([]);
  });
});
