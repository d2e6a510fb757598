import { expect, test } from 'vitest';
import { watchUnheardChecks } from '#main/alerting/unheard-checks.ts';
import { addChannel, alertingCheck } from '../../fixtures/alert-world.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const DAY = 24 * 3_600_000;
const to = (alertChannelId: number, activated = true) => [{ alertChannelId, activated }];

async function watching(checks: readonly object[]) {
  const configuration = new MemoryConfiguration();
  const decides = { useGlobalAlertSettings: true, alertChannelSubscriptions: to(1) };
  await configuration.groups.put(makeGroup('v2', decides, 1));
  await configuration.groups.put(makeGroup('v2', { activated: false }, 2));
  for (const [index, members] of checks.entries()) {
    const id = `4c0f6a52-8f0e-4a57-9d53-00000000000${index}`;
    await configuration.checks.put(alertingCheck({}, { id, ...members }));
  }
  const clock = new SimulatedClock();
  const { log, lines } = recordedLog();
  const said = () => lines.splice(0).map(({ level, msg }) => `${level}: ${msg}`);
  return {
    configuration,
    said,
    clock,
    watch: () => watchUnheardChecks({ configuration, clock, log }),
  };
}

test('active checks that alert nobody are counted at the start and once a day', async () => {
  const { configuration, said, clock, watch } = await watching([
    { alertChannelSubscriptions: [] },
    { alertChannelSubscriptions: to(1, false) },
    { alertChannelSubscriptions: to(9) },
    { alertChannelSubscriptions: to(1) },
    { alertChannelSubscriptions: [], groupId: 1 },
    { alertChannelSubscriptions: [], groupId: 2 },
    { alertChannelSubscriptions: [], activated: false },
  ]);
  await addChannel(configuration, '1');
  const stop = watch();
  const unheard = [
    'warn: 3 of 5 active checks alert nobody. POST /app/alert-channels/{id}/subscribe-all subscribes all checks to a channel.',
  ];
  expect(said()).toEqual(unheard);
  await clock.advance(DAY - 1);
  expect(said()).toEqual([]);
  await clock.advance(1);
  expect(said()).toEqual(unheard);
  stop();
  await clock.advance(DAY);
  expect(said()).toEqual([]);
});

test('without a channel that is said, and nothing where every check alerts somebody', async () => {
  const { configuration, said, watch } = await watching([{ alertChannelSubscriptions: to(1) }]);
  watch()();
  expect(said()).toEqual([
    'warn: 1 of 1 active checks alert nobody. There is no alert channel: POST /v1/alert-channels makes one.',
  ]);
  await addChannel(configuration, '1');
  watch()();
  expect(said()).toEqual([]);
});
