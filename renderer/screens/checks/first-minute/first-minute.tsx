import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ApiProblem } from '#renderer/api/problem.ts';
import { useTitle } from '#renderer/app/title.ts';
import { firstMinuteText } from '#renderer/messages/alerting.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button, ButtonLink } from '#renderer/parts/button.tsx';
import { FirstCheck } from './first-check.tsx';
import styles from './first-minute.module.css';
import { FirstResult } from './first-result.tsx';
import { channelsQuery, firstCheckQuery } from './queries.ts';
import { WhoIsTold } from './who-is-told.tsx';

const words = firstMinuteText;

/**
 * What an appliance without checks greets with: what to watch, its first result, who is told of it.
 *
 * @param checkId of the check that was made; it stands in the address, so that a reload goes on with it
 */
export function FirstMinute({ checkId }: { checkId: string | undefined }) {
  useTitle(text.checks.title);
  return (
    <div className={styles.screen}>
      <h1 className={styles.unseen}>{text.checks.title}</h1>
      {checkId === undefined ? <Start /> : <Goes key={checkId} checkId={checkId} />}
    </div>
  );
}

function Start() {
  return (
    <>
      <header>
        <h2 className={styles.title}>{words.title}</h2>
        <p className={styles.muted}>{words.text}</p>
      </header>
      <FirstCheck />
      <p className={styles.note}>
        {words.others} <Link to="/checks/new">{words.othersLink}</Link>
      </p>
    </>
  );
}

function Goes({ checkId }: { checkId: string }) {
  const navigate = useNavigate();
  const { data: check, error } = useQuery(firstCheckQuery(checkId));
  const { data: channels } = useQuery(channelsQuery);
  // One that is gone begins anew.
  if (error instanceof ApiProblem) {
    return (
      <>
        <p>{error.message}</p>
        <Button onClick={() => void navigate({ to: '/', search: {} })}>{words.toAll}</Button>
      </>
    );
  }
  if (check === undefined || channels === undefined) return null;
  const { name } = check;
  return (
    <>
      <FirstResult check={check} />
      <WhoIsTold checkId={checkId} channels={channels} />
      <section className={styles.step} aria-label={words.doneTitle}>
        <p>{channels.length > 0 ? words.doneText(name) : words.doneNobody(name)}</p>
        <div className={styles.actions}>
          <ButtonLink
            to="/checks/$checkId"
            params={{ checkId }}
            {...(channels.length > 0 && { kind: 'primary' })}
          >
            {words.toCheck}
          </ButtonLink>
          <ButtonLink to="/" search={{}}>
            {words.toAll}
          </ButtonLink>
        </div>
      </section>
    </>
  );
}
