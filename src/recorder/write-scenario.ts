import { Document, isMap, isNode, isPair, isSeq, type Node } from 'yaml';
import type { NoteList, NotePath } from './notes.js';

function nodeToComment(document: Document, path: NotePath): Node | null {
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (last === undefined) return null;
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === String(last));
    return isPair(pair) && isNode(pair.key) ? (pair.key as Node) : null;
  }
  const item = isSeq(parent) ? parent.items[Number(last)] : null;
  return isNode(item) ? item : null;
}

const WIDTH = 150;

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** The draft as YAML, each note as a comment above what it is about. */
export function writeScenario(draft: Readonly<Record<string, unknown>>, notes: NoteList, head: readonly string[]): string {
  const document = new Document(draft, { aliasDuplicateObjects: false });
  for (const { path, text } of notes.entries) {
    const node = nodeToComment(document, path);
    if (!node) continue;
    const comment = wrap(text).join('\n');
    node.commentBefore = node.commentBefore ? `${node.commentBefore}\n${comment}` : comment;
  }
  document.commentBefore = head.flatMap(wrap).join('\n');
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true });
}
