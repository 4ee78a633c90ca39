import { formatPath } from './scenario-error.js';
import type { YamlSource } from './yaml-source.js';

/** A value that came as JSON, with problems at its paths: there are no lines to point at. */
export function plainSource(value: unknown, name: string): YamlSource {
  const problemAt: YamlSource['problemAt'] = (path, message) => ({ file: name, line: null, column: null, path: formatPath(path), message });
  return { file: name, value, problemAt, problemAtKey: problemAt };
}
