import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { ReadScreen } from '#renderer/app/read-screen.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import styles from './check-editor.module.css';
import { editedCheckQuery } from './queries.ts';

const route = getRouteApi('/shell/checks/$checkId/edit');
const words = editorText;
const FORM_HEIGHT = 480;

const EditedCheck = lazy(async () => ({ default: (await import('./editor.tsx')).EditedCheck }));

/** The settings of a check, to change. */
export function EditCheckScreen() {
  const { checkId } = route.useParams();
  const read = useQuery(editedCheckQuery(checkId));
  useTitle(read.data && words.editTitle(read.data.name));
  return (
    <ReadScreen read={read} height={FORM_HEIGHT}>
      {(check) => <Loaded check={check} />}
    </ReadScreen>
  );
}

function Loaded({ check }: { check: ShownCheck }) {
  const { id: checkId } = check;
  return (
    <div className={styles.screen}>
      <PageHead
        above={
          <>
            <Link to="/">{text.checks.title}</Link>
            {' / '}
            <Link to="/checks/$checkId" params={{ checkId }}>
              {check.name}
            </Link>
          </>
        }
        title={words.editTitle(check.name)}
        below={words.types[check.checkType]}
      />
      <Suspense fallback={<SkeletonBlock height={FORM_HEIGHT} />}>
        <EditedCheck key={checkId} check={check} />
      </Suspense>
    </div>
  );
}
