/** A body that is no JSON value. */
export class MalformedJsonError extends Error {}

/**
 * Reads the first JSON value of a body. As with Jackson, a byte order mark before it and anything after it is passed over.
 */
export function parseJsonBody(body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    try {
      return JSON.parse(text.slice(0, firstValueEnd(text))) as unknown;
    } catch {
      throw new MalformedJsonError('no JSON');
    }
  }
}

/** Index behind the first object, array, text or word. */
function firstValueEnd(text: string): number {
  let depth = 0;
  let inText = false;
  let started = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (inText) {
      if (char === '\\') i++;
      else if (char === '"') {
        inText = false;
        if (depth === 0) return i + 1;
      }
    } else if (char === '"') {
      if (started && depth === 0) return i;
      inText = started = true;
    } else if (char === '{' || char === '[') {
      if (started && depth === 0) return i;
      depth++;
      started = true;
    } else if (char === '}' || char === ']') {
      if (--depth <= 0) return i + 1;
    } else if (/\s/.test(char)) {
      if (started && depth === 0) return i;
    } else started = true;
  }
  return text.length;
}
