import { expect, it } from 'vitest';
import type { IncidentActors } from '#main/incidents/incident-actors.ts';
import { incidentsOf, incidentWorld, TRIGGER, toldOf } from '../../fixtures/incident-world.ts';

/** Name and first text of the incident of a check whose run fails. */
async function opened(members: object, check: object = {}) {
  const triggerIncident = { ...TRIGGER, ...members };
  const world = await incidentWorld({ triggerIncident, ...check });
  await world.run('F');
  const [incident] = incidentsOf(world);
  return { name: incident?.name, text: incident?.updates[0]?.description };
}

it.each<[string, string, string]>([
  ['a text', 'Shop is down', 'Shop is down'],
  ['a variable', '{{CHECK_NAME}} is down', 'Shop API is down'],
  ['the title of the alert', '{{ALERT_TITLE}}', '"Shop API" has failed'],
  ['a template that cannot be read', '{{#if CHECK_NAME}}down', '{{#if CHECK_NAME}}down'],
  ['a template that says nothing', '{{GROUP_NAME}} ', 'Shop API'],
  ['several lines', 'Shop\n is\tdown', 'Shop  is down'],
  [
    'too much',
    '{{#each TAGS}}{{CHECK_ERROR_MESSAGE}}{{CHECK_ID}}{{/each}}',
    `${'Connection refused4c0f6a52-8f0e-4a57-9d53-6c1b1d0f7a01'.repeat(5)}`.slice(0, 255),
  ],
])('a name that is %s', async (_, name, expected) => {
  const tags = ['a', 'b', 'c', 'd', 'e'];
  expect((await opened({ name }, { tags })).name).toBe(expected);
});

it.each<[string, string, string]>([
  ['a text', 'We are on it.', 'We are on it.'],
  [
    'Markdown and variables',
    '**{{CHECK_NAME}}**: {{CHECK_ERROR_MESSAGE}}',
    '**Shop API**: Connection refused',
  ],
  ['a template that cannot be read', '{{nothing here}}', '{{nothing here}}'],
  ['empty', '', 'Shop API fails.'],
])('a description that is %s', async (_, description, expected) => {
  expect((await opened({ description })).text).toBe(expected);
});

it('values of a description make no link, whatever a target answers', async () => {
  const name = '[Log in](http://evil.example)\n[a]: http://evil.example';
  const { text } = await opened(
    { description: '{{CHECK_NAME}} [help](http://a.example)' },
    { name },
  );
  expect(text).toBe(
    '[Log in]\\(http://evil.example) [a]\\: http://evil.example [help](http://a.example)',
  );
});

it('the name of a check makes no link in what automation says', async () => {
  const name = '[Log in](http://evil.example)';
  const world = await incidentWorld({ name, triggerIncident: { ...TRIGGER, description: '' } });
  await world.run('FDFP');
  const said = incidentsOf(world)[0]?.updates.map(({ description }) => description) ?? [];
  expect(said).toHaveLength(4);
  for (const text of said) expect(text).toMatch(/^\[Log in\]\\\(http:\/\/evil\.example\) /);
});

it('an incident that cannot be decided costs neither the result nor the alert', async () => {
  const world = await incidentWorld();
  await world.run('P');
  const broken: Pick<IncidentActors, 'after'> = {
    after: () => {
      throw new Error('our fault');
    },
  };
  world.life.incidents.after = broken.after;
  await world.run('FP');
  expect([world.recorded, toldOf(world)]).toEqual([['FAILURE', 'RECOVERY'], []]);
  expect(world.history.resultCount).toBe(3);
});
