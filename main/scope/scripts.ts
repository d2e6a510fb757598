import type { CheckOf } from '#shared/check/check.ts';
import type { ScriptSource } from '#shared/run/script.ts';
import { requiredSnippets, type Snippet } from '#shared/snippet/snippet.ts';

type ScriptMembers = Pick<
  CheckOf<'API'>,
  'setupSnippetId' | 'tearDownSnippetId' | 'localSetupScript' | 'localTearDownScript'
>;

/** How snippets are found. */
export interface SnippetShelf {
  get(id: string): Snippet | undefined;
  all(): readonly Snippet[];
}

/** The setup scripts of a check, in the order in which they run. */
export function setupOf(check: ScriptMembers, snippets: SnippetShelf): ScriptSource[] {
  return chosen('setup script', check.localSetupScript, check.setupSnippetId, snippets);
}

/** The teardown scripts of a check, in the order in which they run. */
export function teardownOf(check: ScriptMembers, snippets: SnippetShelf): ScriptSource[] {
  return chosen('teardown script', check.localTearDownScript, check.tearDownSnippetId, snippets);
}

/** The script written in the check itself wins over a snippet that it names (docs/guide/snippets.md). */
function chosen(
  name: string,
  code: string | null,
  snippetId: number | null,
  snippets: SnippetShelf,
): ScriptSource[] {
  if (code !== null && code.trim() !== '') return [{ name, code }];
  if (snippetId === null) return [];
  const snippet = snippets.get(String(snippetId));
  return [snippet ? { name: `snippet ${snippet.name}`, code: snippet.script } : gone(snippetId)];
}

/**
 * The API lets no snippet go that a check uses, but a person can edit the files: then the run says
 * so, as its script would, instead of sending a request that was not prepared.
 */
function gone(snippetId: number): ScriptSource {
  const code = `throw new Error(${JSON.stringify(`There is no snippet ${snippetId}`)})`;
  return { name: `snippet ${snippetId}`, code };
}

/**
 * The code of every snippet that the scripts may require, by name: those whose names they write out,
 * and those that these write out in turn. All of them would be too much to hand to every run.
 */
export function snippetsFor(
  scripts: readonly ScriptSource[],
  snippets: SnippetShelf,
): Record<string, string> {
  const found = new Map<string, string>();
  const toRead = scripts.map(({ code }) => code);
  for (let code = toRead.pop(); code !== undefined; code = toRead.pop()) {
    const names = new Set(requiredSnippets(code));
    const fresh = names.size === 0 ? [] : snippets.all().filter(({ name }) => names.has(name));
    for (const { name, script } of fresh) {
      if (found.has(name)) continue;
      found.set(name, script);
      toRead.push(script);
    }
  }
  return Object.fromEntries(found);
}
