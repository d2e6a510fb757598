import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import type { CodeEditor, CodeProblem } from './code-editor.ts';
import { CodeView } from './code-view.tsx';
import styles from './script-editor.module.css';
import { snippetsQuery, variablesQuery } from './script-queries.ts';
import type { ScriptKind, ScriptWorld } from './script-words.ts';

const words = text.scripts;

export interface ScriptEditorProps {
  /** What it is for: decides what is offered while one types, and how its syntax is read. */
  kind: ScriptKind;
  label: string;
  value: string;
  onChange(value: string): void;
  /** What helps to write it. */
  hint?: ReactNode;
  /** What the API says is wrong with it. */
  error?: ReactNode;
  /** Keys of variables that only this check, or its group, has. */
  variables?: readonly string[];
  /** The runtime whose libraries are offered; null: that of new checks. */
  runtimeId?: string | null;
  /** What a run said of it, marked at its lines until the text is another. */
  problems?: readonly CodeProblem[];
  /** Px. */
  minHeight?: number;
  maxHeight?: number;
}

/** A field for a script: with colours, words of what it can use, and syntax errors at their lines. */
export function ScriptEditor(props: ScriptEditorProps) {
  const { kind, label, value, hint, error, problems = NONE } = props;
  const editor = useRef<CodeEditor>(null);
  const complete = useWords(props);
  const syntax = useSyntax(kind, value, editor);
  const all = useMemo(() => [...syntax, ...problems], [syntax, problems]);
  const isSpec = kind === 'browser' || kind === 'multistep';
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        <span className={styles.keys}>{words.keys}</span>
      </div>
      <CodeView
        value={value}
        label={`${label}. ${words.keys}`}
        language={isSpec ? 'typescript' : 'javascript'}
        onChange={props.onChange}
        complete={complete}
        typed={TYPED}
        problems={all}
        isInvalid={Boolean(error)}
        editorRef={editor}
        minHeight={props.minHeight ?? 160}
        maxHeight={props.maxHeight ?? 480}
      />
      {all.length > 0 && (
        <ul className={styles.problems} aria-label={words.problems(label)}>
          {all.map((problem) => (
            <li key={`${problem.line} ${problem.message}`}>
              <button
                type="button"
                className={styles.problem}
                onClick={() => editor.current?.goTo(problem)}
              >
                {words.atLine(problem.line)}
              </button>
              <span>{problem.message}</span>
            </li>
          ))}
        </ul>
      )}
      {(error ?? hint) && <p className={error ? styles.error : styles.hint}>{error ?? hint}</p>}
    </div>
  );
}

const NONE: readonly CodeProblem[] = [];

/** What a word stands in the place of: all of a name in quotes, or an identifier. */
const TYPED = /(?:(?<=(?:require\(|from |import )\s*['"])[^'"]*|[\w$]*)$/;

type Complete = (
  before: string,
  isAsked: boolean,
) => Promise<ReturnType<typeof import('./script-words.ts').wordsAt>>;

/** What may stand at the cursor. */
function useWords({ kind, variables = NO_KEYS, runtimeId = null }: ScriptEditorProps): Complete {
  const account = useQuery(variablesQuery);
  const snippets = useQuery(snippetsQuery);
  const world = useRef<ScriptWorld>(null);
  world.current = {
    kind,
    runtimeId,
    snippets: snippets.data?.map(({ name }) => name) ?? [],
    variables: [
      ...variables.map((key) => ({ key, detail: words.ofCheck })),
      ...(account.data ?? []).map(({ key, secret }) => ({
        key,
        detail: secret ? words.secretOfAccount : words.ofAccount,
      })),
    ],
  };
  useEffect(() => void import('./script-words.ts'), []);
  return useCallback<Complete>(async (before, isAsked) => {
    const { wordsAt } = await import('./script-words.ts');
    return world.current === null ? [] : wordsAt(before, world.current, isAsked);
  }, []);
}

const NO_KEYS: readonly string[] = [];

/** Typing that pauses this long is looked at, ms. */
const PAUSE_MS = 500;

/** Syntax errors of a script, looked for when typing pauses. */
function useSyntax(
  kind: ScriptKind,
  code: string,
  editor: { readonly current: CodeEditor | null },
): readonly CodeProblem[] {
  const [found, setFound] = useState<readonly CodeProblem[]>(NONE);
  useEffect(() => {
    const stop = new AbortController();
    const isSpec = kind === 'browser' || kind === 'multistep';
    const look = async () => {
      if (code.trim() === '') return NONE;
      return isSpec ? unreadable(editor.current) : refused(code, stop.signal);
    };
    const timer = setTimeout(() => {
      look().then(
        (problems) => !stop.signal.aborted && setFound(problems),
        // Nothing is known of it then: saving will say what is wrong.
        () => setFound(NONE),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [kind, code, editor]);
  return found;
}

function unreadable(editor: CodeEditor | null): readonly CodeProblem[] {
  const place = editor?.unreadable() ?? null;
  return place === null ? NONE : [{ ...place, message: words.unreadable(place.text) }];
}

async function refused(code: string, signal: AbortSignal): Promise<readonly CodeProblem[]> {
  const verdict = await api('POST /app/scripts/check', { body: { code }, signal });
  if (verdict.ok) return NONE;
  const { message, line, column } = verdict;
  return [{ message, line: line ?? 1, column }];
}
