/** Fields of Flink's classes that no state of a simulated cluster shows, by their paths. */
export const NEVER_SEEN: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /\.(taskmanagers-blocked|slots-free-and-blocked|blocked)$/, reason: 'left out while 0 or false: only speculative execution blocks task managers' },
  { path: /(other-concurrent-attempts|\.attempt-number|current-execution-attempts)$/, reason: 'several attempts of a subtask at once: only in speculative execution' },
  { path: /\.inputs\[\]\.(local_strategy|caching)$/, reason: 'only plans of DataSet programs have them' },
  { path: /\.stream-graph/, reason: 'only while the adaptive batch scheduler has operators left to plan' },
  { path: /accumulators.*\[\]\.(name|type|value)$/, reason: 'no simulated operator has user accumulators' },
  { path: /\/checkpoints\.(latest|history).*\.tasks\{\}/, reason: 'only the details of a checkpoint tell its tasks' },
  { path: /^GET \/datasets\.|\/datasets\/delete\/:triggerid\.operation\.failure-cause/, reason: 'no simulated job caches data sets' },
  { path: /\/exceptions\.exceptionHistory\.entries\[\].*failureLabels\{\}/, reason: 'no failure enrichers are configured' },
  { path: /^GET \/applications\/:applicationid\/exceptions\..*entries\[\]/, reason: "exceptions of main methods; what a job throws is the job's" },
  { path: /\/rescales\/(history|overview).*\.(vertices|slots)\{\}|\/rescales\/(history|overview).*\.schedulerStates\[\]/, reason: 'only the details of a rescale tell what it is made of' },
  { path: /\/jm-operator-metrics\[\]/, reason: 'the coordinators of the recorded sources report no metrics' },
  { path: /\.allocatedSlots\[\]/, reason: 'until 1.17 the default slot manager does not tell them' },
  { path: /\/rescales\/overview\.latest\.failed\./, reason: 'a simulated rescale never fails' },
];

/** Texts and objects that may be null: nothing of the kind has happened, or it is not over yet. */
export const MAY_BE_NULL =
  /\.(root-exception|savepointFormat|operation|message|outputFile|schedulerType|schedulerExecutionMode|stringifiedException|terminalState|terminatedReason)$|\/jars\.files\[\]\.entry\[\]\.description$|\/checkpoints\.latest\.(completed|savepoint|failed|restored)$|\/rescales\/overview\.latest\.(failed|ignored)$/;
