import type { CheckOf } from '#shared/check/check.ts';
import type { Group } from '#shared/group/group.ts';
import { MAX_SNIPPETS_CHARS, type ScriptSource } from '#shared/run/script.ts';
import { requiredSnippets, type Snippet } from '#shared/snippet/snippet.ts';

type ApiCheck = CheckOf<'API'>;
/** Whose scripts run: those of a check, or of its group. */
type Owner = Pick<
  ApiCheck,
  'setupSnippetId' | 'tearDownSnippetId' | 'localSetupScript' | 'localTearDownScript'
>;

/** How snippets are found. */
export interface SnippetShelf {
  get(id: string): Snippet | undefined;
  all(): readonly Snippet[];
}

/** The setup scripts of a run in their order: the group's goes before the check's (contract 7.1). */
export function setupOf(
  check: ApiCheck,
  group: Group | undefined,
  snippets: SnippetShelf,
): ScriptSource[] {
  const setup = ({ localSetupScript: code, setupSnippetId: snippetId }: Owner) =>
    chosen('setup script', { code, snippetId }, snippets);
  return group ? [...ofGroup(setup(group)), ...setup(check)] : setup(check);
}

/** The teardown scripts of a run in their order: the group's goes after the check's. */
export function teardownOf(
  check: ApiCheck,
  group: Group | undefined,
  snippets: SnippetShelf,
): ScriptSource[] {
  const teardown = ({ localTearDownScript: code, tearDownSnippetId: snippetId }: Owner) =>
    chosen('teardown script', { code, snippetId }, snippets);
  return group ? [...teardown(check), ...ofGroup(teardown(group))] : teardown(check);
}

function ofGroup(scripts: readonly ScriptSource[]): ScriptSource[] {
  return scripts.map(({ name, code }) => ({ name: `group ${name}`, code }));
}

/** A script that is written out wins over a snippet that is named too (docs/guide/snippets.md). */
function chosen(
  name: string,
  { code, snippetId }: { code: string | null; snippetId: number | null },
  snippets: SnippetShelf,
): ScriptSource[] {
  if (code !== null && code.trim() !== '') return [{ name, code }];
  if (snippetId === null) return [];
  const snippet = snippets.get(String(snippetId));
  return [snippet ? { name: `snippet ${snippet.name}`, code: snippet.script } : gone(snippetId)];
}

/**
 * The API lets no snippet go that a check or group uses, but a person can edit the files: then the
 * run says so, as its script would, instead of sending a request that was not prepared.
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
  let chars = 0;
  for (let code = toRead.pop(); code !== undefined; code = toRead.pop()) {
    const names = new Set(requiredSnippets(code));
    const fresh = names.size === 0 ? [] : snippets.all().filter(({ name }) => names.has(name));
    for (const { name, script } of fresh) {
      // One beyond the bound tells the runner, which refuses to run them.
      if (found.has(name) || chars > MAX_SNIPPETS_CHARS) continue;
      chars += script.length;
      found.set(name, script);
      toRead.push(script);
    }
  }
  return Object.fromEntries(found);
}
