import { beforeAll, describe, expect, it } from 'vitest';
import { Sampler, type JobSample, type Sample } from '../../src/cli/time-series.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { formatLog } from '../../src/simulation/logs/index.js';
import { Simulation } from '../../src/simulation/simulation.js';

const SAMPLE_MS = 10_000;

/** The whole incident, once: the figures of the article, within 3 %. */
describe('incident-2020-04-09', () => {
  const samples = new Map<string, Sample>();
  let jobManagerLog: string[];
  let fetchErrors: string[];
  const job = (time: string): JobSample => samples.get(time)!.jobs[0]!;
  const within = (value: number, figure: number): void => {
    expect(value).toBeGreaterThan(figure * 0.97);
    expect(value).toBeLessThan(figure * 1.03);
  };

  beforeAll(() => {
    const { model } = loadScenario('incident-2020-04-09');
    const simulation = new Simulation(model);
    const sampler = new Sampler();
    const endMs = model.startMs + (5 * 60 + 20) * 60_000;
    for (let atMs = model.startMs; atMs <= endMs; atMs += SAMPLE_MS) {
      simulation.advanceTo(atMs);
      const sample = sampler.sample(simulation.state);
      samples.set(sample.time.slice(11, 19), sample);
    }
    const lines = (log: string): string[] => log.split('\n');
    jobManagerLog = lines(formatLog(simulation.state, simulation.state.jobManager.log));
    fetchErrors = [...simulation.state.taskManagers.values()].flatMap((taskManager) => lines(formatLog(simulation.state, taskManager.log))).filter((line) => /FetchSessionHandler .*DisconnectException/.test(line)).sort();
  }, 120_000);

  it('runs where it ran: three containers on two hosts', () => {
    expect(samples.get('08:13:00')).toMatchObject({ taskManagers: 3, jobs: [{ id: '268d3f36d279f081fac6a21a98a6f94f', status: 'RUNNING' }] });
  });

  it('about 950,000 records offered, about 600,000 consumed, lag about 340,000', () => {
    const { endOffset, groups } = samples.get('12:20:00')!.topics[0]!;
    within(endOffset, 950_000);
    within(groups[0]!.consumed, 600_000);
    within(groups[0]!.lag, 340_000);
    expect(groups[0]!.group).toBe('mf.streaming.nlp.v1');
  });

  it('keeps up until 08:00, with every level OK and short checkpoints', () => {
    const { checkpoints, vertices } = job('07:59:50');
    expect(samples.get('07:59:50')!.topics[0]!.groups[0]!.lag).toBeLessThan(100);
    expect(vertices.map((vertex) => vertex.level)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(checkpoints!.lastDurationMs).toBeLessThan(2_000);
    expect(checkpoints!.failed).toBe(0);
  });

  it('consumption rises after 08:00 and flattens at the capacity of the slow operator', () => {
    const rate = (from: string, to: string, seconds: number): number => (samples.get(to)!.topics[0]!.groups[0]!.consumed - samples.get(from)!.topics[0]!.groups[0]!.consumed) / seconds;
    expect(rate('07:30:00', '08:00:00', 1_800)).toBeCloseTo(15, 0);
    const flat = ['09:00:00', '10:00:00', '11:00:00', '12:00:00'].map((to) => rate(`${String(Number(to.slice(0, 2)) - 1).padStart(2, '0')}:30:00`, to, 1_800));
    for (const each of flat) within(each, flat[0]!);
    expect(flat[0]).toBeGreaterThan(30);
  });

  it('operators above the slow one are HIGH from shortly after 08:00, it and the sink never', () => {
    for (const time of ['08:05:00', '08:13:00', '09:00:00', '12:00:00']) {
      expect(job(time).vertices.map((vertex) => vertex.name)).toEqual(['Source: Kafka nlp', 'Parse', 'NLP enrich', 'Sink: Kafka enriched']);
      const [source, parse, enrich, sink] = job(time).vertices;
      expect([source!.level, parse!.level]).toEqual(['high', 'high']);
      expect(enrich!.level).not.toBe('high');
      expect(sink!.level).toBe('ok');
      expect(enrich!.busy).toBeGreaterThan(0.7);
    }
  });

  it('checkpoints take tens of seconds, and from 08:11:59 on none completes within a minute', () => {
    expect(job('08:06:00').checkpoints!.lastDurationMs).toBeGreaterThan(20_000);
    expect(job('08:11:50').checkpoints).toMatchObject({ failed: 0, lastStatus: 'COMPLETED' });
    const expired = jobManagerLog.filter((line) => /Checkpoint \d+ of job \w+ expired before completing\./.test(line));
    expect(expired[0]!.slice(0, 19)).toBe('2020-04-09 08:11:59');
    expect(job('12:19:50').checkpoints!.completed).toBe(job('08:11:50').checkpoints!.completed);
    expect(expired.length).toBeGreaterThan(240);
  });

  it('late messages follow, in the words of Flink', () => {
    const late = jobManagerLog.filter((line) => line.includes('Received late message'));
    expect(late.length).toBeGreaterThan(240);
    for (const line of late) {
      expect(line).toMatch(
        /^2020-04-09 [\d:]{8},\d{3} WARN  org\.apache\.flink\.runtime\.checkpoint\.CheckpointCoordinator     - Received late message for now expired checkpoint attempt \d+ from task [0-9a-f]{32} of job 268d3f36d279f081fac6a21a98a6f94f at container_e06_1582644888198_0182_01_00000[234] @ bfd-wfj-67p12[13] \(dataPort=(6277|13077|28322)\)\.$/,
      );
    }
  });

  it('224 fetches fail between 08:14 and 12:00', () => {
    within(fetchErrors.length, 224);
    expect(fetchErrors[0]!.slice(11, 16) >= '08:14').toBe(true);
    expect(fetchErrors.at(-1)!.slice(11, 16) <= '12:00').toBe(true);
  });
});

describe.each(['1.10', '1.13', '1.20', '2.3'])('incident-2020-04-09 played by Flink %s', (flinkVersion) => {
  it('is the same story: the job lives on, back-pressured, and its checkpoints expire from 08:12 on', { timeout: 120_000 }, () => {
    const { model } = loadScenario('incident-2020-04-09', { flinkVersion });
    const simulation = new Simulation(model);
    const sampler = new Sampler();
    const at = (minutes: number): JobSample => {
      simulation.advanceTo(model.startMs + minutes * 60_000);
      return sampler.sample(simulation.state).jobs[0]!;
    };
    const atTen = at(70);
    expect(atTen.checkpoints!.lastStatus).toBe('COMPLETED');
    expect(atTen.checkpoints!.lastDurationMs).toBeGreaterThan(20_000);
    const later = at(100);
    expect(later).toMatchObject({ status: 'RUNNING', restarts: 0 });
    expect(later.vertices.map((vertex) => vertex.level)).toEqual(['high', 'high', 'ok', 'ok']);
    expect(later.checkpoints!.failed - atTen.checkpoints!.failed).toBeGreaterThan(25);
  });
});
