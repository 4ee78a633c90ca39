import { describe, expect, it } from 'vitest';
import { compareRecordings } from '../../golden/compare.js';
import { loadRecording } from '../../golden/recording.js';
import { runClusterScript } from './cluster-script.js';

describe('task managers, logs, configuration, jars and operations', () => {
  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('answer as real Flink %s did', { timeout: 60_000 }, async (version) => {
    const answers = await runClusterScript(version);
    const asked = new Set(answers.map(({ name }) => name));
    const reference = loadRecording(version).records.filter(({ name }) => asked.has(name));
    const { total, differences } = compareRecordings(reference, answers);
    expect(differences).toEqual([]);
    expect(total).toBeGreaterThan(50);
  });
});
