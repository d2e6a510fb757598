import { resultText } from '#renderer/messages/result.ts';
import { BodyView } from '#renderer/parts/body-view.tsx';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import { Snippet } from '#renderer/parts/snippet.tsx';
import type { DnsDetail } from '#shared/results/details.ts';
import { Facts } from './facts.tsx';
import styles from './run.module.css';

const words = resultText;

/** The question of a DNS check, whom it asked, and the answer. */
export function DnsParts({ detail }: { detail: DnsDetail }) {
  const { request, nameServerInfo, response } = detail;
  return (
    <div className={pair.pair}>
      {request !== undefined && (
        <Panel title={words.question}>
          <Facts
            facts={[
              [words.query, <code key="q">{`${request.query} ${request.recordType}`}</code>],
              [words.protocol, request.protocol],
              [
                words.nameServer,
                nameServerInfo && (
                  <code>{`${nameServerInfo.name} (${nameServerInfo.host}:${nameServerInfo.port})`}</code>
                ),
              ],
            ]}
          />
        </Panel>
      )}
      <Panel title={words.answer}>
        {response ? (
          <>
            <Facts facts={[[words.returnCode, <code key="c">{response.returnCode}</code>]]} />
            {response.answer === '' ? (
              <p className={styles.faint}>{words.noRecords}</p>
            ) : (
              <Snippet>{response.answer}</Snippet>
            )}
            {response.json !== undefined && (
              <details className={styles.more}>
                <summary>{words.wholeAnswer}</summary>
                <BodyView value={JSON.stringify(response.json)} label={words.wholeAnswer} />
              </details>
            )}
          </>
        ) : (
          <p className={styles.faint}>{words.noResponse}</p>
        )}
      </Panel>
    </div>
  );
}
