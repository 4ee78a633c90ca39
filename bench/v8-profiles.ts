import { childOf, groupOf, newFrame, scale, total, type CallFrame, type Frame } from './frames.js';

export interface CpuProfile {
  /** µs of the monotonic clock. */
  readonly startTime: number;
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  /** µs since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** A span, µs of the monotonic clock. */
export type Span = readonly [from: number, to: number];

/**
 * A profile of V8's sampling profiler as a tree; what the thread waited is left out. The profiler looks at a clock of the wall, in which
 * other processes had their turn too: `cpuUs` is what the thread really took, and what the tree adds up to.
 */
export function cpuFrames({ startTime, nodes, samples, timeDeltas }: CpuProfile, cpuUs: number, spans: readonly Span[] | null = null): Frame {
  const root = newFrame('all', 'all');
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const frames = new Map<number, Frame | null>();
  const place = (id: number, parent: Frame): void => {
    for (const childId of byId.get(id)!.children ?? []) {
      const { callFrame } = byId.get(childId)!;
      const frame = groupOf(callFrame) === 'idle' ? null : childOf(parent, callFrame);
      frames.set(childId, frame);
      if (frame) place(childId, frame);
    }
  };
  frames.set(nodes[0]!.id, root);
  place(nodes[0]!.id, root);
  let now = startTime;
  samples.forEach((id, i) => {
    now += timeDeltas[i]!;
    const frame = frames.get(id);
    if (frame && (spans === null || spans.some(([from, to]) => now >= from && now <= to))) frame.weight += timeDeltas[i]!;
  });
  scale(root, cpuUs / total(root));
  return root;
}

interface HeapNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** A profile of V8's sampling heap profiler as a tree, in bytes. */
export function heapFrames(head: HeapNode): Frame {
  const root = newFrame('all', 'all');
  const place = ({ children }: HeapNode, parent: Frame): void => {
    for (const child of children) {
      const frame = childOf(parent, child.callFrame);
      frame.weight += child.selfSize;
      place(child, frame);
    }
  };
  place(head, root);
  return root;
}
