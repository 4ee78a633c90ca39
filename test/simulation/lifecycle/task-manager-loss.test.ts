import { describe, expect, it } from 'vitest';
import { applyAction } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { attemptsOf, jobNamed, statusesOf } from '../observe.js';

/** A job of six on four and two slots, and the second task manager. */
function spread(version: string): { simulation: Simulation; lost: string } {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([bpJob({ name: 'survives', p: 6, iv: 2000 })], 100), seed: 7 }));
  simulation.advanceBy(15_000);
  const lost = [...simulation.state.taskManagers.keys()][1];
  return { simulation, lost };
}

function kill({ simulation, lost }: { simulation: Simulation; lost: string }): void {
  applyAction(simulation.state, { kind: 'kill-task-manager', taskManager: lost });
}

describe('a task manager that is killed', () => {
  it.each([
    ['1.9.3', 50_000],
    ['1.13.6', 50_000],
    ['1.20.5', 20_000],
    ['2.3.0', 20_000],
  ])('stays listed in %s until its heartbeats are missed', (version, afterMs) => {
    const cluster = spread(version);
    const { simulation, lost } = cluster;
    kill(cluster);
    const taskManager = simulation.state.taskManagers.get(lost)!;
    expect(taskManager.status).toBe('LOST');
    const { lastHeartbeatMs } = taskManager;
    simulation.advanceTo(lastHeartbeatMs + afterMs - 1);
    expect(simulation.state.taskManagers.has(lost)).toBe(true);
    expect(taskManager.lastHeartbeatMs).toBe(lastHeartbeatMs);
    simulation.advanceBy(1);
    expect([...simulation.state.taskManagers.keys()]).not.toContain(lost);
  });

  it.each(['1.20.5', '2.3.0'])('uses up the restarts of a job within seconds in %s: deployments to it fail', (version) => {
    const cluster = spread(version);
    const job = jobNamed(cluster.simulation);
    kill(cluster);
    // Recorded: three times RESTARTING → RUNNING, FAILED 6 to 9 s after the kill, while the task manager was still listed.
    expect(statusesOf(cluster.simulation, job, 7500)).toEqual(['RUNNING', 'RESTARTING', 'RUNNING', 'RESTARTING', 'RUNNING', 'RESTARTING', 'RUNNING', 'FAILING', 'FAILED']);
    expect(cluster.simulation.state.taskManagers.has(cluster.lost)).toBe(true);
    const [first, second] = job.exceptions.history;
    expect(first.exceptionName).toBe('org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException');
    expect(first.taskManagerId).not.toBe(cluster.lost);
    expect(second).toMatchObject({ exceptionName: 'org.apache.flink.runtime.rpc.exceptions.RecipientUnreachableException', taskManagerId: cluster.lost, attemptNumber: 1 });
  });

  it.each(['1.9.3', '1.13.6'])('keeps its cancelled tasks CANCELING in %s until the heartbeat times out', (version) => {
    const cluster = spread(version);
    const { simulation, lost } = cluster;
    const job = jobNamed(simulation);
    kill(cluster);
    simulation.advanceBy(5000);
    expect(job.status).toBe(version === '1.9.3' ? 'FAILING' : 'RESTARTING');
    const states = (onLost: boolean): Set<string> => new Set(attemptsOf(job).filter((attempt) => (attempt.taskManagerId === lost) === onLost && attempt.state !== 'FAILED').map((attempt) => attempt.state));
    expect(states(true)).toEqual(new Set(['CANCELING']));
    expect(states(false)).toEqual(new Set(['CANCELED']));
    simulation.advanceBy(50_000);
    expect(job.status).toBe('RUNNING');
    expect(attemptsOf(job).every((attempt) => attempt.attemptNumber === 1 && attempt.state === 'SCHEDULED')).toBe(true);
  });

  it('fails the tasks of a job that lived on it alone only when it is given up', () => {
    const simulation = new Simulation(twoTaskManagers('1.20.5', { jobs: submissions([bpJob({ p: 2 })], 100), seed: 7 }));
    simulation.advanceBy(15_000);
    const job = jobNamed(simulation);
    const [taskManager] = simulation.state.taskManagers.values();
    kill({ simulation, lost: taskManager.id });
    simulation.advanceTo(taskManager.lastHeartbeatMs + 19_999);
    expect(job.status).toBe('RUNNING');
    simulation.advanceBy(1);
    expect(job.status).toBe('RESTARTING');
    expect(job.exceptions.rootException!.stackTrace).toContain(`TaskManager with id ${taskManager.id} is no longer reachable.`);
    simulation.advanceBy(8000);
    expect(attemptsOf(job).every((attempt) => attempt.state === 'RUNNING' && attempt.taskManagerId !== taskManager.id)).toBe(true);
    expect(job.checkpoints!.latestRestored).not.toBeNull();
  });
});
