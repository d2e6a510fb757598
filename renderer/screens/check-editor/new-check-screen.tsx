import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTitle } from '#renderer/app/title.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import styles from './check-editor.module.css';
import { TypePicker } from './type-picker.tsx';

const route = getRouteApi('/shell/checks/new');
const words = editorText;
const FORM_HEIGHT = 480;

// It brings the schemas along, which the choice of a type does without.
const NewCheck = lazy(async () => ({ default: (await import('./editor.tsx')).NewCheck }));

/** A new check: its type, then one form. */
export function NewCheckScreen() {
  const { type } = route.useSearch();
  const title = type === undefined ? words.newTitle : words.newOfType(text.checks.types[type]);
  useTitle(title);
  return (
    <div className={styles.screen}>
      <PageHead
        above={
          <>
            <Link to="/">{text.checks.title}</Link>
            {type !== undefined && (
              <>
                {' / '}
                <Link to="/checks/new">{words.newTitle}</Link>
              </>
            )}
          </>
        }
        title={title}
        below={type === undefined ? words.newText : words.types[type]}
      />
      {type === undefined ? (
        <TypePicker />
      ) : (
        <Suspense fallback={<SkeletonBlock height={FORM_HEIGHT} />}>
          <NewCheck key={type} type={type} />
        </Suspense>
      )}
    </div>
  );
}
