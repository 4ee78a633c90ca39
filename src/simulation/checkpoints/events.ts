import type { Parts } from '../parts.js';
import type { SimulationState } from '../state/simulation-state.js';
import { onAck, onDecline } from './acknowledge.js';
import { onMaterialization, onMaterialized } from './changelog.js';
import { onComplete } from './complete.js';
import { onExpiry } from './failure.js';
import { onTimer } from './scheduler.js';
import { onDisposal } from './savepoints.js';

type Handler = (state: SimulationState, payload: never) => Parts | void;

/** What happens at scheduled instants around checkpoints, by the event's kind. */
export const CHECKPOINT_EVENTS: Readonly<Record<string, Handler>> = {
  'checkpoint.timer': onTimer as Handler,
  'checkpoint.ack': onAck as Handler,
  'checkpoint.decline': onDecline as Handler,
  'checkpoint.complete': onComplete as Handler,
  'checkpoint.expire': onExpiry as Handler,
  'checkpoint.materialize': onMaterialization as Handler,
  'checkpoint.materialized': onMaterialized as Handler,
  'checkpoint.disposal': onDisposal as Handler,
};
