import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeys } from '#renderer/app/keys.ts';
import { useTitle } from '#renderer/app/title.ts';
import { variablesText } from '#renderer/messages/variables.ts';
import { Button } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { TextField } from '#renderer/parts/field.tsx';
import { useGoing } from '#renderer/parts/going.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { variablesQuery } from '#renderer/parts/script-queries.ts';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { VariableDialog } from './variable-dialog.tsx';
import { VariableTable } from './variable-table.tsx';
import styles from './variables-screen.module.css';

const words = variablesText;
const route = getRouteApi('/shell/settings/variables');

/** Fewer are found by looking. */
const FILTERED_FROM = 10;
/** Rows that are there at once. */
const SHOWN = 200;

/** The variables of the account. */
export function VariablesScreen() {
  useTitle(words.title);
  const { q = '', edit, new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending, refetch } = useQuery(variablesQuery);
  const isGoing = useGoing('variables');
  const [shown, setShown] = useState(SHOWN);
  const open = (search: { edit?: string; new?: true }) =>
    void navigate({ search: (before) => ({ q: before.q, ...search }) });
  const close = () => open({});
  const openNew = () => open({ new: true });
  useKeys([{ key: 'c', label: words.create, run: openNew }]);
  const create = (
    <Button kind="primary" onClick={openNew}>
      {words.create}
    </Button>
  );
  const all = (data ?? []).filter(({ key }) => !isGoing(key));
  const found = all.filter(({ key }) => key.toLowerCase().includes(q.toLowerCase()));
  const edited = data?.find(({ key }) => key === edit);
  return (
    <>
      <PageHead title={words.title} below={words.text} actions={create} />
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <SkeletonRows count={5} />}
      {data !== undefined && all.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} />
      )}
      {(all.length >= FILTERED_FROM || q !== '') && (
        <div className={styles.filter}>
          <TextField
            label={words.filter}
            placeholder={words.filterHint}
            type="search"
            autoComplete="off"
            value={q}
            onChange={({ target }) =>
              void navigate({ search: { q: target.value || undefined }, replace: true })
            }
          />
        </div>
      )}
      {all.length > 0 && found.length === 0 && (
        <EmptyState
          title={words.nothingTitle}
          text={words.nothingText}
          action={<Button onClick={() => void navigate({ search: {} })}>{words.clear}</Button>}
        />
      )}
      {found.length > 0 && (
        <VariableTable variables={found.slice(0, shown)} onEdit={(key) => open({ edit: key })} />
      )}
      {found.length > shown && (
        <Button onClick={() => setShown(shown + SHOWN)}>
          {words.more(Math.min(SHOWN, found.length - shown))}
        </Button>
      )}
      {isNew && <VariableDialog onClose={close} />}
      {edited !== undefined && (
        <VariableDialog key={edited.key} variable={edited} onClose={close} />
      )}
    </>
  );
}
