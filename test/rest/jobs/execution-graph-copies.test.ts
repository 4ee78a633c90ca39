import { describe, expect, it } from 'vitest';
import { takeCheckpointStats, takeExecutionGraph, type ExecutionGraph } from '../../../src/rest/views/execution-graph.js';
import { loadScenario } from '../../../src/scenario/load-scenario.js';
import { Simulation } from '../../../src/simulation/simulation.js';

describe('copies of a job', () => {
  it.each(['crash-loop', 'taskmanager-loss'])('are the same whether they share what has not changed with the one before or not, and stay as they were: %s', (name) => {
    const simulation = new Simulation(loadScenario(name));
    let earlier: ExecutionGraph | undefined;
    let before: ExecutionGraph | undefined;
    let attempts = 0;
    for (let step = 0; step < 200; step++) {
      simulation.advanceBy(3_000);
      expect(earlier).toEqual(before);
      const [job] = simulation.state.jobs.values();
      if (!job) continue;
      const graph = takeExecutionGraph(job, true, earlier);
      expect(graph).toStrictEqual(takeExecutionGraph(job, true));
      for (const { subtasks } of graph.vertices) for (const { current } of subtasks) attempts = Math.max(attempts, current.attemptNumber);
      earlier = graph;
      before = structuredClone(graph);
    }
    expect(attempts).toBeGreaterThanOrEqual(name === 'crash-loop' ? 3 : 1);
  });

  it('share the tasks to which nothing has happened', () => {
    const simulation = new Simulation(loadScenario('healthy').model);
    simulation.advanceBy(60_000);
    const [job] = simulation.state.jobs.values();
    const first = takeExecutionGraph(job!, true);
    simulation.advanceBy(60_000);
    const second = takeExecutionGraph(job!, true, first);
    second.vertices.forEach((vertex, v) => vertex.subtasks.forEach((subtask, s) => expect(subtask).toBe(first.vertices[v]!.subtasks[s])));
  });

  it('of a checkpoint under way do not change with it', () => {
    const simulation = new Simulation(loadScenario('slow-sink').model);
    const inProgress = () => [...simulation.state.jobs.values()][0]?.checkpoints?.pending[0];
    expect(simulation.advanceUntil(() => (inProgress()?.numAcknowledged ?? 0) > 0, 600_000)).toBe(true);
    const stats = takeCheckpointStats([...simulation.state.jobs.values()][0]!.checkpoints!);
    const kept = structuredClone(stats.history);
    expect(kept.some(({ status }) => status === 'IN_PROGRESS')).toBe(true);
    const { numAcknowledged } = inProgress()!;
    expect(simulation.advanceUntil(() => inProgress()?.numAcknowledged !== numAcknowledged, 600_000)).toBe(true);
    expect(stats.history).toEqual(kept);
  });
});
