import { checkScriptsText } from '#renderer/messages/editor.ts';
import { CodeView } from '#renderer/parts/code-view.tsx';
import { useMember } from '#renderer/parts/form/inputs.tsx';
import styles from './check-files.module.css';

const MIN_HEIGHT = 240;

/** The content of a file that is no script. */
export function ContentInput({ path, file }: { path: string; file: string }) {
  const { value, error, set } = useMember(path);
  return (
    <div data-path={path}>
      <CodeView
        value={typeof value === 'string' ? value : ''}
        label={checkScriptsText.content(file)}
        language={file.endsWith('.json') ? 'json' : 'text'}
        onChange={set}
        isInvalid={error !== undefined}
        minHeight={MIN_HEIGHT}
      />
      {error !== undefined && <p className={styles.error}>{error}</p>}
    </div>
  );
}
