const PREFIX = 'watchpost-draft:';

/**
 * What somebody typed and has not saved, by the name of its form. It stays with the tab, over reloads and other
 * screens: a form may hold passwords, which are not to lie in the browser for longer.
 */
export function readDraft<T>(name: string): T | undefined {
  const kept = sessionStorage.getItem(PREFIX + name);
  return kept === null ? undefined : (JSON.parse(kept) as T);
}

export function writeDraft(name: string, draft: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch (error) {
    // Longer than a browser keeps: it then lasts as long as the page does.
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

/** Nobody is signed in any more: what was typed is nobody else's business. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}
