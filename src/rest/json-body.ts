/** A body that is no JSON value. */
export class MalformedJsonError extends Error {}

/** Bytes to text: UTF-8, or UTF-16 where the zeros among the first two bytes (or a byte order mark) give it away, as Jackson tells them. */
function decodeJson(body: Buffer): string {
  const [first, second] = body;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return body.toString('utf16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return Buffer.from(body.subarray(0, body.length & ~1)).swap16().toString('utf16le');
  return body.toString('utf8');
}

/**
 * Reads the first JSON value of a body. As with Jackson, a byte order mark before it and anything after it is passed over.
 */
export function parseJsonBody(body: Buffer): unknown {
  const text = decodeJson(body).replace(/^\ufeff/, '');
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
