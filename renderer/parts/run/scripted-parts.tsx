import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { Snippet } from '#renderer/parts/snippet.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { ConsoleLine, NetworkLine, RunError } from '#shared/playwright/detail.ts';
import type { ResultDetails } from '#shared/results/details.ts';
import { Artifacts, type Asset } from './artifacts.tsx';
import { Facts } from './facts.tsx';
import { LogLines } from './job-log.tsx';
import { PageVisits } from './page-visits.tsx';
import { Requests } from './requests.tsx';
import styles from './run.module.css';
import { scriptedDetail } from './scripted-detail.ts';
import { Scrolling } from './scrolling.tsx';
import { Tests } from './tests.tsx';

const words = resultText;

/** What the script of a browser, multi-step or Playwright check did, and what it left. */
export function ScriptedParts({
  result,
  assets,
}: {
  result: ResultDetails;
  assets: readonly Asset[];
}) {
  const detail = scriptedDetail(result);
  const { errors, tests, pages, requests, jobLog } = detail;
  return (
    <>
      {errors.length > 0 && (
        <Panel title={words.errors}>
          {errors.map((error, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: errors stay where they are, and may be alike
            <ErrorShown key={index} error={error} />
          ))}
        </Panel>
      )}
      {assets.length > 0 && <Artifacts assets={assets} />}
      {tests.length > 0 && (
        <Panel title={words.tests}>
          <Tests tests={tests} />
        </Panel>
      )}
      {pages.length > 0 && (
        <Panel title={words.pages}>
          <PageVisits pages={pages} />
        </Panel>
      )}
      {requests.length > 0 && (
        <Panel title={words.requests}>
          <Requests requests={requests} />
        </Panel>
      )}
      <Consoles lines={detail.console} />
      <Network lines={detail.network} />
      {jobLog.length > 0 && (
        <Panel title={words.log}>
          <LogLines lines={jobLog} />
        </Panel>
      )}
      <Facts
        facts={[
          [words.runtime, detail.runtimeVersion],
          [words.waited, detail.waitedMs >= 1 ? milliseconds(detail.waitedMs) : undefined],
        ]}
      />
    </>
  );
}

function ErrorShown({ error: { message, location, snippet, stack } }: { error: RunError }) {
  return (
    <div className={styles.error}>
      {location !== undefined && (
        <p className={styles.state}>
          <StateIcon state="failing" isNamed={false} />
          <code>{`${location.file}:${location.line}:${location.column}`}</code>
        </p>
      )}
      <pre className={styles.message}>{message}</pre>
      {snippet !== undefined && <Snippet>{snippet}</Snippet>}
      {stack !== undefined && (
        <details className={styles.more}>
          <summary>{words.stack}</summary>
          <Snippet>{stack}</Snippet>
        </details>
      )}
    </div>
  );
}

function Consoles({ lines }: { lines: readonly ConsoleLine[] }) {
  if (lines.length === 0) return null;
  return (
    <Panel title={words.console}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol className={styles.log} tabIndex={0} aria-label={words.console}>
        {lines.map(({ type, text: said, url, line, startMs }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are, and may be alike
          <li key={index} className={BAD.has(type) ? styles.error_ : undefined}>
            <span className={styles.logTime}>{words.after(startMs)}</span>
            <span className={styles.logLevel}>{type}</span>
            <span className={styles.logText}>
              {said}{' '}
              <span className={styles.faint}>{line === undefined ? url : `${url}:${line}`}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const BAD: ReadonlySet<string> = new Set(['error', 'pageerror']);
const FIRST_BAD_STATUS = 400;

function Network({ lines }: { lines: readonly NetworkLine[] }) {
  if (lines.length === 0) return null;
  const end = Math.max(1, ...lines.map(({ startMs, durationMs }) => startMs + (durationMs ?? 0)));
  return (
    <Panel title={words.network}>
      <Scrolling>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.url}</th>
              <th scope="col">{words.status}</th>
              <th scope="col">{words.kind}</th>
              <th scope="col">{words.duration}</th>
              <th scope="col" className={styles.wide}>
                {words.when}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(
              ({ method, url, status, resourceType, startMs, durationMs, error }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are, and may be alike
                <tr key={index}>
                  <td className={styles.cut} title={url}>
                    <code>{`${method} ${url}`}</code>
                  </td>
                  <td>
                    <span className={styles.state}>
                      {(status === undefined || status >= FIRST_BAD_STATUS) && (
                        <StateIcon state="failing" />
                      )}
                      {status ?? error ?? words.noResponse}
                    </span>
                  </td>
                  <td>{resourceType}</td>
                  <td>{durationMs === null ? text.parts.none : milliseconds(durationMs)}</td>
                  <td>
                    <div className={styles.track}>
                      <div
                        className={styles.bar}
                        style={{
                          left: `${(startMs / end) * 100}%`,
                          width: `${((durationMs ?? 0) / end) * 100}%`,
                        }}
                      />
                    </div>
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Scrolling>
    </Panel>
  );
}
