const SVG = 'http://www.w3.org/2000/svg';

export type Child = Node | string | number | null | undefined | false | readonly Child[];
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | ((event: never) => void)>>;

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child as readonly Child[]);
    else parent.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element. Attributes whose name begins with `on` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** Sets a text, where it is another one. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function setClass(node: Element, name: string): void {
  if (node.getAttribute('class') !== name) node.setAttribute('class', name);
}

export function setAttributes(node: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

export function byId(id: string): HTMLElement {
  return document.getElementById(id)!;
}

/** Options of a select, rebuilt where they are others; the choice stays where it can. */
export function setOptions(select: HTMLSelectElement, options: readonly (readonly [value: string, text: string])[]): void {
  const key = JSON.stringify(options);
  if (select.dataset['options'] === key) return;
  const { value } = select;
  select.dataset['options'] = key;
  replace(select, options.map(([each, text]) => h('option', { value: each }, text)));
  if (options.some(([each]) => each === value)) select.value = value;
}

/** A bar of shares, 0 … 1 each; lengths are set through the object model, as the policy allows no inline styles. */
export function shareBar(parts: readonly (readonly [name: string, share: number])[], title: string): HTMLElement {
  const bar = h('span', { class: 'meter', title });
  for (const [name, share] of parts) {
    const part = h('span', { class: `part-${name}` });
    part.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
    bar.append(part);
  }
  return bar;
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
