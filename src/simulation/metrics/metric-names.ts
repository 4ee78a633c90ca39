const LONGEST_OPERATOR_NAME = 80;

/** As Flink's metric query service writes names: space, point, colon and comma become an underscore. */
export function sanitize(name: string): string {
  return name.replace(/[ .:,]/g, '_');
}

/** An operator's name in metric names; Flink cuts long ones. */
export function operatorMetricName(name: string): string {
  return sanitize(name.slice(0, LONGEST_OPERATOR_NAME));
}
