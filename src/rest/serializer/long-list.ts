/** Work of a list, in rows of a subtask each, up to which it is made at once. */
const SHORT = 250;

/**
 * A list of an answer whose rows are made when they are written, some at a time and other work in between. What they are made of must not
 * change meanwhile, so that all are of one instant: copies that were taken once (ExecutionGraph, TaskMetricStore), never the simulated state.
 */
export class LongList<Row> {
  constructor(
    readonly groups: number,
    /** Any number of rows. */
    readonly rowsOf: (group: number) => readonly Row[],
    /** Work of a row, in rows of a subtask each. */
    readonly weight = 1,
  ) {}
}

/** A field of an answer that costs as much as its long list, and is made after it. */
export class Later<T> {
  constructor(readonly make: () => T) {}
}

/** All rows of some groups: a list, or one that is made as it is written where that is much work. */
export function rowGroups<Row>(groups: number, rowsOf: (group: number) => readonly Row[], work = groups): readonly Row[] | LongList<Row> {
  if (work > SHORT) return new LongList(groups, rowsOf);
  const rows: Row[] = [];
  for (let group = 0; group < groups; group++) rows.push(...rowsOf(group));
  return rows;
}

/** The same with a row for each index. */
export function rowList<Row>(length: number, rowOf: (index: number) => Row, work = length): readonly Row[] | LongList<Row> {
  return work > SHORT ? new LongList(length, (index) => [rowOf(index)], work / length) : Array.from({ length }, (_, index) => rowOf(index));
}

/** A field that goes with a list: made at once if that is short. */
export function withList<T>(list: readonly unknown[] | LongList<unknown>, make: () => T): T | Later<T> {
  return list instanceof LongList ? new Later(make) : make();
}
