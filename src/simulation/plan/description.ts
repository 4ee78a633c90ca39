import type { JobVertexModel } from '../model/job-model.js';
import { chainTree, type ChainNode } from './chain-tree.js';

/** A vertex's description as the tree of its chain: a line an operator, each below the one that feeds it. Unescaped. */
export function treeDescription(vertex: JobVertexModel): string {
  if (vertex.description !== null) return vertex.description.endsWith('\n') ? vertex.description : `${vertex.description}\n`;
  const lines: string[] = [];
  const append = (node: ChainNode, prefix: string, branch: string, below: string): void => {
    lines.push(prefix + branch + node.name);
    node.outputs.forEach((output, i) => {
      const last = i === node.outputs.length - 1;
      append(output, prefix + below, last ? '+- ' : ':- ', last ? '   ' : ':  ');
    });
  };
  append(chainTree(vertex), '', '', '');
  return lines.join('\n') + '\n';
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '<br/>', '\\': '&#92;' };

/** Text as a plan's JSON carries it, ready for a web page: HTML entities, line ends as `<br/>`. */
export function escapeDescription(text: string): string {
  return text.replace(/[&<>"\n\\\u00a0-\u00ff]/g, (character) => ENTITIES[character] ?? latin1Entity(character));
}

/** Entities of ISO 8859-1 from U+00A0 on, in order. */
const LATIN1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

function latin1Entity(character: string): string {
  return `&${LATIN1[character.charCodeAt(0) - 0xa0]};`;
}
