import { h, replace, type Child } from './dom.js';

/** A table whose rows are kept by key, so that what is chosen or focused in it stays. */
export interface KeyedTable {
  readonly element: HTMLElement;
  show(rows: readonly { readonly key: string; readonly cells: readonly Child[]; readonly tone?: string }[]): void;
}

export interface Column {
  readonly name: string;
  readonly left?: boolean;
  readonly wide?: boolean;
}

export function keyedTable(label: string, columns: readonly Column[], nothing: string): KeyedTable {
  const body = h('tbody', {});
  const note = h('p', { class: 'note' }, nothing);
  const classOf = ({ left, wide }: Column): string => [left ? 'left' : '', wide ? 'wide' : ''].join(' ').trim();
  const table = h('table', {}, h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col', class: classOf(column) }, column.name)))), body);
  const element = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, table, note);
  const known = new Map<string, { readonly row: HTMLTableRowElement; readonly text: string[] }>();
  return {
    element,
    show(rows) {
      note.hidden = rows.length > 0;
      table.hidden = rows.length === 0;
      const keys = new Set(rows.map(({ key }) => key));
      for (const [key, { row }] of known) {
        if (keys.has(key)) continue;
        row.remove();
        known.delete(key);
      }
      rows.forEach(({ key, cells, tone = '' }, index) => {
        let entry = known.get(key);
        if (!entry) {
          entry = { row: h('tr', {}, columns.map((column) => h('td', { class: classOf(column) }))), text: [] };
          known.set(key, entry);
        }
        if (entry.row.className !== tone) entry.row.className = tone;
        cells.forEach((cell, column) => {
          // Buttons are made once; texts are set where they are others.
          const text = cell instanceof HTMLElement && cell.matches('button, .buttons') ? '\u0000' : cell instanceof Element ? cell.outerHTML + ((cell as HTMLElement).title ?? '') : String(cell);
          if (entry.text[column] === text) return;
          entry.text[column] = text;
          replace(entry.row.children[column]!, cell);
        });
        if (body.children[index] !== entry.row) body.insertBefore(entry.row, body.children[index] ?? null);
      });
    },
  };
}
