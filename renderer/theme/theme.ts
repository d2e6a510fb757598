/** How the interface is coloured: as the system is, or always light or dark. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = 'watchpost-theme';

/** What this browser was told. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED_AS);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, theme);
  applyTheme();
}

/** Called before anything is drawn. */
export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
