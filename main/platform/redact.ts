import pino from 'pino';

/** Members whose values are never logged, whatever object they are part of. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'password',
  'key',
  'apikey',
  'token',
  'admintoken',
  'pingtoken',
  'secret',
  'webhooksecret',
  'servicekey',
  'smtppassword',
  'twiliotoken',
  'slacktoken',
]);

const HIDDEN = '***';
const MAX_DEPTH = 6;
const MAX_MEMBERS = 200;

/** Secrets known by their form, inside any text: our keys, bearer tokens, tokens of ping and trigger URLs. */
const SECRET_FORMS: readonly [RegExp, string][] = [
  [/\bwp_[\w-]{16,}/g, 'wp_***'],
  [/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, '$1 ***'],
  [/\/ping\/[\w-]+/g, '/ping/***'],
  [/\/trigger\/[\w-]+/gi, '/trigger/***'],
];

/**
 * For what pino does not pass through its formatter: the bindings of child logs. An error that
 * went through {@link hideSecrets} is plain already.
 */
export const SERIALIZERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...Object.fromEntries([...SECRET_KEYS].map((key) => [key, () => HIDDEN])),
  err: (error) => (error instanceof Error ? hideSecrets({ error }).error : error),
};

/** A copy of what is to be logged with the values of secret members hidden, to a bounded depth. */
export function hideSecrets(members: object): Record<string, unknown> {
  return copyObject(members, 0);
}

/** A text with every secret of a known form hidden. */
export function hideSecretsInText(text: string): string {
  return SECRET_FORMS.reduce((seen, [form, instead]) => seen.replace(form, instead), text);
}

function copyObject(members: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members)
      .slice(0, MAX_MEMBERS)
      .map(([name, value]) => [name, isSecret(name, value) ? HIDDEN : copy(value, depth + 1)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return value !== null && value !== undefined && SECRET_KEYS.has(name.toLowerCase());
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return copyObject(pino.stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => copy(item, depth + 1));
  return copyObject(value, depth);
}
