import { describe, expect, it } from 'vitest';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, jobNamed } from '../observe.js';

describe('a batch job', () => {
  it('starts a vertex when the producers of its blocking inputs have finished, and takes no checkpoints', () => {
    const base = bpJob({ rate: 1000, us: 0, p: 2, iv: 0, recordLimit: 2000 });
    const job = { ...base, jobType: 'BATCH' as const, edges: base.edges.map((edge) => ({ ...edge, exchange: 'blocking' as const })) };
    const simulation = new Simulation(twoTaskManagers('1.20.5', { jobs: submissions([job], 500), seed: 3 }));
    simulation.advanceBy(1800);
    const state = jobNamed(simulation);
    expect(state.checkpoints).toBeNull();
    expect(state.vertices.map((vertex) => vertex.subtasks.map((execution) => execution.current.state))).toEqual([['RUNNING', 'RUNNING'], ...Array(3).fill(['CREATED', 'CREATED'])]);
    expect(advanceUntil(simulation, () => state.status === 'FINISHED', 60_000)).toBe(true);
    const [start, end] = [3, 5].map((index) => state.vertices.map((vertex) => vertex.subtasks.map((execution) => execution.current.timestamps[index])));
    for (let v = 1; v < 4; v++) expect(Math.min(...start[v].map((ms, s) => state.vertices[v].subtasks[s].current.timestamps[1] || ms))).toBeGreaterThanOrEqual(Math.max(...end[v - 1]));
  });
});
