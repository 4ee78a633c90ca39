const KEY = 'mock-flink-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

function current(): 'light' | 'dark' {
  const chosen = localStorage.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

/** Light or dark, as the system has it until somebody chooses. */
export function startTheme(): void {
  apply();
  dark.addEventListener('change', apply);
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark');
  apply();
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

/** The value of a colour of the theme, for canvases. */
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
