import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/rest/resources/index.js';
import { FLINK_MINORS, parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restSpec } from '../../../src/versions/rest-spec.js';

const handled = RESOURCES.flatMap(({ endpoints }) => endpoints.map(({ method, url }) => `${method} ${url}`));

describe('the resources', () => {
  it('handle each endpoint once', () => {
    expect(handled.filter((name, at) => handled.indexOf(name) !== at)).toEqual([]);
  });

  it.each(FLINK_MINORS)('handle every endpoint of %s', (minor) => {
    const wanted = restSpec(parseFlinkVersion(minor)!).endpoints.map(({ method, url }) => `${method} ${url}`);
    expect(wanted.filter((name) => !handled.includes(name))).toEqual([]);
  });

  it('handle nothing that no version has', () => {
    const known = new Set(FLINK_MINORS.flatMap((minor) => restSpec(parseFlinkVersion(minor)!).endpoints.map(({ method, url }) => `${method} ${url}`)));
    expect(handled.filter((name) => !known.has(name))).toEqual([]);
  });
});
