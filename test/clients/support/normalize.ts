/** What differs between two runs of one cluster, by name: job ids, paths of savepoints, random numbers. */
export class JobNames {
  constructor(private readonly names: Readonly<Record<string, string>>) {}

  normalize(text: string): string {
    let result = text;
    for (const [id, name] of Object.entries(this.names)) result = result.replaceAll(id, name).replaceAll(`savepoint-${id.slice(0, 6)}`, 'savepoint-JOB');
    return result
      .replace(/(?:file:)?\/[^\s"'<>]*\/savepoints?\/savepoint-[0-9a-zA-Z]+-[0-9a-f]+/g, 'SAVEPOINT')
      .replace(/[^\s"'<>]*\/flink-[0-9a-f-]+\.bin/g, 'FILE')
      .replace(/^(Checkpoint(?:\(FULL\))?) \d+ for/gm, '$1 NUMBER for')
      .replace(/(triggerCheckpoint .* -> )\d+/g, '$1NUMBER')
      .replace(/\b[0-9a-f]{32}\b/g, 'ID');
  }
}
