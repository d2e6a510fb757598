import { useQueryClient } from '@tanstack/react-query';
import { Lock, LockKeyhole } from 'lucide-react';
import type { Answer } from '#renderer/api/client.ts';
import { api } from '#renderer/api/client.ts';
import { variablesText } from '#renderer/messages/variables.ts';
import { DeleteButton } from '#renderer/parts/delete-button.tsx';
import { deleteSoon } from '#renderer/parts/going.ts';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { useDeleteUsed } from '#renderer/parts/used-by/delete-used.tsx';
import { kindOf } from './variable-kind.ts';
import styles from './variables-screen.module.css';

const words = variablesText;

export type ShownVariable = Answer<'GET /v1/variables'>[number];

const HEADS = [
  { label: words.key },
  { label: words.value },
  { label: words.kind, isMinor: true },
  { label: '' },
];
const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
const ICONS = { plain: null, locked: <Lock {...ICON} />, secret: <LockKeyhole {...ICON} /> };

/** Variables by their keys; the value of a secret is nowhere. */
export function VariableTable({
  variables,
  onEdit,
}: {
  variables: readonly ShownVariable[];
  onEdit(key: string): void;
}) {
  const queries = useQueryClient();
  const { begin, dialog } = useDeleteUsed(({ name: key }) =>
    deleteSoon('variables', key, words.removed(key), async () => {
      await api('DELETE /v1/variables/{key}', { params: { key } });
      await queries.invalidateQueries({ queryKey: ['variables'] });
    }),
  );
  return (
    <>
      <Table label={words.title} heads={HEADS}>
        {variables.map((variable) => {
          const { key, value } = variable;
          const kind = kindOf(variable);
          return (
            <tr key={key}>
              <Cell>
                <button
                  type="button"
                  className={styles.key}
                  aria-label={words.edit(key)}
                  onClick={() => onEdit(key)}
                >
                  <code>{key}</code>
                </button>
              </Cell>
              <Cell>
                {value === null ? (
                  <span className={styles.hidden}>{words.hidden}</span>
                ) : (
                  <code className={styles.value}>{value}</code>
                )}
              </Cell>
              <Cell isMinor>
                <span className={styles.kind}>
                  {ICONS[kind]}
                  {words.kinds[kind]}
                </span>
              </Cell>
              <Cell>
                <DeleteButton
                  label={words.remove(key)}
                  onClick={() => begin({ kind: 'variables', id: key, name: key })}
                />
              </Cell>
            </tr>
          );
        })}
      </Table>
      {dialog}
    </>
  );
}
