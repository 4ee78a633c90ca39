import type { SimulationState } from '../state/simulation-state.js';
import { onConnectionBroken, onHeartbeatTimeOut, onSilenceOver } from './silence.js';
import { onBurstOver } from './burst.js';
import { endCluster, onElection, onJobManagerLeads, onJobManagerRest, onResourceManagerLeads, onSlotsTimeOut, onTaskManagerReconnects } from './job-manager.js';

type Handler = (state: SimulationState, payload: never) => void;

/** What faults have scheduled, by the event's kind. */
export const FAULT_EVENTS: Readonly<Record<string, Handler>> = {
  'fault.cluster-ends': endCluster as Handler,
  'fault.job-manager-rest': onJobManagerRest as Handler,
  'fault.election': onElection as Handler,
  'fault.job-manager-leads': onJobManagerLeads as Handler,
  'fault.resource-manager-leads': onResourceManagerLeads as Handler,
  'fault.task-manager-reconnects': onTaskManagerReconnects as Handler,
  'fault.heartbeat-time-out': onHeartbeatTimeOut as Handler,
  'fault.silence-over': onSilenceOver as Handler,
  'fault.connection-broken': onConnectionBroken as Handler,
  'fault.burst-over': onBurstOver as Handler,
  'fault.slots-time-out': onSlotsTimeOut as Handler,
};
