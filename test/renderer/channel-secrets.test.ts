import { describe, expect, it } from 'vitest';
import {
  hostOf,
  withoutSecrets,
  withSecrets,
} from '#renderer/screens/settings-channels/channel-secrets.ts';
import type { ShownChannel } from '#shared/notifications/view.ts';

const CONFIG = {
  name: 'on call',
  url: 'https://hooks.example.com/services/T0/B0/secret',
  method: 'POST',
  headers: [
    { key: 'x-team', value: 'shop', locked: false },
    { key: 'authorization', value: 'Bearer abc', locked: true },
  ],
  queryParameters: [],
  template: null,
  webhookSecret: 'signs',
  webhookType: null,
};
const channel = { type: 'WEBHOOK', config: CONFIG } as unknown as ShownChannel;
const shown = {
  ...CONFIG,
  url: '',
  headers: [CONFIG.headers[0], { key: 'authorization', value: '', locked: true }],
  webhookSecret: '',
};

describe('the secrets of a channel', () => {
  it('are empty texts in a form, and nothing else is', () => {
    expect(withoutSecrets(channel)).toEqual(shown);
  });

  it.each([
    ['nothing was typed', shown, CONFIG],
    ['others were typed', { ...shown, name: 'pager' }, { ...CONFIG, name: 'pager' }],
    ['one was typed', { ...shown, webhookSecret: 'new' }, { ...CONFIG, webhookSecret: 'new' }],
    ['one was taken away', { ...shown, webhookSecret: null }, { ...CONFIG, webhookSecret: null }],
    ['a header was taken away', { ...shown, headers: [] }, { ...CONFIG, headers: [] }],
    [
      'a header is no secret any more',
      { ...shown, headers: [{ key: 'authorization', value: '', locked: false }] },
      { ...CONFIG, headers: [{ key: 'authorization', value: '', locked: false }] },
    ],
    [
      'a header has another name',
      { ...shown, headers: [{ key: 'x-key', value: '', locked: true }] },
      { ...CONFIG, headers: [{ key: 'x-key', value: '', locked: true }] },
    ],
  ])('are sent as they were but for what was typed, where %s', (_where, typed, sent) => {
    expect(withSecrets(typed, channel)).toEqual(sent);
  });

  it('of a channel that has none stay none', () => {
    const plain = { ...channel, config: { ...CONFIG, webhookSecret: null } } as ShownChannel;
    expect(withSecrets({ ...shown, webhookSecret: null }, plain)).toEqual(plain.config);
  });

  it('tell no more than where a URL leads', () => {
    expect(hostOf(channel)).toBe('hooks.example.com');
    expect(hostOf({ type: 'EMAIL', config: { address: 'a@b.c' } } as never)).toBeUndefined();
  });
});
