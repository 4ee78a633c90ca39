export { appendLog, LOG_ENTRY_LIMIT } from './append-log.js';
export { formatLog, formattedBytes } from './format-log.js';
export { logLine } from './log-line.js';
export { logRolling } from './log-rolling.js';
