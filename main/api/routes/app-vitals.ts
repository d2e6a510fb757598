import { arch, release, type } from 'node:os';
import { z } from 'zod';
import { VERSION } from '#main/platform/version.ts';
import { shownSetting } from '#shared/self-monitoring/shown-setting.ts';
import { vitals } from '#shared/self-monitoring/vitals.ts';
import { KEY, operation } from '../operation.ts';

const readVitals = operation({
  id: 'readVitals',
  method: 'get',
  path: '/app/vitals',
  tag: 'Appliance',
  summary: 'How the appliance did in the last hour',
  description:
    'A sample of every ten seconds: runs, how late they began, standstills, what waits, memory.',
  access: KEY,
  internal: true,
  status: 200,
  response: vitals,
  handle: (_input, services) => {
    const runtime = `Node ${process.version}`;
    const platform = `${type()} ${release()}, ${arch()}`;
    const json = { version: VERSION, runtime, platform, ...services.vitals.read() };
    return { content: { json } };
  },
});

const readSettings = operation({
  id: 'readSettings',
  method: 'get',
  path: '/app/settings',
  tag: 'Appliance',
  summary: 'The settings in force, without what is secret',
  access: KEY,
  internal: true,
  status: 200,
  response: z.array(shownSetting),
  handle: (_input, { shownSettings }) => ({ content: { json: shownSettings } }),
});

export const vitalsOperations = [readVitals, readSettings];
