import { nearestName } from '../scenario/nearest-name.js';
import type { OperatorSelector, TimelineAction } from '../simulation/model/timeline-event.js';
import type { JobState, JobVertexState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { isVertex } from './conditions.js';

type Report = (path: readonly (string | number)[], message: string) => void;

/** What an action would silently pass over, because what it needs is not there (now). Later events are checked as far as that can be known. */
export function checkAction(action: TimelineAction, state: SimulationState, isLater: boolean, report: Report): void {
  switch (action.kind) {
    case 'kill-task-manager':
    case 'out-of-memory':
    case 'silence-task-manager': {
      const name = action.kind === 'kill-task-manager' ? 'killTaskManager' : action.kind === 'out-of-memory' ? 'outOfMemory' : SILENCES[action.cause];
      if (!isLater) idOfTaskManager(state, action.taskManager, [name, 'taskManager'], report);
      return;
    }
    case 'disconnect-task-managers': {
      const [first, second] = isLater ? [action.first, action.second] : (['first', 'second'] as const).map((side) => idOfTaskManager(state, action[side], ['disconnectTaskManagers', side], report));
      if (first !== null && first === second) report(['disconnectTaskManagers', 'second'], 'is the same task manager as `first`; allowed: another one');
      return;
    }
    case 'fault-checkpoint': {
      const { nextCheckpointId: next = 0, pending = [] } = state.jobs.get(action.job)?.checkpoints ?? {};
      if (action.checkpoint !== null && action.checkpoint < next && !pending.some(({ id }) => id === action.checkpoint)) report([`${action.fault}Checkpoint`, 'checkpoint'], `found ${action.checkpoint}; allowed: ${next} or a later one, that one is over`);
      return;
    }
    case 'fail-subtask': {
      const found = find(state, action.target);
      if (!found) return;
      const { parallelism, subtasks } = found.vertex;
      if (action.subtask >= parallelism) report(['failSubtask', 'subtask'], `found ${action.subtask}; allowed: 0 to ${parallelism - 1}`);
      else if (!isLater && subtasks[action.subtask]?.current.state !== 'RUNNING') report(['failSubtask', 'subtask'], `is ${subtasks[action.subtask]?.current.state ?? 'not there'}; only a task that is RUNNING can fail`);
      return;
    }
    case 'set-source-rate': {
      const found = find(state, action.target);
      if (found && found.vertex.model.operators[0]?.source?.kind !== 'generator') report(['setSourceRate', 'operator'], `is no generator; allowed: ${operatorsOf(found.job, ({ model }) => model.operators[0]?.source?.kind === 'generator') || 'none in this job; a Kafka topic changes with setTopicRate'}`);
      return;
    }
    case 'set-sink-capacity': {
      const found = find(state, action.target);
      if (found && !found.vertex.model.operators.some(({ sink }) => sink !== null)) report(['setSinkCapacity', 'operator'], `is no sink; allowed: ${operatorsOf(found.job, ({ model }) => model.operators.some(({ sink }) => sink !== null)) || 'none in this job'}`);
      return;
    }
    case 'crash-job-manager':
      if (!isLater && state.jobManager.availability === 'DOWN') report(['crashJobManager'], `there is no process to crash, the job manager is down; ${COMES_BACK}`);
      return;
    case 'fail-over-job-manager':
    case 'revoke-leadership': {
      const { availability } = state.jobManager;
      const leads = availability === 'LEADING' || (action.kind === 'fail-over-job-manager' && availability === 'NO_RESOURCE_MANAGER');
      if (!isLater && !leads) report([action.kind === 'fail-over-job-manager' ? 'failOverJobManager' : 'revokeLeadership'], `nobody leads, the job manager is ${availability}; ${COMES_BACK}`);
      return;
    }
    case 'jump-clock': {
      const { tickMs } = state.model;
      if (action.byMs < tickMs) report(['jumpClock', 'by'], `found ${action.byMs} ms; allowed: at least the scenario's tick, ${tickMs} ms`);
      return;
    }
    default:
  }
}

/** What whoever asks for an outage during another one is told. */
const COMES_BACK = 'allowed: once it leads again; let time go on first, or give an instant with `at`';

const SILENCES = { stopped: 'pauseTaskManager', partitioned: 'partitionTaskManager', 'garbage-collection': 'collectGarbage' } as const;

/** The id of the task manager that is named by id or position; null, and reported, when there is none. */
function idOfTaskManager(state: SimulationState, selector: string, path: readonly string[], report: Report): string | null {
  const ids = [...state.taskManagers.keys()];
  const id = state.taskManagers.has(selector) ? selector : ids[Number(selector)];
  if (id !== undefined) return id;
  const near = nearestName(selector, ids);
  report(path, `found ${JSON.stringify(selector)}; ${near ? `did you mean ${near}? ` : ''}allowed: ${ids.slice(0, 20).join(', ') || 'none, there is no task manager'}${ids.length > 0 ? `, or a position from 0 to ${ids.length - 1}` : ''}`);
  return null;
}

function find(state: SimulationState, target: OperatorSelector): { job: JobState; vertex: JobVertexState } | null {
  const job = state.jobs.get(target.job);
  const vertex = job?.vertices.find((each) => isVertex(each, target.operator));
  return job && vertex ? { job, vertex } : null;
}

function operatorsOf(job: JobState, fits: (vertex: JobVertexState) => boolean): string {
  return job.vertices.filter(fits).map(({ model }) => JSON.stringify(model.name)).join(', ');
}
