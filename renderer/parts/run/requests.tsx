import { resultText } from '#renderer/messages/result.ts';
import { BodyView } from '#renderer/parts/body-view.tsx';
import { milliseconds } from '#renderer/parts/format.ts';
import { HeaderTable } from '#renderer/parts/header-table.tsx';
import pair from '#renderer/parts/pair.module.css';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { StepRequest } from '#shared/playwright/detail.ts';
import styles from './run.module.css';

const words = resultText;
const FIRST_BAD_STATUS = 400;

/** The requests of a multi-step check, each with what was sent and what came back. */
export function Requests({ requests }: { requests: readonly StepRequest[] }) {
  return (
    <ul>
      {requests.map((request, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: requests stay where they are, and may be alike
        <li key={index} className={styles.test}>
          <details>
            <summary className={styles.step}>
              <StateIcon
                state={
                  (request.status ?? FIRST_BAD_STATUS) < FIRST_BAD_STATUS ? 'passing' : 'failing'
                }
                isNamed={false}
              />
              <span className={styles.stepTitle}>
                <code>{`${request.method} ${request.url}`}</code>
              </span>
              <span>{request.status ?? request.error ?? words.noResponse}</span>
              <span className={styles.end}>{milliseconds(request.durationMs)}</span>
            </summary>
            <div className={pair.pair}>
              <div>
                <h3 className={styles.logPart}>{words.request}</h3>
                <HeaderTable headers={request.requestHeaders} label={words.headers} />
                {request.requestBody !== undefined && request.requestBody !== '' && (
                  <BodyView value={request.requestBody} label={words.requestBody} />
                )}
              </div>
              <div>
                <h3 className={styles.logPart}>{words.response}</h3>
                <HeaderTable headers={request.responseHeaders} label={words.headers} />
                {request.responseBody !== undefined && request.responseBody !== '' && (
                  <BodyView value={request.responseBody} label={words.responseBody} />
                )}
              </div>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
