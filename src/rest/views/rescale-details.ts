import type { RescaleState, RescaleTerminatedReason, SchedulerStateSpanState, VertexRescaleState } from '../../simulation/state/rescale-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { resourceProfile, UNKNOWN_RESOURCES, type ResourceProfile } from './resource-profile.js';

export type TerminalState = 'COMPLETED' | 'FAILED' | 'IGNORED';

/** What became of a rescale; null while it is under way. */
export function terminalState(reason: RescaleTerminatedReason | null): TerminalState | null {
  return reason === null ? null : reason === 'SUCCEEDED' ? 'COMPLETED' : 'IGNORED';
}

export function rescaleDuration({ startMs, endMs }: RescaleState): number {
  return Math.floor(endMs) - Math.floor(startMs);
}

function time(epochMs: number): number | null {
  return epochMs < 0 ? null : Math.floor(epochMs);
}

function span({ state, enterMs, leaveMs }: SchedulerStateSpanState) {
  return { state, enterTimestampInMillis: time(enterMs), leaveTimestampInMillis: time(leaveMs), durationInMillis: leaveMs < 0 ? null : Math.floor(leaveMs) - Math.floor(enterMs), stringifiedException: null };
}

function vertexInfo(vertex: VertexRescaleState) {
  const { vertexId, name, slotSharingGroup, slotSharingGroupId, ...parallelism } = vertex;
  return { jobVertexId: vertexId, jobVertexName: name, slotSharingGroupId, slotSharingGroupName: slotSharingGroup, ...parallelism };
}

/** A group takes as many slots as its widest vertex has subtasks. */
function widest(vertices: readonly VertexRescaleState[], parallelism: (vertex: VertexRescaleState) => number | null): number | null {
  const known = vertices.map(parallelism).filter((each) => each !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function slotSharingGroupInfo(vertices: readonly VertexRescaleState[], slot: ResourceProfile) {
  const { slotSharingGroup, slotSharingGroupId } = vertices[0]!;
  const postRescaleSlots = widest(vertices, (vertex) => vertex.postRescaleParallelism);
  return {
    slotSharingGroupId,
    slotSharingGroupName: slotSharingGroup,
    requestResourceProfile: UNKNOWN_RESOURCES,
    desiredSlots: widest(vertices, (vertex) => vertex.desiredParallelism),
    minimalRequiredSlots: widest(vertices, (vertex) => vertex.sufficientParallelism),
    preRescaleSlots: widest(vertices, (vertex) => vertex.preRescaleParallelism),
    postRescaleSlots,
    acquiredResourceProfile: postRescaleSlots === null ? UNKNOWN_RESOURCES : slot,
  };
}

/** A slot as the cluster's task managers offer it. */
function slotProfile(state: SimulationState): ResourceProfile {
  const [taskManager] = state.taskManagers.values();
  return taskManager && taskManager.slots.length > 0 ? resourceProfile(state, taskManager, 1 / taskManager.slots.length) : UNKNOWN_RESOURCES;
}

/** Flink's JobRescaleDetails; lists leave out what it is made of. */
export function rescaleDetails(rescale: RescaleState, state: SimulationState, whole: boolean) {
  const vertices = whole ? rescale.vertices : [];
  const groups = [...new Set(vertices.map((vertex) => vertex.slotSharingGroupId))];
  return {
    rescaleUuid: rescale.rescaleUuid,
    resourceRequirementsUuid: rescale.resourceRequirementsUuid,
    rescaleAttemptId: rescale.attemptId,
    vertices: Object.fromEntries(vertices.map((vertex) => [vertex.vertexId, vertexInfo(vertex)])),
    slots: Object.fromEntries(groups.map((id) => [id, slotSharingGroupInfo(vertices.filter((vertex) => vertex.slotSharingGroupId === id), slotProfile(state))])),
    schedulerStates: whole ? rescale.schedulerStates.map(span) : [],
    startTimestampInMillis: time(rescale.startMs),
    endTimestampInMillis: time(rescale.endMs),
    terminalState: terminalState(rescale.terminatedReason),
    triggerCause: rescale.triggerCause,
    terminatedReason: rescale.terminatedReason,
  };
}
