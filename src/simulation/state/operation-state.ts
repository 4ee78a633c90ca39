/** An asynchronous REST operation: trigger, then IN_PROGRESS, then a result that is kept for a while. */
export interface AsyncOperationState {
  readonly kind: 'savepoint' | 'stop-with-savepoint' | 'checkpoint' | 'savepoint-disposal' | 'rescaling' | 'dataset-deletion';
  /** 32 hex digits. */
  readonly triggerId: string;
  /** null where the operation belongs to no job. */
  readonly jobId: string | null;
  readonly startedMs: number;
  status: 'IN_PROGRESS' | 'COMPLETED';
  /** Epoch ms; -1 while in progress. Kept for rest.async.store-duration from then on. */
  completedMs: number;
  result: AsyncOperationResult | null;
}

export type AsyncOperationResult =
  | { readonly kind: 'location'; readonly location: string }
  | { readonly kind: 'checkpoint-id'; readonly checkpointId: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failure'; readonly exceptionClass: string; readonly stackTrace: string };
