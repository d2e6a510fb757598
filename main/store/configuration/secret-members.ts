/** Gives something for a text that is secret; what it gives takes the place of the text. */
export type MapSecret = (text: string) => unknown;

/** A copy of a record with its secret texts mapped; every other member as it was. */
export type MapSecrets = (record: object, map: MapSecret) => object;

interface Hideable {
  value: string | null;
  locked?: boolean;
  secret?: boolean;
}

/** The members of a check that may hold secrets, whatever its type. */
interface CheckMembers {
  environmentVariables?: readonly Hideable[] | null;
  request?: RequestMembers;
  heartbeat?: { pingToken?: string };
}

interface GroupMembers {
  environmentVariables?: readonly Hideable[] | null;
  apiCheckDefaults: RequestMembers;
}

/** What a check's request and a group's defaults for one have in common. */
interface RequestMembers {
  basicAuth?: { password: string } | null;
  headers?: readonly Hideable[];
  queryParameters?: readonly Hideable[];
}

/** Of a trigger: its token, which opens its URL to anyone. */
export const mapTrigger: MapSecrets = (record, map) => ({
  ...record,
  token: map((record as { token: string }).token),
});

/** Of a variable or header: its value, where it is locked or secret. */
export const mapVariable: MapSecrets = (record, map) => mapHideable(record as Hideable, map);

/**
 * Of a check: locked and secret variables, locked headers and query parameters, and the password of
 * its request, and the token of a heartbeat, which opens its ping URL to anyone. An empty text is no
 * secret.
 */
export const mapCheck: MapSecrets = (record, map) => {
  const { environmentVariables, request, heartbeat } = record as CheckMembers;
  return {
    ...record,
    ...(environmentVariables && { environmentVariables: mapList(environmentVariables, map) }),
    ...(request && { request: mapRequest(request, map) }),
    ...(heartbeat?.pingToken && {
      heartbeat: { ...heartbeat, pingToken: map(heartbeat.pingToken) },
    }),
  };
};

/** Of a group: the same, of its variables and of what it gives its API checks. */
export const mapGroup: MapSecrets = (record, map) => {
  const { environmentVariables, apiCheckDefaults } = record as GroupMembers;
  return {
    ...record,
    ...(environmentVariables && { environmentVariables: mapList(environmentVariables, map) }),
    apiCheckDefaults: mapRequest(apiCheckDefaults, map),
  };
};

function mapRequest(request: RequestMembers, map: MapSecret): object {
  const { basicAuth, headers, queryParameters } = request;
  return {
    ...request,
    ...(basicAuth?.password && {
      basicAuth: { ...basicAuth, password: map(basicAuth.password) },
    }),
    ...(headers && { headers: mapList(headers, map) }),
    ...(queryParameters && { queryParameters: mapList(queryParameters, map) }),
  };
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
    ...record,
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
