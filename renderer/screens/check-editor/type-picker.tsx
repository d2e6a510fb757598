import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Field, inputClass } from '#renderer/parts/field.tsx';
import { writeDraft } from '#renderer/parts/form/draft.ts';
import { pastedCheck } from '#shared/checks/pasted-check.ts';
import { blankCheck } from './blank-check.ts';
import styles from './check-editor.module.css';
import { newDraftName } from './draft-name.ts';
import { TYPES_IN_ORDER, TypeIcon } from './types/type-icon.tsx';

const words = editorText;

/** What a new check is to be: by a URL or a command that is pasted, or by its type. */
export function TypePicker() {
  return (
    <div className={styles.picker}>
      <Pasted />
      <h2>{words.chooseType}</h2>
      <ul className={styles.types}>
        {TYPES_IN_ORDER.map((type) => (
          <li key={type}>
            <Link to="/checks/new" search={{ type }} className={styles.type}>
              <TypeIcon type={type} />
              <span className={styles.typeName}>{text.checks.types[type]}</span>
              <span className={styles.typeText}>{words.types[type]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Pasted() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const begin = (pasted: string): boolean => {
    const { check, problem: said } = pastedCheck(pasted);
    setProblem(said && words.pasteProblems[said]);
    if (check === undefined) return false;
    const { checkType: type, ...members } = check;
    const base = blankCheck(type);
    writeDraft(newDraftName(type), { base, body: { ...base, ...members } });
    void navigate({ to: '/checks/new', search: { type } });
    return true;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin(typed);
  };
  return (
    <form className={styles.paste} onSubmit={submit}>
      <Field label={words.paste} hint={words.pasteHint} error={problem}>
        {(control) => (
          <div className={styles.pasteRow}>
            <textarea
              {...control}
              className={inputClass}
              rows={1}
              // biome-ignore lint/a11y/noAutofocus: it is what the page is for
              autoFocus
              spellCheck={false}
              placeholder="https://example.com/health"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing)
                  return;
                submit(event);
              }}
              onPaste={(event) => {
                if (typed === '' && begin(event.clipboardData.getData('text/plain')))
                  event.preventDefault();
              }}
            />
            <Button type="submit" kind="primary">
              {words.pasteAction}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
