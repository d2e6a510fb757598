import { healthText } from '#renderer/messages/appliance.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import type { ConnectivityAnswer } from '#shared/self-monitoring/connectivity-view.ts';

const words = healthText;
const HEADS = [{ label: words.probe }, { label: words.lastAnswer }];

/** What tells the appliance that it is online itself; nothing where none is there. */
export function Probes({ connectivity }: { connectivity: ConnectivityAnswer }) {
  if (connectivity.canaries.length === 0) return null;
  return (
    <Panel title={words.probes}>
      <Table label={words.probes} heads={HEADS}>
        {connectivity.canaries.map(({ name, kind, lastAnswerAt }) => (
          <tr key={`${kind} ${name}`}>
            <Cell>{name}</Cell>
            <Cell>{lastAnswerAt === null ? words.never : <Ago at={lastAnswerAt} />}</Cell>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
