import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHANNEL_CONFIGS, CHANNEL_TYPES, mapChannelSecrets } from '#shared/notifications/config.ts';
import { secret, secretMapper } from '#shared/secrets.ts';

/** Names of members that a receiver's keys and addresses go by. */
const CREDENTIAL =
  /(key|secret|token|pass|password|passphrase|pin|auth|authorization|credentials?|url|uri|webhook)$/i;

/** The members of a schema that look like a credential, or are locked by one, and are not marked. */
function unmarked(schema: z.core.$ZodType, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return unmarked(def.innerType, path);
  if (def.type === 'pipe') return [...unmarked(def.in, path), ...unmarked(def.out, path)];
  if (def.type === 'array') return unmarked(def.element, `${path}[]`);
  if (def.type !== 'object') return [];
  const isPair = 'locked' in def.shape;
  return Object.entries(def.shape).flatMap(([name, member]) => {
    const looksSecret = isPair ? name === 'value' : CREDENTIAL.test(name);
    if (looksSecret && secretMapper(member) === undefined) return [`${path}.${name}`];
    return unmarked(member, `${path}.${name}`);
  });
}

describe('a member that looks like a credential is marked as a secret', () => {
  test.each(CHANNEL_TYPES)('of %s', (type) => {
    expect(unmarked(CHANNEL_CONFIGS[type], 'config')).toEqual([]);
  });

  test('which this test would see where it were not', () => {
    const pair = z.object({ key: z.string(), value: z.string(), locked: z.boolean() });
    const schema = z.object({
      url: z.string(),
      accessToken: z.string().nullish(),
      apiKey: secret(z.string()).nullish(),
      headers: z.array(pair).default([]),
      topic: z.string(),
    });
    expect(unmarked(schema, 'config')).toEqual([
      'config.url',
      'config.accessToken',
      'config.headers[].value',
    ]);
  });
});

test('the secrets of a config are mapped, and nothing else of it', () => {
  const config = CHANNEL_CONFIGS.WEBHOOK.parse({
    name: 'w',
    url: 'https://w.test/1',
    webhookSecret: 's',
    headers: [
      { key: 'a', value: 'x', locked: true },
      { key: 'b', value: 'y' },
    ],
  });
  expect(mapChannelSecrets({ type: 'WEBHOOK', config }, () => '***')).toEqual({
    ...config,
    url: '***',
    webhookSecret: '***',
    headers: [
      { key: 'a', value: '***', locked: true },
      { key: 'b', value: 'y', locked: false },
    ],
  });
  const email = { type: 'EMAIL', config: { address: 'a@b.test' } } as const;
  expect(mapChannelSecrets(email, () => '***')).toEqual(email.config);
});
