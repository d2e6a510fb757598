import { expect, test } from 'vitest';
import { readSettings } from '#main/platform/settings/read.ts';
import { shownSettings } from '#main/platform/settings/shown.ts';
import { SETTING_NAMES, SETTINGS } from '#main/platform/settings/table.ts';

function shown(env: Record<string, string>) {
  const read = readSettings({ flags: {}, env, readConfigFile: () => ({ kind: 'missing' }) });
  if (read.settings === null) throw new Error(read.problems.join('; '));
  return new Map(shownSettings(read.settings).map((setting) => [setting.name, setting]));
}

test('every setting is shown, and none that is secret with its value', () => {
  const secrets = {
    WATCHPOST_API_KEY: 'wp_secret-0123456789abcdef',
    WATCHPOST_SMTP_HOST: 'mail.example.com',
    WATCHPOST_SMTP_PASSWORD: 'secret-password',
    WATCHPOST_OTLP_HEADERS: 'authorization=secret-token',
  };
  const all = shown(secrets);
  expect([...all.keys()]).toEqual(SETTING_NAMES);
  expect(JSON.stringify([...all.values()])).not.toContain('secret-');
  expect(all.get('smtpPassword')).toMatchObject({ isSecret: true, isDefault: false, value: null });
  expect(SETTINGS.smtpPassword.secret).toBe(true);
});

test.each([
  ['WATCHPOST_PORT', '9000', 'port', '9000'],
  ['WATCHPOST_ALLOWED_HOSTS', 'a.example, b.example', 'allowedHosts', 'a.example, b.example'],
  ['WATCHPOST_PROBE_ANCHORS', 'one.example:443', 'probeAnchors', 'one.example:443'],
])('%s=%s is shown as people write it', (env, given, name, value) => {
  expect(shown({ [env]: given }).get(name)).toMatchObject({ value, isDefault: false });
});

test('what nobody set is as it was delivered', () => {
  const all = shown({});
  expect(all.get('port')).toMatchObject({ value: '8440', isDefault: true });
  expect(all.get('publicUrl')).toMatchObject({ value: null, isDefault: true });
});
