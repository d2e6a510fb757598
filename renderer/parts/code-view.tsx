import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CodeEditor, CodeLanguage, CodeOptions, CodeProblem } from './code-editor.ts';
import styles from './code-view.module.css';
import { useNear } from './near.ts';

interface CodeViewProps {
  value: string;
  language?: CodeLanguage;
  /** What it is, for those who do not see it. */
  label: string;
  /** Without it the text can only be read. */
  onChange?(value: string): void;
  /** Offers words at the cursor; called with the text before it on its line. */
  complete?: CodeOptions['complete'];
  typed?: CodeOptions['typed'];
  /** What is wrong with it, marked at its lines. */
  problems?: readonly CodeProblem[];
  /** What it holds was refused: a form that leads to its first wrong field finds it by this. */
  isInvalid?: boolean;
  /** Gets the editor while there is one. */
  editorRef?: RefObject<CodeEditor | null>;
  /** Px; it scrolls within. */
  maxHeight?: number;
  minHeight?: number;
}

/**
 * Code to read or to write, with colours, line numbers and search. The editor is loaded when the first one is
 * near the window; until then, and where a text is too long to be coloured, it is plain.
 */
export function CodeView(props: CodeViewProps) {
  const { value, label, language = 'text', maxHeight = 480, minHeight = 0, problems } = props;
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<CodeEditor>(null);
  const editor = props.editorRef ?? own;
  const latest = useRef(props);
  latest.current = props;
  const [isLoaded, setLoaded] = useState(false);
  const isReadOnly = props.onChange === undefined;
  const isNear = useNear(host);
  const isWanted = isNear || !isReadOnly;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    void import('./code-editor.ts').then(({ openCodeEditor }) => {
      if (isGone || host.current === null) return;
      editor.current = openCodeEditor(host.current, {
        value: latest.current.value,
        language,
        label,
        isReadOnly,
        maxHeight,
        minHeight,
        onChange: (text) => latest.current.onChange?.(text),
        complete: async (...place) => (await latest.current.complete?.(...place)) ?? [],
        typed: latest.current.typed,
      });
      // At once, or the text would be drawn twice for a moment.
      flushSync(() => setLoaded(true));
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
      setLoaded(false);
    };
  }, [editor, language, label, isReadOnly, isWanted, maxHeight, minHeight]);
  useEffect(() => editor.current?.show(value), [editor, value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor that was just opened has no marks
  useEffect(() => {
    if (problems !== undefined) editor.current?.mark(problems);
  }, [editor, problems, isLoaded]);
  return (
    <div className={styles.frame}>
      <div ref={host} aria-invalid={props.isInvalid || undefined} />
      {!isLoaded && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className={styles.plain} style={{ maxHeight, minHeight }} tabIndex={0}>
          {value.slice(0, 20_000)}
        </pre>
      )}
    </div>
  );
}
