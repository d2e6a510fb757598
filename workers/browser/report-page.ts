/**
 * Gives a page a storage of its own where it has none: in the sandbox in which reports are shown, to ask for the one
 * of their origin is an error, at which Playwright's report ends.
 */
const STORAGE = `<script>
for (const name of ['localStorage', 'sessionStorage']) {
  try { void window[name]; } catch {
    const items = new Map();
    const value = {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, item) => void items.set(String(key), String(item)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index) => [...items.keys()][index] ?? null,
      get length() { return items.size; },
    };
    Object.defineProperty(window, name, { value });
  }
}
</script>`;

const HEAD = '<head>';

/** The beginning of a page of a report, to which a storage was added before any script of its own. */
export function withStorage(beginning: Uint8Array): Uint8Array {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const at = bytes.indexOf(HEAD);
  if (at === -1) return beginning;
  const end = at + HEAD.length;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(STORAGE), bytes.subarray(end)]);
}
