import { projectPath } from './project-path.ts';

/** A file of a check, as the check has it. */
export interface CheckFile {
  path: string;
  content: string;
}

/** What a check with a script consists of. */
export interface ScriptedCheck {
  script?: string | null | undefined;
  scriptPath?: string | null | undefined;
  dependencies?: readonly CheckFile[] | null | undefined;
}

export interface ScriptFiles {
  /** The script's own path. */
  script: string;
  /** Whether it imports no test runner, and is one test as a whole. */
  isPlain: boolean;
  /** The texts of all files by their paths, which lie in the folder of the run. */
  texts: Map<string, string>;
}

const RUNNER = '@playwright/test';

/**
 * The files of a run by their paths. They keep to {@link filePathProblems}, or the run is to be refused.
 *
 * @param snippets by name, for `require('./snippets/<name>.js')`
 */
export function scriptFiles(
  { script, scriptPath, dependencies }: ScriptedCheck,
  snippets: Readonly<Record<string, string>>,
): ScriptFiles {
  const code = script ?? '';
  const others = dependencies ?? [];
  const isPlain = ![code, ...others.map(({ content }) => content)].some((it) =>
    it.includes(RUNNER),
  );
  const texts = new Map(others.map(({ path, content }) => [inFolder(path), content]));
  for (const [name, text] of Object.entries(snippets)) addSnippet(texts, name, text);
  const path = inFolder(scriptPath ?? freeName(isPlain ? 'check.js' : 'check.spec.ts', texts));
  return { script: path, isPlain, texts: texts.set(path, code) };
}

/** A file of the check with the same path wins. */
function addSnippet(texts: Map<string, string>, name: string, text: string): void {
  const { path } = projectPath(`snippets/${name}.js`);
  if (path !== undefined && !texts.has('snippets') && !texts.has(path)) texts.set(path, text);
}

const inFolder = (path: string): string => projectPath(path).path ?? path;

function freeName(name: string, texts: ReadonlyMap<string, string>): string {
  return texts.has(name) ? freeName(`own-${name}`, texts) : name;
}

export interface PathProblem {
  /** The member of the check that holds the path. */
  path: (string | number)[];
  message: string;
}

/** What a script may be called: Node tells by the end of a name how to load it. */
const EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** What is wrong with the paths of a check's files, alone and together. */
export function filePathProblems(check: Readonly<Record<string, unknown>>): PathProblem[] {
  const { scriptPath, dependencies } = check;
  const taken = new Map<string, string>();
  const problems: PathProblem[] = [];
  const look = (text: unknown, path: (string | number)[], isScript: boolean) => {
    if (typeof text !== 'string') return;
    const message = problemOf(text, taken, isScript);
    if (message === null) taken.set(projectPath(text).path ?? text, path.join('.'));
    else problems.push({ path, message });
  };
  look(scriptPath, ['scriptPath'], true);
  if (Array.isArray(dependencies)) {
    for (const [index, dependency] of dependencies.entries()) {
      look(dependency?.path, ['dependencies', index, 'path'], false);
    }
  }
  return problems;
}

/** Folders of the run that are not the script's. */
const RESERVED = ['node_modules', '.watchpost'];

function problemOf(
  text: string,
  taken: ReadonlyMap<string, string>,
  isScript: boolean,
): string | null {
  const { path, problem } = projectPath(text);
  if (problem !== undefined) return problem;
  const reserved = RESERVED.find((name) =>
    path.split('/').some((one) => one.toLowerCase() === name),
  );
  if (reserved) return `expected a path without ${reserved} in it`;
  if (isScript && !EXTENSION.test(path)) return 'expected a name that ends in .js or .ts';
  for (const [other, member] of taken) {
    if (other === path) return `expected a path that ${member} does not have already`;
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) {
      return `expected a path that is no folder of ${member}, nor within it`;
    }
  }
  return null;
}
