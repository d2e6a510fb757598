import {
  type ChannelConfigs,
  type ChannelType,
  mapChannelSecrets,
} from '#shared/notifications/config.ts';
import type { ShownChannel } from '#shared/notifications/view.ts';

type Config = Readonly<Record<string, unknown>>;

/** A channel's config as a form shows it: each secret that there is, is an empty text. */
export function withoutSecrets({ type, config }: ShownChannel): Record<string, unknown> {
  const stored = { type, config: config as ChannelConfigs[ChannelType] };
  return mapChannelSecrets(stored, () => '');
}

/** What was typed, with the secrets that there are wherever nothing was typed in their place. */
export function withSecrets(typed: Config, { type, config }: ShownChannel): Config {
  const shown = withoutSecrets({ type, config } as ShownChannel);
  const members = Object.entries(typed).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? withRowSecrets(value as Row[], config[name])
      : value === '' && shown[name] === ''
        ? config[name]
        : value,
  ]);
  return Object.fromEntries(members);
}

interface Row {
  key?: unknown;
  value?: unknown;
  locked?: boolean;
}

/** Rows have no ids: one that is locked and empty is the stored one of its name. */
function withRowSecrets(rows: readonly Row[], stored: unknown): readonly Row[] {
  const known = Array.isArray(stored) ? (stored as Row[]) : [];
  return rows.map((row) => {
    const before = known.find(({ key, locked }) => locked === true && key === row.key);
    const isKept = row.locked === true && row.value === '' && before !== undefined;
    return isKept ? { ...row, value: before.value } : row;
  });
}

/** Where a channel's URL leads; undefined where it has none. */
export function hostOf({ config }: ShownChannel): string | undefined {
  const { url } = config;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined;
}
