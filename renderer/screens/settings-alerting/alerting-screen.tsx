import { useQuery } from '@tanstack/react-query';
import { useTitle } from '#renderer/app/title.ts';
import { alertingText } from '#renderer/messages/alerting.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { PolicyForm } from './policy-form.tsx';
import { accountQuery } from './queries.ts';

const words = alertingText;
const HEIGHT = 420;

/** How the account alerts, beside what that would have sent in the past. */
export function AlertingScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(accountQuery);
  return (
    <>
      <PageHead title={words.title} below={words.text} />
      {data === undefined && error === null && <SkeletonBlock height={HEIGHT} />}
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <PolicyForm
          key={JSON.stringify([data.alertSettings, data.flapping, data.storms])}
          account={data}
        />
      )}
    </>
  );
}
