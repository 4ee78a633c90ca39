import { describe, expect, it } from 'vitest';
import { loadRecording } from '../../golden/recording.js';
import { MAY_BE_NULL } from './never-seen.js';
import { ShapeCheck } from './shape-check.js';
import { SPECS } from './spec.js';

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('the check itself', (release) => {
  it(`is passed by what real Flink ${release} answered`, () => {
    const check = new ShapeCheck(release);
    let answers = 0;
    for (const { name, status, json } of loadRecording(release).records) {
      const url = /^\[[^\]]+\] (\/\S+?)(\?|$)/.exec(name)?.[1];
      const endpoint = SPECS[release]!.find((candidate) => candidate.method === 'GET' && candidate.url === url);
      if (status !== 200 || json === undefined || !endpoint?.response) continue;
      answers++;
      check.check(json, endpoint.response, `GET ${url}`);
    }
    expect([...check.nulls].filter((field) => !MAY_BE_NULL.test(field))).toEqual([]);
    expect([...new Set(check.problems)]).toEqual([]);
    expect(answers).toBeGreaterThan(150);
  });
});
