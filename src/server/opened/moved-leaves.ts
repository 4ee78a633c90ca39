/**
 * A simulated state moved to another start and another port is the same state, but for some of its numbers and texts. Which ones is found by
 * comparing two runs, so that nothing has to be known about the state: the numbers of leaves, in the order of a walk through it.
 */
export interface MovedLeaves {
  /** Instants, epoch ms. */
  readonly instants: Uint32Array;
  /** Texts with instants in them (`Triggering checkpoint 1 @ 1586386859550 …`). */
  readonly instantTexts: Uint32Array;
  readonly ports: Uint32Array;
  readonly portTexts: Uint32Array;
}

/** What two runs, or a run and its copy, differ in. */
export interface Move {
  /** Later start, ms. */
  readonly byMs: number;
  readonly fromPort: number;
  readonly toPort: number;
}

interface Leaf {
  readonly holder: unknown;
  readonly key: number | string;
  readonly value: number | string;
}

/** An epoch instant between 2004 and 2039 within a text. In that range the distance of neighbouring doubles is the same, so that moving is exact. */
const INSTANT = /\b1\d{12}\b/g;
export const DAY_MS = 86_400_000;
export const EXACT_FROM_MS = 2 ** 40;
export const EXACT_UNTIL_MS = 2 ** 41;

/** Every number and text below `root`, each object once, in an order that depends on its shape alone. */
function* leavesOf(root: unknown): Generator<Leaf> {
  const seen = new Set<object>();
  const open: object[] = [root as object];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (seen.has(holder)) continue;
    seen.add(holder);
    const entries: Iterable<[number | string, unknown]> = holder instanceof Map ? (holder as Map<string, unknown>) : ArrayBuffer.isView(holder) || Array.isArray(holder) ? (holder as unknown[]).entries() : Object.entries(holder);
    for (const [key, value] of entries) {
      if (typeof value === 'number' || typeof value === 'string') yield { holder, key, value };
      else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
}

function put({ holder, key }: Leaf, value: number | string): void {
  if (holder instanceof Map) holder.set(key, value);
  else (holder as Record<number | string, unknown>)[key] = value;
}

const movedText = (text: string, byMs: number): string => text.replace(INSTANT, (digits) => String(Number(digits) + byMs));
const portPattern = (port: number): RegExp => new RegExp(`(?<!\\d)${port}(?!\\d)`, 'g');

/** Which leaves make `there` of `here`, a run of the same model with another start and port. Throws where they differ in anything else. */
export function findMovedLeaves(here: unknown, there: unknown, { byMs, fromPort, toPort }: Move): MovedLeaves {
  const found = { instants: [] as number[], instantTexts: [] as number[], ports: [] as number[], portTexts: [] as number[] };
  const others = leavesOf(there);
  let number = -1;
  for (const { key, value } of leavesOf(here)) {
    number++;
    const next = others.next();
    const other = next.done ? undefined : next.value;
    if (other === undefined || other.key !== key || typeof other.value !== typeof value) throw new Error(`the runs differ in shape at ${key}`);
    if (Object.is(value, other.value)) continue;
    if (typeof value === 'number') {
      if (other.value === value + byMs) found.instants.push(number);
      else if (value === fromPort && other.value === toPort) found.ports.push(number);
      else throw new Error(`the runs differ in ${key}: ${value} and ${other.value}`);
    } else {
      const later = movedText(value, byMs);
      if (later !== value) found.instantTexts.push(number);
      if (later !== other.value) found.portTexts.push(number);
      if (later.replace(portPattern(fromPort), String(toPort)) !== other.value) throw new Error(`the runs differ in ${key}: ${value} and ${other.value}`);
    }
  }
  if (!others.next().done) throw new Error('the runs differ in shape');
  return { instants: Uint32Array.from(found.instants), instantTexts: Uint32Array.from(found.instantTexts), ports: Uint32Array.from(found.ports), portTexts: Uint32Array.from(found.portTexts) };
}

/** Moves a state in place. */
export function moveLeaves(root: unknown, moved: MovedLeaves, { byMs, fromPort, toPort }: Move): void {
  const next = { instants: 0, instantTexts: 0, ports: 0, portTexts: 0 };
  const isNext = (kind: keyof MovedLeaves, number: number): boolean => moved[kind][next[kind]] === number && ++next[kind] > 0;
  let number = -1;
  // Values are replaced, never added or removed, so that the walk goes on undisturbed.
  for (const leaf of leavesOf(root)) {
    number++;
    if (typeof leaf.value === 'number') {
      if (isNext('instants', number)) put(leaf, leaf.value + byMs);
      else if (isNext('ports', number)) put(leaf, toPort);
      continue;
    }
    let text = leaf.value;
    if (isNext('instantTexts', number)) text = movedText(text, byMs);
    if (isNext('portTexts', number)) text = text.replace(portPattern(fromPort), String(toPort));
    if (text !== leaf.value) put(leaf, text);
  }
}
