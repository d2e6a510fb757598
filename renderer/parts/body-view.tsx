import { useMemo, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import styles from './body-view.module.css';
import { Button } from './button.tsx';
import { CodeView } from './code-view.tsx';
import { CopyButton } from './copy-button.tsx';
import { bytes } from './format.ts';

/** Longer bodies are cut until somebody asks for all. */
const SHOWN_CHARS = 50_000;
/** Longer ones are shown as they came: to lay them out would hold up the page. */
const MAX_LAID_OUT = 500_000;
/** A line beyond this is broken, as an editor is slow with it. */
const MAX_LINE = 10_000;

/** A payload to read: JSON is laid out, what is long is cut, and all of it is text. */
export function BodyView({ value, label }: { value: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const { laidOut, isJson } = useMemo(() => layOut(value), [value]);
  const isCut = !isWhole && laidOut.length > SHOWN_CHARS;
  const shown = isCut ? laidOut.slice(0, SHOWN_CHARS) : laidOut;
  return (
    <div className={styles.body}>
      <CodeView
        key={isWhole ? 'whole' : 'cut'}
        value={shown}
        language={isJson ? 'json' : 'text'}
        label={label}
        maxHeight={360}
      />
      <div className={styles.actions}>
        <CopyButton value={value} />
        {isCut && (
          <Button onClick={() => setWhole(true)}>
            {text.parts.showAll(bytes(new Blob([value]).size))}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The text as it is read best. */
export function layOut(value: string): { laidOut: string; isJson: boolean } {
  if (value.length <= MAX_LAID_OUT && /^\s*[[{]/.test(value)) {
    try {
      return { laidOut: JSON.stringify(JSON.parse(value), null, 2), isJson: true };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  const long = new RegExp(`[^\\n]{${MAX_LINE}}`, 'g');
  return { laidOut: value.replaceAll(long, '$&\n'), isJson: false };
}
