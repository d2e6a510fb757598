import { getRouteApi } from '@tanstack/react-router';
import { text } from '#renderer/messages/messages.ts';
import { CopyButton } from '#renderer/parts/copy-button.tsx';
import { heartbeatSnippet, SNIPPET_KINDS } from '#renderer/parts/heartbeat-snippets.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { Snippet } from '#renderer/parts/snippet.tsx';
import styles from './heartbeats-screen.module.css';
import type { ShownHeartbeat } from './queries.ts';

const words = text.heartbeats;
const route = getRouteApi('/shell/heartbeats');

/** What to add to a job, by where it runs. */
export function Snippets({
  checks,
  shown,
}: {
  checks: readonly ShownHeartbeat[];
  shown: ShownHeartbeat;
}) {
  const { kind = 'curl' } = route.useSearch();
  const navigate = route.useNavigate();
  const { pingUrl } = shown.heartbeat;
  if (pingUrl === undefined) return null;
  const snippet = heartbeatSnippet(kind, pingUrl);
  const change = (next: object) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <div className={styles.snippets}>
      <Panel title={words.howTo} note={words.howToText}>
        <div className={styles.choices}>
          <SelectField
            label={words.of}
            value={shown.id}
            options={checks.map(({ id, name }) => [id, name] as const)}
            onChange={(of) => change({ of })}
          />
          <SelectField
            label={words.where}
            value={kind}
            options={SNIPPET_KINDS.map((one) => [one, text.check.heartbeat.kinds[one]] as const)}
            onChange={(next) => change({ kind: next })}
          />
        </div>
        <Snippet>{snippet}</Snippet>
        <CopyButton value={snippet} />
      </Panel>
    </div>
  );
}
