import type { ProfilingState } from '../../simulation/state/profiling-state.js';

/** A thread as a thread dump tells it. */
interface ThreadInfo {
  readonly threadName: string;
  readonly stringifiedThreadInfo: string;
}

interface Frame {
  samples: number;
  readonly children: Map<string, Frame>;
}

const ROW_HEIGHT = 16;
const MAX_DEPTH = 64;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Frames of a thread, outermost first. */
function stackOf({ stringifiedThreadInfo }: ThreadInfo): string[] {
  return [...stringifiedThreadInfo.matchAll(/^\tat (?:[\w.@]+\/+)?([^(\n]+)\(/gm)].map((match) => match[1]!).reverse().slice(0, MAX_DEPTH);
}

function merge(threads: readonly ThreadInfo[]): Frame {
  const root: Frame = { samples: 0, children: new Map() };
  for (const thread of threads) {
    root.samples++;
    let frame = root;
    for (const name of [thread.threadName.replace(/ \(\d+\/\d+\).*$/, ''), ...stackOf(thread)]) {
      let child = frame.children.get(name);
      if (!child) frame.children.set(name, (child = { samples: 0, children: new Map() }));
      child.samples++;
      frame = child;
    }
  }
  return root;
}

function boxes(frame: Frame, left: number, depth: number, total: number, into: string[]): void {
  let at = left;
  for (const [name, child] of frame.children) {
    const label = escaped(name);
    const style = `left:${((at / total) * 100).toFixed(3)}%;width:${((child.samples / total) * 100).toFixed(3)}%;top:${depth * ROW_HEIGHT}px`;
    into.push(`<div style="${style}" title="${label} (${child.samples})">${label}</div>`);
    boxes(child, at, depth + 1, total, into);
    at += child.samples;
  }
}

/** The result of a profiler run as a page of its own: the process's stacks at the end of the run, merged from the outermost frame down. */
export function profileHtml({ mode, durationMs }: ProfilingState, processName: string, threads: readonly ThreadInfo[]): string {
  const root = merge(threads);
  const drawn: string[] = [];
  boxes(root, 0, 0, Math.max(1, root.samples), drawn);
  const title = `${escaped(processName)} ${mode} ${durationMs / 1000}s`;
  const style = `body{font:12px sans-serif}#graph{position:relative;height:${(MAX_DEPTH + 1) * ROW_HEIGHT}px}#graph div{position:absolute;height:${ROW_HEIGHT - 1}px;overflow:hidden;white-space:nowrap;background:#f5b041;border-left:1px solid #fff;box-sizing:border-box}`;
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>\n<body><h1>${title}</h1><p>${root.samples} samples</p><div id="graph">\n${drawn.join('\n')}\n</div></body></html>\n`;
}
