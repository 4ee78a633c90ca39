import { afterEach, describe, expect, it } from 'vitest';
import { compareRecordings } from './compare.js';
import { compareForms } from './compare-forms.js';
import { loadRecording, loadRecordingKeepingPoints } from './recording.js';
import { startRecordedScript, type ScriptRun } from './run-script.js';

let run: ScriptRun | undefined;

afterEach(async () => {
  await run?.close();
  run = undefined;
});

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('the recorded script against Flink %s', (version) => {
  it('is answered as the real cluster answered it', { timeout: 240_000 }, async () => {
    run = await startRecordedScript(version);
    const records = await run.play();
    const { total, differences } = compareRecordings(loadRecording(version).records, records);
    const forms = compareForms(loadRecordingKeepingPoints(version).records, records);
    expect([...differences, ...forms].map(({ step, reasons }) => `${step}\n    ${reasons.slice(0, 6).join('\n    ')}`)).toEqual([]);
    expect(total).toBeGreaterThan(400);
  });
});
