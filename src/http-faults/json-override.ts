interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Replaces the values at a JSON pointer (RFC 6901; `*` = every key or index) in a JSON text. All else stays as it was written: numbers keep
 * their digits. A pointer that leads nowhere changes nothing; a new key of an object that is there is added.
 */
export function overrideJson(text: string, pointer: string, json: string): string {
  const parts = pointer === '' ? [] : pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const edits: { readonly span: Span; readonly text: string }[] = [];
  walk(text, skipBlank(text, 0), parts, json, edits);
  let result = text;
  for (const { span, text: inserted } of edits.toSorted((a, b) => b.span.from - a.span.from)) result = result.slice(0, span.from) + inserted + result.slice(span.to);
  return result;
}

/** Goes through the value that begins at `at`; gives the index behind it. */
function walk(text: string, at: number, parts: readonly string[], json: string, edits: { span: Span; text: string }[]): number {
  if (parts.length === 0) {
    const to = valueEnd(text, at);
    edits.push({ span: { from: at, to }, text: json });
    return to;
  }
  const [part, ...rest] = parts as [string, ...string[]];
  const open = text[at];
  if (open !== '{' && open !== '[') return valueEnd(text, at);
  const close = open === '{' ? '}' : ']';
  let found = false;
  let index = 0;
  let i = skipBlank(text, at + 1);
  while (i < text.length && text[i] !== close) {
    let key = String(index++);
    if (open === '{') {
      const keyEnd = valueEnd(text, i);
      key = JSON.parse(text.slice(i, keyEnd)) as string;
      i = skipBlank(text, skipBlank(text, keyEnd) + 1);
    }
    if (part === '*' || part === key) {
      found = true;
      i = walk(text, i, rest, json, edits);
    } else i = valueEnd(text, i);
    i = skipBlank(text, i);
    if (text[i] === ',') i = skipBlank(text, i + 1);
  }
  const adds = open === '{' ? !found && part !== '*' : part === '-';
  if (adds && rest.length === 0) edits.push({ span: { from: i, to: i }, text: `${index === 0 ? '' : ','}${open === '{' ? `${JSON.stringify(part)}:` : ''}${json}` });
  return i + 1;
}

function skipBlank(text: string, at: number): number {
  let i = at;
  while (i < text.length && /\s/.test(text[i]!)) i++;
  return i;
}

/** Index behind the value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '{' && first !== '[') {
    let i = at;
    while (i < text.length && !/[,\]}\s]/.test(text[i]!)) i++;
    return i;
  }
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const char = text[i];
    if (char === '"') i = stringEnd(text, i) - 1;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return i + 1;
  }
  return text.length;
}

function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}
