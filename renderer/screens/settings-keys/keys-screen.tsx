import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { useTitle } from '#renderer/app/title.ts';
import { keysText } from '#renderer/messages/appliance.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Confirm } from '#renderer/parts/confirm.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Ago, Time } from '#renderer/parts/time.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import type { KeyView } from '#shared/sign-ins/key-view.ts';
import { Browsers } from './browsers.tsx';
import { CreateKey } from './create-key.tsx';
import styles from './keys-screen.module.css';
import { keysQuery, signInsQuery } from './queries.ts';

const words = keysText;

/** The API keys of the appliance, and the browsers that are signed in. */
export function KeysScreen() {
  useTitle(words.title);
  const [isCreating, setCreating] = useState(false);
  const keys = useQuery(keysQuery);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageHead title={words.title} below={words.text} actions={create} />
      {keys.data === undefined && keys.error !== null && (
        <Failed error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {keys.isPending && <SkeletonRows count={3} />}
      {keys.data?.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} />
      )}
      {keys.data !== undefined && keys.data.length > 0 && <Keys keys={keys.data} />}
      <Browsers />
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

const HEADS = [
  { label: words.name },
  { label: words.key },
  { label: words.used },
  { label: words.made, isMinor: true },
  { label: '' },
];

function Keys({ keys }: { keys: readonly KeyView[] }) {
  const [asked, setAsked] = useState<KeyView | null>(null);
  const queries = useQueryClient();
  const own = useQuery(signInsQuery).data?.find(({ isCurrent }) => isCurrent)?.keyName;
  const revoke = async ({ id, name }: KeyView) => {
    try {
      await api('DELETE /app/keys/{id}', { params: { id } });
      toast(words.revoked(name));
    } catch (error) {
      toastFailure(error);
    }
    await queries.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <>
      <Table label={words.title} heads={HEADS}>
        {keys.map((key) => (
          <tr key={key.id}>
            <Cell>
              <b className={styles.name}>{key.name}</b>
            </Cell>
            <Cell>
              <code>{key.prefix}…</code>
            </Cell>
            <Cell>
              {key.used_at === null ? (
                <span className={styles.muted}>{words.notUsed}</span>
              ) : (
                <Ago at={key.used_at} />
              )}
            </Cell>
            <Cell isMinor>
              <Time at={key.created_at} />
            </Cell>
            <Cell>
              <Button aria-label={words.revokeKey(key.name)} onClick={() => setAsked(key)}>
                {words.revoke}
              </Button>
            </Cell>
          </tr>
        ))}
      </Table>
      {asked !== null && (
        <Confirm
          isOpen
          onClose={() => setAsked(null)}
          onConfirm={() => void revoke(asked)}
          title={words.revokeQuestion(asked.name)}
          text={own === asked.name ? words.revokeOwnText : words.revokeText}
          action={words.revoke}
          typed={asked.name}
        />
      )}
    </>
  );
}
