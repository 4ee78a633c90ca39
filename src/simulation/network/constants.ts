/**
 * The one set of constants of the flow model, each with its reason. Measured ones come from the recordings that test/physics replays
 * (Flink 1.20.5); none of them is chosen for a single run.
 */

/** Length field, stream element tag and the like round each record on the wire (recordings: 1013 bytes for a payload of 1000). */
export const WIRE_OVERHEAD_BYTES = 13;

/** Time constant with which a channel's inflow and a subtask's use are smoothed: some buffer time-outs. */
export const SMOOTHING_MS = 300;

/** The same for the pace of a source that is stopped again and again. */
export const PACE_MS = 5000;

/** Median way of a barrier from one task to the next that waits for it: thread wake-up and network. */
export const BARRIER_HOP_MEDIAN_MS = 2.5;
export const BARRIER_HOP_SPREAD = 0.6;

/** Median time from the coordinator's trigger to the source's mailbox (recordings: 4 to 30 ms on sources that are not blocked). */
export const TRIGGER_RPC_MEDIAN_MS = 7;
export const TRIGGER_RPC_SPREAD = 0.8;

/**
 * Chance that the thread with the barrier gets the checkpoint lock when a blocked legacy source comes out of its wait for buffers: the lock is not
 * fair. Where alignments move the subpartitions out of step a source waits for one buffer at a time; where barriers overtake nothing does, and it
 * waits for a round of them, one for each subpartition. (Start delays of the recordings' sources: 1.8 buffers with two and with four
 * subpartitions under aligned checkpoints, 1.1 rounds with both under unaligned ones.)
 */
export const LOCK_CHANCE_PER_BUFFER = 0.43;
export const LOCK_CHANCE_PER_ROUND = 0.65;

/** Time that a parked thread needs to wake up and take a lock that is free meanwhile, microseconds. */
export const LOCK_WAKE_UP_US = 50;

/** Part of a flush's records that wait for each other, beside what the consumer's use says: the flushes of several producers spread. */
export const BURST_SHARE = 0.5;

/** Least time of the thread for a record: what Flink itself needs for a chain that does nothing (some million records a second). */
export const MIN_SERVICE_MS = 0.0003;

/** Part of the open buffer that a barrier leaves unused when it closes it, on average. */
export const CLOSED_BUFFER_WASTE = 0.5;

/**
 * Turns among a consumer's channels are not quite even: it reads whole buffers, and records come to channels as keys and bursts have it.
 * The standard deviation of a channel's service while barriers are ahead: a queue of ten buffers then ends one or two before its
 * neighbour, as the alignments of the recordings show (multiples of a buffer, at every record size).
 */
export const TURN_SPREAD = 0.15;

/**
 * A job in which nothing has been near a limit for CALM_AFTER_MS, and no barrier is under way, is worked out in steps of CALM_STEP_MS: its
 * flows are even, and a step of any length gives the same. CALM_UTILIZATION is the use of a thread from which on it counts as near.
 */
export const CALM_AFTER_MS = 3000;
export const CALM_STEP_MS = 500;
export const CALM_UTILIZATION = 0.9;

/** With barriers under way a step is no longer than a pool takes to fill to that part, and no shorter than LEAST_STEP_MS. */
export const POOL_SHARE_OF_STEP = 0.25;
export const LEAST_STEP_MS = 5;

/** pipeline.auto-watermark-interval: how often a source looks at its splits and sends a watermark. */
export const WATERMARK_INTERVAL_MS = 200;

/** From the end of an idle time-out until the split is marked: the timer begins with the second look without a record (FLINK-40503). */
export const IDLENESS_DETECTION_MS = 2 * WATERMARK_INTERVAL_MS;
