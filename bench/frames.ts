/** Where a function is, as V8's profilers say it. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** A function in the tree of those that called it; `weight` is what it took itself: µs, or bytes. */
export interface Frame {
  readonly name: string;
  /** The part of the program that it belongs to. */
  readonly group: string;
  weight: number;
  readonly children: Map<string, Frame>;
}

/** A group of our own files: the folder below src, and the file where a folder holds many things. */
function groupOfOurs(file: string): string {
  const [folder, next = ''] = file.split('/');
  if (folder !== 'rest') return folder!;
  return next.endsWith('.js') ? `rest/${next.slice(0, -'.js'.length)}` : `rest/${next}`;
}

function groupOfFile(file: string): string | null {
  const dist = file.lastIndexOf('dist/');
  const modules = file.lastIndexOf('node_modules/');
  if (modules > dist) {
    const [scope, name] = file.slice(modules + 'node_modules/'.length).split('/');
    return `package ${scope!.startsWith('@') ? `${scope}/${name}` : scope}`;
  }
  return dist < 0 ? null : groupOfOurs(file.slice(dist + 'dist/'.length));
}

const SYSTEM_CALLS = /^(?:writev|writeLatin1String|writeUtf8String|writeBuffer|writeAsciiString|readStart|epoll|shutdown|accept)$/;

/** To which part of a program a function belongs. */
export function groupOf({ functionName, url }: CallFrame): string {
  if (functionName === '(garbage collector)') return 'garbage collector';
  if (functionName === '(idle)') return 'idle';
  if (functionName.startsWith('(')) return 'V8 and system';
  if (url === '') return SYSTEM_CALLS.test(functionName) ? 'sockets' : 'V8 and system';
  if (url.startsWith('node:')) return 'Node';
  return groupOfFile(url) ?? 'others';
}

export function newFrame(name: string, group: string): Frame {
  return { name, group, weight: 0, children: new Map() };
}

/** The frame of a function below another, made if it is not there. */
export function childOf(parent: Frame, callFrame: CallFrame): Frame {
  const group = groupOf(callFrame);
  const name = callFrame.functionName === '' ? '(anonymous)' : callFrame.functionName;
  const key = `${group} ${name}`;
  let child = parent.children.get(key);
  if (!child) parent.children.set(key, (child = newFrame(name, group)));
  return child;
}

export function total(frame: Frame): number {
  return [...frame.children.values()].reduce((sum, child) => sum + total(child), frame.weight);
}

export function scale(frame: Frame, factor: number): void {
  frame.weight *= factor;
  for (const child of frame.children.values()) scale(child, factor);
}

/** What each group took itself, the greatest first. */
export function byGroup(root: Frame): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (frame: Frame): void => {
    if (frame.weight > 0) sums.set(frame.group, (sums.get(frame.group) ?? 0) + frame.weight);
    for (const child of frame.children.values()) add(child);
  };
  add(root);
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}
