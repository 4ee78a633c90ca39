import { describe, expect, it } from 'vitest';
import { zoneDisplayName } from '../../../src/rest/resources/dashboard-config.js';
import { booleanOption, durationOptionMs, integerOption, memoryOptionBytes, parseMemoryBytes, setOption, shownValue } from '../../../src/versions/flink-options.js';
import { flinkRelease } from '../../../src/versions/flink-releases.js';
import { FLINK_VERSIONS, parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { loadRecording } from '../../golden/recording.js';

const version = (text: string) => parseFlinkVersion(text)!;

describe("Flink's options", () => {
  it('have defaults, units and older names', () => {
    expect(durationOptionMs({}, 'web.refresh-interval')).toBe(3000);
    expect(durationOptionMs({ 'web.refresh-interval': '5 s' }, 'web.refresh-interval')).toBe(5000);
    expect(durationOptionMs({ 'web.refresh-interval': 'soon' }, 'web.refresh-interval')).toBe(3000);
    expect(booleanOption({ 'web.submit.enable': 'FALSE' }, 'web.submit.enable')).toBe(false);
    expect(booleanOption({ 'web.submit.enable': 'maybe' }, 'web.submit.enable')).toBe(true);
    expect(integerOption({ 'parallelism.default': '3' }, 'parallelism.default')).toBe(3);
    expect(memoryOptionBytes({}, 'taskmanager.memory.segment-size')).toBe(32_768);
    expect(setOption({ 'state.savepoints.dir': 'file:///a' }, 'execution.checkpointing.savepoint-dir')).toBe('file:///a');
    expect(setOption({}, 'execution.checkpointing.savepoint-dir')).toBeNull();
  });

  it.each<[string, number | null]>([['900m', 943_718_400], ['32 kb', 32_768], ['17', 17], ['1.5g', null], ['7 parsecs', null]])('read memory sizes: %s', (text, bytes) => {
    expect(parseMemoryBytes(text)).toBe(bytes);
  });

  it('that hold secrets are masked, more of them in later versions', () => {
    expect(shownValue('s3.secret-key', 'x', version('1.9'))).toBe('******');
    expect(shownValue('security.ssl.rest.key-Password', 'x', version('1.9'))).toBe('******');
    expect(shownValue('metrics.reporter.dghttp.apikey', 'x', version('1.9'))).toBe('x');
    expect(shownValue('metrics.reporter.dghttp.apikey', 'x', version('1.13'))).toBe('******');
    expect(shownValue('security.delegation.token', 'x', version('1.16'))).toBe('x');
    expect(shownValue('security.delegation.token', 'x', version('1.17'))).toBe('******');
    expect(shownValue('rest.port', '8081', version('2.3'))).toBe('8081');
  });
});

describe('a release', () => {
  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('%s has the commit and date recorded', (text) => {
    const { records } = loadRecording(text);
    const config = records.find(({ name }) => name === '[empty] /config')!.json as Record<string, string>;
    const overview = records.find(({ name }) => name === '[empty] /overview')!.json as Record<string, string>;
    const { commit, commitTime } = flinkRelease(version(text));
    expect(`${commit} @ ${commitTime}`).toBe(config['flink-revision']);
    expect(commit).toBe(overview['flink-commit']);
  });

  it('of every minor is known, and another patch is what Flink shows of an unknown build', () => {
    for (const text of FLINK_VERSIONS) expect(flinkRelease(version(text)).commit).toMatch(/^[0-9a-f]{7}$/);
    expect(flinkRelease(version('1.20.0')).commit).toBe('DeadD0d0');
  });
});

describe("the time zone's name", () => {
  it.each([['UTC', 'Coordinated Universal Time'], ['Asia/Shanghai', 'China Standard Time'], ['Nowhere/Land', 'Nowhere/Land']])('%s', (zone, name) => {
    expect([name, name.replace('Standard ', '')]).toContain(zoneDisplayName(zone));
  });
});
