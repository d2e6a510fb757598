import type { MapSecret, MapSecrets } from '#shared/secrets.ts';

interface Hideable {
  value: string | null;
  locked?: boolean;
  secret?: boolean;
}

function mapList(list: readonly Hideable[], map: MapSecret): object[] {
  return list.map((item) => mapHideable(item, map));
}

function mapHideable(item: Hideable, map: MapSecret): object {
  const { value, locked, secret } = item;
  return value && (locked || secret) ? { ...item, value: map(value) } : item;
}

/** The members of a channel's config that are secret whole. */
const CONFIG_SECRETS = ['webhookSecret', 'serviceKey', 'apiKey'] as const;

interface ChannelMembers {
  config: Readonly<Record<string, unknown>> & {
    url?: unknown;
    headers?: readonly Hideable[];
    queryParameters?: readonly Hideable[];
  };
}

/**
 * Of an alert channel: its keys, its locked headers and query parameters, and the URL it sends to,
 * which of most services is all that one needs to write there.
 */
export const mapChannel: MapSecrets = (record, map) => {
  const { config } = record as ChannelMembers;
  const { headers, queryParameters } = config;
  const names = [...CONFIG_SECRETS, 'url'].filter((name) => isText(config[name]));
  const mapped = names.map((name) => [name, map(config[name] as string)]);
  return {
    ...(record as ChannelMembers),
    config: {
      ...config,
      ...Object.fromEntries(mapped),
      ...(headers && { headers: mapList(headers, map) }),
      ...(queryParameters && { queryParameters: mapList(queryParameters, map) }),
    },
  };
};

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
