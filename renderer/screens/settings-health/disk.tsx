import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { healthText } from '#renderer/messages/appliance.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { bytes } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import type { StorageView } from '#shared/self-monitoring/storage-view.ts';
import styles from './health-screen.module.css';
import { storageQuery } from './queries.ts';

const words = healthText;
const HEADS = [
  { label: words.kind },
  { label: words.bytes, isNumber: true },
  { label: words.stays, isNumber: true },
  { label: words.atMost, isNumber: true, isMinor: true },
  { label: words.oldest, isMinor: true },
];

/** What the history takes, by kind, how long it stays, and what bounds it. */
export function Disk({ storage }: { storage: StorageView }) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => api('POST /app/storage/confirm-clock'),
    onSuccess: (answer) => {
      queries.setQueryData(storageQuery.queryKey, answer);
      toast(words.clockConfirmed);
    },
    onError: toastFailure,
  });
  const { usedBytes, budgetBytes, kinds, isClockBelieved } = storage;
  const used = words.used(bytes(usedBytes), bytes(budgetBytes));
  return (
    <Panel title={words.disk} note={words.measured}>
      <p className={styles.used}>
        <meter
          aria-label={used}
          min={0}
          max={budgetBytes}
          high={budgetBytes * 0.9}
          value={usedBytes}
        />
        {used}
      </p>
      {!isClockBelieved && (
        <Button onClick={() => confirm.mutate()} disabled={confirm.isPending}>
          {words.confirmClock}
        </Button>
      )}
      <Table label={words.disk} heads={HEADS}>
        {kinds.map(({ kind, bytes: size, days, maxBytes, oldestAt }) => (
          <tr key={kind}>
            <Cell>{words.kinds[kind] ?? kind}</Cell>
            <Cell isNumber>{bytes(size)}</Cell>
            <Cell isNumber>{words.days(days)}</Cell>
            <Cell isNumber isMinor>
              {maxBytes === null ? words.noBound : bytes(maxBytes)}
            </Cell>
            <Cell isMinor>{oldestAt === null ? text.parts.none : <Time at={oldestAt} />}</Cell>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
