const SLOTS = 10;

/** YAML of a job of `vertices` operators in a row, all connected by HASH, `parallelism` subtasks each, that has work for a fifth of its time. */
export function largeScenario(vertices: number, parallelism: number): string {
  const taskManagers = Array.from({ length: Math.ceil(parallelism / SLOTS) }, (_, i) => `    - { host: worker-${i + 1}, slots: ${SLOTS} }`);
  const operators = Array.from({ length: vertices }, (_, i) => {
    const source = i === 0 ? `, source: { rate: ${parallelism * 200}/s }` : '';
    const sink = i === vertices - 1 ? ', sink: {}' : '';
    return `      - operators: [{ name: Operator ${i}, uid: o${i}, serviceTime: 1 ms, recordSize: 200${source}${sink} }]`;
  });
  const edges = Array.from({ length: vertices - 1 }, (_, i) => `      - { from: Operator ${i}, to: Operator ${i + 1}, ship: HASH }`);
  return [
    'title: A large job',
    'description: Made for measuring.',
    'flink: 1.20',
    'start: 2024-03-04T09:00:00Z',
    'cluster:',
    '  taskManagers:',
    ...taskManagers,
    'jobs:',
    '  - name: large',
    `    parallelism: ${parallelism}`,
    '    checkpointing: { interval: 1 min, timeout: 10 min }',
    '    vertices:',
    ...operators,
    '    edges:',
    ...edges,
    '',
  ].join('\n');
}
