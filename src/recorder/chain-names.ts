/** Parts of a text at a separator that is in no brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith(separator, i)) {
      parts.push(text.slice(from, i));
      from = i + separator.length;
      i = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Names of the operators of a chain, head first, from the name of its vertex: `A -> (B -> C, D)`. */
export function chainNames(vertexName: string): string[] {
  return splitOutside(vertexName, ' -> ').flatMap((part) => {
    const branches = /^\((.*)\)$/s.exec(part.trim());
    return branches ? splitOutside(branches[1]!, ', ').flatMap(chainNames) : [part];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#92': '\\' };

/** A plan's description as text. */
export function plainDescription(html: string): string {
  return html
    .replace(/<br\/?>/g, '\n')
    .replace(/&(amp|lt|gt|quot|#92);/g, (_, name: string) => ENTITIES[name]!)
    .trimEnd();
}

/** True when the description says no more than the names do: `A -> B`, or a tree with an operator a line. */
export function isPlainChain(description: string, names: readonly string[]): boolean {
  const lines = description.split('\n').map((line) => line.replace(/^[\s:]*[+:]- /, ''));
  const told = lines.length === 1 ? chainNames(lines[0]!) : lines;
  return told.join('\n') === names.join('\n');
}
