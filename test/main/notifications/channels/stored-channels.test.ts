import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { makeChannel } from '../../../fixtures/notification-contents.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const CHANNELS: AlertChannel[] = [
  makeChannel('SLACK', { url: 'https://hooks.slack.test/SECRET1', channel: '#ops' }, { id: '1' }),
  makeChannel(
    'WEBHOOK',
    {
      name: 'visible-name',
      url: 'https://api.telegram.org/botSECRET2/sendMessage',
      headers: [
        { key: 'x-locked', value: 'SECRET3', locked: true },
        { key: 'x-open', value: 'visible-header', locked: false },
      ],
      queryParameters: [{ key: 'token', value: 'SECRET4', locked: true }],
      webhookSecret: 'SECRET5',
      template: 'visible-template',
    },
    { id: '2' },
  ),
  makeChannel('PAGERDUTY', { serviceKey: 'SECRET6', serviceName: 'visible-service' }, { id: '3' }),
  makeChannel('OPSGENIE', { name: 'o', apiKey: 'SECRET7' }, { id: '4' }),
  makeChannel('EMAIL', { address: 'visible@example.com' }, { id: '5' }),
];

test('what opens a service to others is encrypted on the disk, and read back', async () => {
  const folder = await temporaryFolder();
  const written = await openConfiguration(folder);
  for (const channel of CHANNELS) await written.channels.put(channel);
  await written.close();
  const text = await readFile(join(folder, 'alert-channels.json'), 'utf8');
  expect(text.match(/SECRET\d/g)).toBeNull();
  const visible = ['#ops', 'visible-name', 'visible-header', 'visible-template', 'visible-service'];
  for (const word of [...visible, 'visible@example.com']) expect(text).toContain(word);
  const read = await openConfiguration(folder);
  expect(read.channels.all()).toEqual(CHANNELS);
  await read.close();
});
