import { describe, expect, it } from 'vitest';
import { logBytes, logText, processLogs, type LogFile } from '../../../src/rest/views/log-files.js';
import { appendLog, formatLog, LOG_ENTRY_LIMIT } from '../../../src/simulation/logs/index.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { loadScenario } from '../../../src/scenario/load-scenario.js';

describe('the text of a log file', () => {
  const { state } = new Simulation(loadScenario('healthy').model);
  const file = (): LogFile => processLogs(state, 'jobmanager')!.log;
  const isWhole = (): void => {
    const whole = formatLog(state, file().log);
    expect(logText(state, file())).toBe(whole);
    expect(logBytes(state, file())).toBe(Buffer.byteLength(whole));
  };
  const write = (count: number): void => {
    for (let i = 0; i < count; i++) appendLog(state.jobManager.log, state.nowMs + i, 'INFO', 'org.example.Sender', `line ${i} grüßt\n\tat somewhere`);
  };

  it('is the same however often it was asked for while it grew, lost its oldest lines, or was another one', () => {
    isWhole();
    write(3);
    isWhole();
    isWhole();
    write(LOG_ENTRY_LIMIT);
    expect(state.jobManager.log.droppedEntries).toBeGreaterThan(0);
    isWhole();
    write(LOG_ENTRY_LIMIT / 10);
    isWhole();
    state.jobManager.log = { entries: [], droppedEntries: 0 };
    isWhole();
    write(2);
    isWhole();
  });
});
