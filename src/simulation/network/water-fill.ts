/**
 * Shares `total` out among the listed elements: each gets in proportion to its weight, none more than its demand, what one does not need
 * goes to the others. `given` holds what each has already and is raised; answers what nobody wanted.
 */
export function waterFill(list: Int32Array, from: number, to: number, total: number, demand: Float64Array, weight: Float64Array, given: Float64Array): number {
  for (;;) {
    let weights = 0;
    for (let i = from; i < to; i++) {
      const c = list[i];
      if (given[c] < demand[c]) weights += weight[c];
    }
    if (weights <= 0 || total <= 0) return Math.max(0, total);
    const level = total / weights;
    let satisfied = false;
    for (let i = from; i < to; i++) {
      const c = list[i];
      const missing = demand[c] - given[c];
      if (missing > 0 && missing <= level * weight[c]) {
        given[c] = demand[c];
        total -= missing;
        satisfied = true;
      }
    }
    if (satisfied) continue;
    for (let i = from; i < to; i++) {
      const c = list[i];
      if (given[c] < demand[c]) given[c] += level * weight[c];
    }
    return 0;
  }
}
