/** Indices that a selection such as `0`, `2-4` names, ascending, each once; what is no number or range names none (Flink logs it). */
export function selectedSubtasks(selection: readonly string[], parallelism: number): number[] {
  const indices = new Set<number>();
  for (const part of selection) {
    const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    if (!match) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? first), parallelism - 1);
    for (let index = first; index <= last; index++) indices.add(index);
  }
  return [...indices].sort((a, b) => a - b);
}
