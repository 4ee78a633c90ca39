const TIMEOUT_MS = 10_000;

/** GET of one of Flink's own paths (without a slash in front: the page may live below a proxy's path); null when there is no good answer. */
export async function get(path) {
  const response = await fetch(`./${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: 'application/json' } }).catch(() => null);
  if (response === null) throw new Error('no connection');
  if (!response.ok) return null;
  return response.json().catch(() => null);
}

/** The same for a log file; null when the version or the cluster has none. */
export async function getText(path) {
  const response = await fetch(`./${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  return response !== null && response.ok ? response.text() : null;
}

/** Runs so many at a time. */
export async function eachOf(items, limit, action) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await action(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
