import { resultText } from '#renderer/messages/result.ts';
import { BodyView } from '#renderer/parts/body-view.tsx';
import { HeaderTable } from '#renderer/parts/header-table.tsx';
import pair from '#renderer/parts/pair.module.css';
import { Panel } from '#renderer/parts/panel.tsx';
import { Snippet } from '#renderer/parts/snippet.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { snippet } from '#shared/playwright/snippet.ts';
import type { HttpDetail, ScriptFailure } from '#shared/results/details.ts';
import { Facts } from './facts.tsx';
import styles from './run.module.css';

const words = resultText;

/** The scripts around the request of a check. */
export interface RequestScripts {
  localSetupScript?: string | null | undefined;
  localTearDownScript?: string | null | undefined;
}

/** What an HTTP check sent and what came back. */
export function HttpParts({
  detail,
  check,
}: {
  detail: HttpDetail;
  check: RequestScripts | undefined;
}) {
  const { scriptErrors = [] } = detail;
  return (
    <>
      {scriptErrors.length > 0 && (
        <Panel title={words.scriptErrors}>
          {scriptErrors.map((error) => (
            <ScriptErrorShown
              key={`${error.name} ${error.message}`}
              error={error}
              script={scriptOf(error, check)}
            />
          ))}
        </Panel>
      )}
      <div className={pair.pair}>
        <Sent request={detail.request} />
        <CameBack response={detail.response} asked={detail.request?.url} />
      </div>
    </>
  );
}

function Sent({ request }: { request: HttpDetail['request'] }) {
  if (request === undefined) return null;
  const { method, url, headers = {}, params = {}, data = '' } = request;
  return (
    <Panel title={words.request}>
      <p className={styles.line}>
        <code>{`${method} ${url}`}</code>
      </p>
      {Object.keys(params).length > 0 && <HeaderTable headers={params} label={words.parameters} />}
      {Object.keys(headers).length > 0 && <HeaderTable headers={headers} label={words.headers} />}
      {data !== '' && <BodyView value={data} label={words.requestBody} />}
    </Panel>
  );
}

function CameBack({
  response,
  asked,
}: {
  response: HttpDetail['response'];
  asked: string | undefined;
}) {
  if (response === undefined) return null;
  const {
    status,
    statusText,
    href,
    headers = {},
    body = '',
    truncated,
    bodyEncoding,
    connection,
  } = response;
  return (
    <Panel title={words.response}>
      <p className={styles.line}>
        {status === 0 ? words.noResponse : <code>{`${status} ${statusText ?? ''}`}</code>}
      </p>
      <Facts
        facts={[
          [words.url, href === asked ? undefined : href],
          [words.address, connection?.address],
          [
            words.certificate,
            connection?.certificate &&
              words.certificateUntil(
                connection.certificate.domain,
                connection.certificate.notAfter.slice(0, 10),
              ),
          ],
        ]}
      />
      {Object.keys(headers).length > 0 && <HeaderTable headers={headers} label={words.headers} />}
      {body !== '' && <BodyView value={body} label={words.responseBody} />}
      {bodyEncoding !== undefined && <p className={styles.faint}>{words.binary}</p>}
      {truncated === true && <p className={styles.faint}>{words.truncated}</p>}
    </Panel>
  );
}

function ScriptErrorShown({ error, script }: { error: ScriptFailure; script: string | null }) {
  const { phase = '', name, message, line, column } = error;
  const lines = script !== null && line ? snippet(script, line, column ?? 1) : undefined;
  return (
    <div className={styles.error}>
      <p className={styles.state}>
        <StateIcon state="failing" isNamed={false} />
        {words.scriptPhases[phase] ?? phase}
        {line ? ` · ${words.line(line)}` : ''}
      </p>
      <pre className={styles.message}>{[name, message].filter(Boolean).join(': ')}</pre>
      {lines !== undefined && <Snippet>{lines}</Snippet>}
    </div>
  );
}

/** The script of the check as it is now; of a snippet the screen does not know the text. */
function scriptOf({ phase, name = '' }: ScriptFailure, check: RequestScripts | undefined) {
  if (check === undefined || /snippet/i.test(name)) return null;
  return (phase === 'setup' ? check.localSetupScript : check.localTearDownScript) ?? null;
}
