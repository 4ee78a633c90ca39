import { edgeView, type EdgeView } from '../../simulation/network/edge-view.js';
import { isGloballyTerminal } from '../../simulation/lifecycle/job-status.js';
import type { JobState, JobVertexState } from '../../simulation/state/job-state.js';
import type { ClusterControl } from '../cluster-control.js';
import { ControlError } from '../problem.js';
import { activeFaults, describeHttpFault } from './active-faults.js';
import type { ConsoleGraph, ConsoleLog, ConsoleRequests, ConsoleState, ConsoleThreads, ConsoleVertex } from './console-types.js';
import { graphView, jobView, logView, threadsView, vertexView, type LogLevel } from './console-views.js';
import { describeAction } from './describe-action.js';

/** How many events to come are told. */
const SHOWN_EVENTS = 200;

/** What the page has had already. */
export interface Since {
  readonly epoch: number;
  /** Instant of the last sample, number of the last entry. */
  readonly sample: number;
  readonly entry: number;
}

/** What the console asks for. */
export class ConsoleControl {
  constructor(private readonly control: ClusterControl) {}

  state(jobId: string | undefined, since: Since): ConsoleState {
    const { control } = this;
    const { recorder } = control;
    recorder.watch();
    control.catchUp();
    const { state } = control;
    const { mode, nowMs, startMs, speed, paused } = control.clock.view();
    recorder.observe(speed, paused);
    const httpFaults = control.faults.list();
    recorder.happenings.lookAtHttpFaults(httpFaults, describeHttpFault);
    const job = this.shown(jobId);
    const known = since.epoch === recorder.epoch ? since : { sample: -Infinity, entry: 0 };
    return {
      run: recorder.run,
      epoch: recorder.epoch,
      clock: { mode, nowMs, startMs, speed, paused },
      scenario: { name: state.model.name, flinkVersion: control.version.full, seed: state.model.seed, timeZoneOffsetMinutes: state.model.timeZoneOffsetMinutes },
      jobs: [...state.jobs.values()].reverse().map(({ id, name, status }) => ({ id, name, status })),
      job: job && jobView(state, job, recorder),
      taskManagers: [...state.taskManagers.values()].map(({ id, host, status, slots }) => ({ id, host, status, slots: slots.length, freeSlots: slots.filter((slot) => slot.jobId === null).length })),
      topics: [...state.kafka.topics.keys()],
      jobManager: state.jobManager.availability,
      entries: recorder.happenings.after(known.entry),
      pending: control.events.pending(SHOWN_EVENTS).map(({ id, atMs, origin, action }) => ({ id, atMs, origin, text: describeAction(action, state) })),
      marks: control.history.listMarks().map(({ name, atMs }) => ({ name, atMs })),
      faults: activeFaults(state, httpFaults),
      // Of another job than the one asked for nothing is known there.
      samples: job ? recorder.samplesAfter(job.id, jobId === undefined || jobId === job.id ? known.sample : -Infinity) : [],
      requests: control.journal.total,
    };
  }

  graph(jobId: string): ConsoleGraph {
    return graphView(this.job(jobId));
  }

  vertex(jobId: string, vertexId: string, from: number): ConsoleVertex {
    const { job, vertex } = this.find(jobId, vertexId);
    return vertexView(job, vertex, from, this.control.recorder);
  }

  threads(jobId: string, vertexId: string, subtask: number): ConsoleThreads {
    const { job, vertex } = this.find(jobId, vertexId);
    if (!vertex.subtasks[subtask]) throw new ControlError(404, `there is no subtask ${subtask}; allowed: 0 to ${vertex.parallelism - 1}`);
    return threadsView(this.control.state, job, vertex, subtask);
  }

  buffers(jobId: string, edge: number, consumer: number): EdgeView {
    const { network, vertices } = this.job(jobId);
    if (!network.edges[edge]) throw new ControlError(404, `there is no edge ${edge}; the job has ${network.edges.length}, counted from 0`);
    const { parallelism } = vertices[network.edges[edge].targetVertex]!;
    if (consumer >= parallelism) throw new ControlError(404, `there is no consumer ${consumer}; allowed: 0 to ${parallelism - 1}`);
    return edgeView(network, edge, consumer);
  }

  log(process: string, after: number, level: LogLevel, limit: number): ConsoleLog {
    this.control.catchUp();
    return logView(this.control.state, process, after, level, limit);
  }

  requests(after: number, limit: number): ConsoleRequests {
    const requests = this.control.journal.latest(after, limit).map(({ id, atMs, method, target, outcome, status, durationMs, userAgent, requestBody }) => ({ id, atMs, method, target, outcome, status, durationMs, userAgent, requestBody }));
    return { total: this.control.journal.total, requests };
  }

  private shown(jobId: string | undefined): JobState | null {
    const jobs = [...this.control.state.jobs.values()];
    return jobs.find(({ id }) => id === jobId) ?? jobs.findLast(({ status }) => !isGloballyTerminal(status)) ?? jobs.at(-1) ?? null;
  }

  private job(jobId: string): JobState {
    this.control.catchUp();
    const job = this.control.state.jobs.get(jobId);
    if (!job) throw new ControlError(404, `there is no job ${jobId}`);
    return job;
  }

  private find(jobId: string, vertexId: string): { readonly job: JobState; readonly vertex: JobVertexState } {
    const job = this.job(jobId);
    const vertex = job.vertices.find(({ id }) => id === vertexId);
    if (!vertex) throw new ControlError(404, `job ${jobId} has no vertex ${vertexId}`);
    return { job, vertex };
  }
}
