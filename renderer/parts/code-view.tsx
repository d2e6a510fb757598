import { useEffect, useRef, useState } from 'react';
import type { CodeEditor, CodeLanguage, CodeOptions } from './code-editor.ts';
import styles from './code-view.module.css';

interface CodeViewProps {
  value: string;
  language?: CodeLanguage;
  /** What it is, for those who do not see it. */
  label: string;
  /** Without it the text can only be read. */
  onChange?(value: string): void;
  /** Offers words at the cursor; called with the text before it on its line. */
  complete?: CodeOptions['complete'];
  /** Px; it scrolls within. */
  maxHeight?: number;
  minHeight?: number;
}

/**
 * Code to read or to write, with colours, line numbers and search. The editor is loaded when the first one is
 * shown; until then, and where a text is too long to be coloured, it is plain.
 */
export function CodeView(props: CodeViewProps) {
  const { value, label, language = 'text', maxHeight = 480, minHeight = 0 } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(null);
  const latest = useRef(props);
  latest.current = props;
  const [isLoaded, setLoaded] = useState(false);
  const isReadOnly = props.onChange === undefined;
  useEffect(() => {
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
        complete: (before) => latest.current.complete?.(before) ?? [],
      });
      setLoaded(true);
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [language, label, isReadOnly, maxHeight, minHeight]);
  useEffect(() => editor.current?.show(value), [value]);
  return (
    <div className={styles.frame}>
      <div ref={host} />
      {!isLoaded && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className={styles.plain} style={{ maxHeight, minHeight }} tabIndex={0}>
          {value.slice(0, 20_000)}
        </pre>
      )}
    </div>
  );
}
