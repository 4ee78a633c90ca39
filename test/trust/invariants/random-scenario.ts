import fc from 'fast-check';

/** Scenarios of any shape that a small cluster can run: chains and joins, load from idle to far too much, faults on the way. */
export const randomScenario: fc.Arbitrary<string> = fc
  .record({
    taskManagers: fc.integer({ min: 1, max: 4 }),
    slots: fc.integer({ min: 1, max: 4 }),
    parallelism: fc.integer({ min: 1, max: 3 }),
    vertices: fc.integer({ min: 2, max: 5 }),
    rate: fc.constantFrom(0, 1, 50, 1_000, 20_000),
    serviceTimes: fc.array(fc.constantFrom('10 us', '100 us', '1 ms', '5 ms', '20 ms'), { minLength: 5, maxLength: 5 }),
    ships: fc.array(fc.constantFrom('HASH', 'REBALANCE', 'RESCALE', 'BROADCAST'), { minLength: 5, maxLength: 5 }),
    interval: fc.constantFrom(null, '1 s', '5 s', '20 s'),
    timeout: fc.constantFrom('1 s', '10 s', '10 min'),
    tolerable: fc.constantFrom(0, 3, 1_000),
    mode: fc.constantFrom('EXACTLY_ONCE', 'AT_LEAST_ONCE'),
    recordLimit: fc.constantFrom(null, null, 2_000),
    jobs: fc.integer({ min: 1, max: 3 }),
    attempts: fc.constantFrom(0, 2, 1_000),
    faults: fc.array(
      fc.tuple(
        fc.integer({ min: 5, max: 200 }),
        fc.constantFrom<object>({ killTaskManager: { taskManager: 0 } }, { addTaskManagers: { count: 1 } }, { failSubtask: { job: 'job 0', operator: 'step 1', subtask: 0 } }, { cancelJob: { job: 'job 0' } }, { triggerSavepoint: { job: 'job 0' } }, { setServiceTime: { job: 'job 0', operator: 'step 1', serviceTime: '50 ms' } }),
      ),
      { maxLength: 4 },
    ),
  })
  .map((given) => {
    const names = Array.from({ length: given.vertices }, (_, index) => (index === 0 ? 'Source: numbers' : index === given.vertices - 1 ? 'Sink: out' : `step ${index}`));
    const job = (index: number): object => ({
      name: `job ${index}`,
      parallelism: given.parallelism,
      ...(given.interval === null ? {} : { checkpointing: { interval: given.interval, timeout: given.timeout, tolerableFailures: given.tolerable, mode: given.mode } }),
      restartStrategy: given.attempts === 0 ? { kind: 'none' } : { kind: 'fixed-delay', attempts: given.attempts, delay: '2 s' },
      vertices: names.map((name, at) => ({
        operators: [
          {
            name,
            serviceTime: given.serviceTimes[at],
            ...(at < names.length - 1 ? { recordSize: 200 } : { sink: {} }),
            ...(at === 0 ? { source: { rate: `${given.rate}/s`, ...(given.recordLimit === null ? {} : { limit: given.recordLimit }) } } : {}),
          },
        ],
      })),
      edges: names.slice(1).map((to, at) => ({ from: names[at], to, ship: given.ships[at] })),
    });
    const faults = given.faults
      .filter(([, fault]) => given.vertices > 2 || !JSON.stringify(fault).includes('step 1'))
      .toSorted(([a], [b]) => a - b)
      .map(([at, fault]) => ({ at: `${at} s`, ...fault }));
    return JSON.stringify({
      flink: '1.20',
      start: '2024-03-04T10:00:00Z',
      cluster: { jobManager: { host: 'jobmanager' }, taskManagers: { count: given.taskManagers, slots: given.slots }, allowTooFewSlots: true },
      options: { 'state.checkpoints.dir': 'file:///data/checkpoints', 'state.savepoints.dir': 'file:///data/savepoints', 'taskmanager.numberOfTaskSlots': String(given.slots), 'heartbeat.timeout': '20 s', 'heartbeat.interval': '5 s', 'slot.request.timeout': '30 s' },
      jobs: Array.from({ length: given.jobs }, (_, index) => job(index)),
      timeline: faults,
    });
  });
