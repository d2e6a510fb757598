import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ApiProblem } from '#renderer/api/problem.ts';
import { NotFound } from '#renderer/app/not-found.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { Failed } from '#renderer/parts/failed.tsx';
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
  const { data: check, error, refetch } = useQuery(editedCheckQuery(checkId));
  useTitle(check && words.editTitle(check.name));
  if (error instanceof ApiProblem && [400, 404].includes(error.status)) return <NotFound />;
  if (check === undefined && error !== null) {
    return <Failed error={error} onRetry={() => void refetch()} />;
  }
  if (check === undefined) return <SkeletonBlock height={FORM_HEIGHT} />;
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
