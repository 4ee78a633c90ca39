// Runs before the page is drawn, so that a dark page does not flash white.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stored = () => {
    try {
      return localStorage.getItem('mock-flink-theme');
    } catch {
      return null;
    }
  };
  const apply = () => {
    root.dataset.theme = stored() ?? (dark.matches ? 'dark' : 'light');
    const button = document.getElementById('theme');
    if (button) button.textContent = root.dataset.theme === 'dark' ? '☀' : '☾';
  };
  apply();
  dark.addEventListener('change', apply);
  document.addEventListener('DOMContentLoaded', () => {
    apply();
    document.getElementById('theme').addEventListener('click', () => {
      try {
        localStorage.setItem('mock-flink-theme', root.dataset.theme === 'dark' ? 'light' : 'dark');
      } catch {
        // Without storage the system's choice stays.
      }
      apply();
    });
  });
})();
