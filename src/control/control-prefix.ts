/** Where our own API is: a path that Flink never uses. */
export const CONTROL_PREFIX = '/_mock';
