import { total, type Frame } from './frames.js';

const WIDTH = 1200;
const ROW = 17;
/** Narrower boxes are left out, px. */
const NARROWEST = 1.5;
const LETTER = 6.4;

const COLOURS: readonly [RegExp, string][] = [
  [/^garbage/, '#c9c9c9'],
  [/^sockets/, '#d9d2c0'],
  [/^(?:V8|others|all)/, '#e4e4e4'],
  [/^Node/, '#b9d7b0'],
  [/^package/, '#a9c9e8'],
  [/^simulation/, '#f4c27a'],
  [/./, '#f0997d'],
];

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A flame graph that needs no script: who was called by whom from top to bottom, the width is the time, a tool tip says both. */
export function flameGraph(root: Frame, title: string, unitsEach: number, unit: string): string {
  const boxes: string[] = [];
  const scale = WIDTH / total(root);
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const whole = total(frame);
    const width = whole * scale;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    const y = 24 + depth * ROW;
    const [, colour] = COLOURS.find(([pattern]) => pattern.test(frame.group))!;
    const letters = Math.floor((width - 4) / LETTER);
    const text = frame.name.length > letters ? `${frame.name.slice(0, Math.max(0, letters - 1))}…` : frame.name;
    boxes.push(
      `<g><title>${escaped(`${frame.name} (${frame.group}): ${((whole / total(root)) * 100).toFixed(1)} %, ${(whole / unitsEach).toFixed(2)} ${unit}`)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colour}"/>${letters >= 3 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>` : ''}</g>`,
    );
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => total(b) - total(a))) {
      draw(child, left, depth + 1);
      left += total(child) * scale;
    }
  };
  draw(root, 0, 0);
  const height = 24 + (deepest + 1) * ROW + 4;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="monospace" font-size="10.5"><rect width="100%" height="100%" fill="#fff"/><text x="4" y="15" font-size="13">${escaped(title)}</text>\n${boxes.join('\n')}\n</svg>\n`;
}
