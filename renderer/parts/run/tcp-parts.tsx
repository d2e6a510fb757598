import { resultText } from '#renderer/messages/result.ts';
import { BodyView } from '#renderer/parts/body-view.tsx';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import type { TcpDetail } from '#shared/results/details.ts';
import { Facts } from './facts.tsx';
import styles from './run.module.css';

const words = resultText;

/** What a TCP check connected to, sent and read. */
export function TcpParts({ detail: { request, response } }: { detail: TcpDetail }) {
  return (
    <div className={pair.pair}>
      {request !== undefined && (
        <Panel title={words.request}>
          <Facts
            facts={[
              [words.address, <code key="a">{`${request.hostname}:${request.port}`}</code>],
              [words.family, request.ipFamily],
            ]}
          />
          {request.data && <BodyView value={request.data} label={words.requestBody} />}
        </Panel>
      )}
      <Panel title={words.response}>
        {response?.data ? (
          <BodyView value={response.data} label={words.responseBody} />
        ) : (
          <p className={styles.faint}>{words.nothingRead}</p>
        )}
        <Facts
          facts={Object.entries(response?.error ?? {}).map(([name, value]) => [
            name,
            <code key={name}>{String(value)}</code>,
          ])}
        />
      </Panel>
    </div>
  );
}
