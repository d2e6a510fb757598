import type { CheckOf } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { MAX_SNIPPETS_CHARS, type ScriptSource } from '#shared/sandbox/script.ts';
import { requiredSnippets, type Snippet } from '#shared/variables/snippet.ts';

type ApiCheck = CheckOf<'API'>;
/** A check or a group with its scripts. */
type Owner = Pick<
  ApiCheck,
  'setupSnippetId' | 'tearDownSnippetId' | 'localSetupScript' | 'localTearDownScript'
>;

/** How snippets are found. */
export interface SnippetShelf {
  get(id: string): Snippet | undefined;
  /** Another list after each change: one that was given stays as it is. */
  all(): readonly Snippet[];
}

/** The setup scripts of a run in their order: the group's goes before the check's. */
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

/** The script that is the run, and the files beside it. */
export function ownScriptsOf({
  script,
  dependencies,
}: CheckOf<'BROWSER' | 'MULTI_STEP'>): ScriptSource[] {
  const files = dependencies?.map(({ path, content }) => ({ name: path, code: content })) ?? [];
  return [{ name: 'script', code: script ?? '' }, ...files];
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
  const required = scripts.map(({ code }) => requiredSnippets(code));
  const shelf = named(snippets.all());
  let chars = 0;
  for (let names = required.pop(); names !== undefined; names = required.pop()) {
    for (const name of names) {
      const snippet = shelf.get(name);
      // With one snippet beyond the bound, the runner refuses to run the scripts.
      if (!snippet || found.has(name) || chars > MAX_SNIPPETS_CHARS) continue;
      chars += snippet.script.length;
      found.set(name, snippet.script);
      required.push(requiredBy(snippet));
    }
  }
  return Object.fromEntries(found);
}

/** Snippets by name, made once for each state of their collection. */
const named = rememberedFor((snippets: readonly Snippet[]) => {
  // Of two snippets with one name, which only an edited file can hold, the first counts.
  return new Map(snippets.toReversed().map((one) => [one.name, one]));
});

/** A snippet is never changed in place, so each is read once, and not by every run. */
const requiredBy = rememberedFor(({ script }: Snippet) => requiredSnippets(script));

/** A function that works out its answer once for each object, for as long as that is in use. */
function rememberedFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
