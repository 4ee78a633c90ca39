export { threadDump, type ThreadInfo } from './thread-dump.js';
export { requestFlameGraph, tickThreadSamples, type FlameGraph, type FlameGraphNode, type FlameGraphType } from './flame-graph.js';
export { taskThreadName } from './task-threads.js';
export { threadActivityAt, isBackPressured, type ThreadActivity } from './thread-activity.js';
