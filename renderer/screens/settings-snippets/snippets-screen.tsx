import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useKeys } from '#renderer/app/keys.ts';
import { useTitle } from '#renderer/app/title.ts';
import { snippetsText } from '#renderer/messages/variables.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { DeleteButton } from '#renderer/parts/delete-button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { useGoing } from '#renderer/parts/going.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { snippetsQuery } from '#renderer/parts/script-queries.ts';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import { useDeleteSnippet } from './delete-snippet.ts';
import styles from './snippets.module.css';

const words = snippetsText;
const HEADS = [
  { label: words.name },
  { label: words.require, isMinor: true },
  { label: words.lines, isNumber: true, isMinor: true },
  { label: words.changed },
  { label: '' },
];

/** The snippets of the account. */
export function SnippetsScreen() {
  useTitle(words.title);
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(snippetsQuery);
  const isGoing = useGoing('snippets');
  const { begin, dialog } = useDeleteSnippet();
  const toNew = { to: '/settings/snippets/$snippetId', params: { snippetId: 'new' } } as const;
  useKeys([{ key: 'c', label: words.create, run: () => void navigate(toNew) }]);
  const create = (
    <ButtonLink kind="primary" {...toNew}>
      {words.create}
    </ButtonLink>
  );
  const snippets = data?.filter(({ id }) => !isGoing(id));
  return (
    <>
      <PageHead title={words.title} below={words.text} actions={create} />
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <SkeletonRows count={5} />}
      {snippets?.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} />
      )}
      {snippets !== undefined && snippets.length > 0 && (
        <Table label={words.title} heads={HEADS}>
          {snippets.map(({ id, name, script, created_at, updated_at }) => (
            <tr key={id}>
              <Cell>
                <Link
                  to="/settings/snippets/$snippetId"
                  params={{ snippetId: String(id) }}
                  className={styles.name}
                >
                  {name}
                </Link>
              </Cell>
              <Cell isMinor>
                <code className={styles.require}>{requireLine(name)}</code>
              </Cell>
              <Cell isMinor isNumber>
                {script.split('\n').length}
              </Cell>
              <Cell>
                <Ago at={updated_at ?? created_at} />
              </Cell>
              <Cell>
                <DeleteButton
                  label={words.removeName(name)}
                  onClick={() => begin({ kind: 'snippets', id, name })}
                />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      {dialog}
    </>
  );
}

function requireLine(name: string): string {
  return `require('./snippets/${name}.js')`;
}
