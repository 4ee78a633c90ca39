const SVG = 'http://www.w3.org/2000/svg';

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** An HTML element. */
export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/** Puts new content into an element; what had the focus (by data-key) has it again, what was scrolled stays so. */
export function render(container, ...children) {
  const focused = document.activeElement?.closest?.('[data-key]')?.dataset.key;
  const scrolled = new Map([...container.querySelectorAll('[data-scroll]')].map((element) => [element.dataset.scroll, [element.scrollLeft, element.scrollTop]]));
  container.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  for (const element of container.querySelectorAll('[data-scroll]')) {
    const position = scrolled.get(element.dataset.scroll);
    if (position) [element.scrollLeft, element.scrollTop] = position;
  }
  if (focused !== undefined) container.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}
