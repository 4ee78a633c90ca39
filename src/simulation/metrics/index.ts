/** Names and values of every scope's metrics. */
export type { SplitReading } from './split-readings.js';
export { enumerateMetrics, isDeployed, type MetricScope, type ReportedMetric, type ScopeMetrics } from './enumerate.js';
export { fileMergingMetrics, fileMergingView } from './file-merging-values.js';
export { Histogram } from './histogram.js';
export { javaText, type MetricValue } from './java-text.js';
export { coordinatorMetrics, jobMetrics, type JobView } from './job-values.js';
export { readJvmMeters } from './jvm-meters.js';
export { restNames, restReading, restValue, type Metric, type MetricName, type RestReading } from './metric.js';
export { copyMeterWindows } from './meter-view.js';
export { jobManagerMetrics, registeredTaskManagers, taskManagerMetrics, taskManagerViews } from './process-values.js';
export { hasUniformNames, numberReader, subtaskNames, subtaskValue } from './task-names.js';
export { vertexView, type VertexView } from './vertex-view.js';
