import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { accessStore } from '#renderer/api/access.ts';
import { api } from '#renderer/api/client.ts';
import { useStore } from '#renderer/api/store.ts';
import { useTitle } from '#renderer/app/title.ts';
import { aboutText } from '#renderer/messages/appliance.ts';
import { CopyButton } from '#renderer/parts/copy-button.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { Time } from '#renderer/parts/time.tsx';
import type { ShownSetting } from '#shared/self-monitoring/shown-setting.ts';
import type { Vitals } from '#shared/self-monitoring/vitals.ts';
import styles from './about-screen.module.css';

const words = aboutText;
const route = getRouteApi('/shell/settings/about');

const aboutQuery = queryOptions({
  queryKey: ['about'],
  // They hold until the next start.
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const [vitals, settings] = await Promise.all([
      api('GET /app/vitals', { signal }),
      api('GET /app/settings', { signal }),
    ]);
    return { vitals, settings };
  },
});

/** What runs here, and how the operator set it. */
export function AboutScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(aboutQuery);
  if (data === undefined) {
    return error === null ? (
      <SkeletonRows count={8} />
    ) : (
      <Failed error={error} onRetry={() => void refetch()} />
    );
  }
  const { vitals, settings } = data;
  return (
    <>
      <PageHead
        title={words.title}
        below={words.text}
        actions={<CopyButton label={words.copy} value={reportOf(vitals, settings)} />}
      />
      <Facts vitals={vitals} />
      <InForce settings={settings} />
    </>
  );
}

function Facts({ vitals }: { vitals: Vitals }) {
  const access = useStore(accessStore);
  const facts: [string, ReactNode][] = [
    [words.version, vitals.version],
    [words.runtime, vitals.runtime],
    [words.platform, vitals.platform],
    [words.started, <Time key="started" at={vitals.startedAt} />],
    [words.account, 'access' in access && <code key="id">{access.access.accountId}</code>],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function InForce({ settings }: { settings: readonly ShownSetting[] }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = show === 'all' ? settings : settings.filter(({ isDefault }) => !isDefault);
  return (
    <section className={styles.settings}>
      <h2>{words.inForce}</h2>
      <SwitchField
        label={words.changedOnly}
        isOn={show !== 'all'}
        onChange={(isOn) =>
          void navigate({ search: { show: isOn ? undefined : 'all' }, replace: true })
        }
      />
      {shown.length === 0 && <p className={styles.muted}>{words.noneTitle}</p>}
      <dl>
        {shown.map((setting) => (
          <div key={setting.name} className={styles.setting}>
            <dt>
              <code>{setting.env}</code>
              <p className={styles.muted}>{setting.description}</p>
            </dt>
            <dd>
              <code>{shownValue(setting)}</code>
              {!setting.isDefault && (
                <p className={styles.muted}>{words.default(setting.defaultText)}</p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function shownValue({ value, isSecret, isDefault, defaultText }: ShownSetting): string {
  if (isSecret && !isDefault) return words.secret;
  return value ?? defaultText;
}

/** For whoever is asked for help: no secret is in it. */
function reportOf(
  { version, runtime, platform }: Vitals,
  settings: readonly ShownSetting[],
): string {
  const changed = settings.filter(({ isDefault }) => !isDefault);
  return [
    `Watchpost ${version}, ${runtime}, ${platform}`,
    ...changed.map((setting) => `${setting.env}=${shownValue(setting)}`),
  ].join('\n');
}
