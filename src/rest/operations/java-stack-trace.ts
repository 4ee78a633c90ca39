/** A Throwable as a printed stack trace tells it. */
export interface JavaThrowable {
  readonly className: string;
  readonly message: string | null;
  /** As printed, without `\tat `. */
  readonly frames: readonly string[];
  readonly cause: JavaThrowable | null;
}

const FRAME = /^\tat (.+)$/;
const MORE = /^\t\.\.\. (\d+) more$/;
const CAUSE = /^Caused by: (.*)$/s;
const CLASS_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

interface Section {
  head: string;
  frames: string[];
  /** Frames that it has in common with the section before it. */
  more: number;
}

/**
 * Reads what Throwable.printStackTrace wrote: message lines may go over several lines, `... n more` stands for the last n frames of the
 * enclosing trace. Suppressed exceptions are not looked for.
 */
export function parseStackTrace(text: string): JavaThrowable {
  const sections: Section[] = [];
  for (const line of text.replace(/\n+$/, '').split('\n')) {
    const current = sections.at(-1);
    const frame = FRAME.exec(line);
    const more = MORE.exec(line);
    const cause = CAUSE.exec(line);
    if (!current) sections.push({ head: line, frames: [], more: 0 });
    else if (frame) current.frames.push(frame[1]!);
    else if (more) current.more = Number(more[1]);
    else if (cause) sections.push({ head: cause[1]!, frames: [], more: 0 });
    else if (current.frames.length === 0) current.head += `\n${line}`;
  }
  let enclosing: readonly string[] = [];
  const full = sections.map(({ head, frames, more }) => {
    enclosing = more > 0 ? [...frames, ...enclosing.slice(Math.max(0, enclosing.length - more))] : frames;
    const colon = head.indexOf(': ');
    const className = colon < 0 ? head : head.slice(0, colon);
    return CLASS_NAME.test(className)
      ? { className, message: colon < 0 ? null : head.slice(colon + 2), frames: enclosing }
      : { className: 'java.lang.Exception', message: head, frames: enclosing };
  });
  return full.reduceRight<JavaThrowable | null>((cause, part) => ({ ...part, cause }), null)!;
}

/** What Throwable.toString gives. */
export function throwableHead({ className, message }: JavaThrowable): string {
  return message === null ? className : `${className}: ${message}`;
}

/** What Throwable.printStackTrace writes. */
export function printStackTrace(throwable: JavaThrowable): string {
  let text = '';
  let prefix = '';
  let enclosing: readonly string[] | null = null;
  for (let part: JavaThrowable | null = throwable; part; part = part.cause) {
    let common = 0;
    if (enclosing) {
      while (common < part.frames.length && common < enclosing.length && part.frames.at(-1 - common) === enclosing.at(-1 - common)) common++;
    }
    text += `${prefix}${throwableHead(part)}\n`;
    for (const frame of part.frames.slice(0, part.frames.length - common)) text += `\tat ${frame}\n`;
    if (common > 0) text += `\t... ${common} more\n`;
    enclosing = part.frames;
    prefix = 'Caused by: ';
  }
  return text;
}
