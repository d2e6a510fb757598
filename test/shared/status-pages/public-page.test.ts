import { describe, expect, test } from 'vitest';
import type { IncidentSeverity } from '#shared/incidents/incident.ts';
import { headlineOf } from '#shared/status-pages/headline.ts';
import type { PublicState } from '#shared/status-pages/public-page.ts';
import { publicPage } from '#shared/status-pages/public-page-rules.ts';
import {
  DAY,
  HOUR,
  idOf,
  incidentOf,
  MINUTE,
  maintenanceOf,
  materialOf,
  PAGE_NOW as NOW,
  pageOf,
  pastIncident,
  serviceOf,
} from '../../fixtures/public-pages.ts';

const PAGE = pageOf({ Shop: ['Checkout', 'Search', 'Accounts'] });
const since = (ms: number) => [{ publishedAt: NOW - ms }];

describe('the headline', () => {
  test.each<[string, Record<string, PublicState>, string, string | null]>([
    ['no service', {}, 'All systems work', null],
    ['all is well', { A: 'works', B: 'works' }, 'All systems work', null],
    ['one', { A: 'partly-down', B: 'works' }, 'A is partly down', 'Everything else works.'],
    ['the only one', { A: 'down' }, 'A is down', null],
    ['two', { A: 'down', B: 'down', C: 'works' }, 'A and B are down', 'Everything else works.'],
    [
      'three',
      { A: 'degraded', B: 'degraded', C: 'degraded', D: 'works' },
      'A, B and C are degraded',
      'Everything else works.',
    ],
    [
      'more than three',
      { A: 'down', B: 'down', C: 'down', D: 'down', E: 'works' },
      '4 services are down',
      'Everything else works.',
    ],
    ['all', { A: 'maintenance', B: 'maintenance' }, 'Everything is under maintenance', null],
    [
      'several ways',
      { A: 'degraded', B: 'down', C: 'maintenance', D: 'works', E: 'degraded' },
      'B is down',
      'A and E are degraded. C is under maintenance. Everything else works.',
    ],
    ['nothing works', { A: 'degraded', B: 'down' }, 'B is down', 'A is degraded.'],
  ])('%s', (_, states, headline, detail) => {
    const services = Object.entries(states).map(([name, state]) => ({ id: name, name, state }));
    expect(headlineOf(services)).toMatchObject({ headline, detail });
  });
});

describe('the state of a service', () => {
  test.each<[IncidentSeverity, PublicState]>([
    ['CRITICAL', 'down'],
    ['MAJOR', 'partly-down'],
    ['MEDIUM', 'degraded'],
    ['MINOR', 'degraded'],
  ])('an open incident of severity %s: %s', (severity, state) => {
    const incident = incidentOf(2, ['Checkout'], since(HOUR), { severity });
    const { state: whole, cards } = publicPage(materialOf(PAGE, { incidents: [incident] }));
    expect([whole, ...(cards[0]?.services.map((service) => service.state) ?? [])]).toEqual([
      state,
      state,
      'works',
      'works',
    ]);
  });

  test('the worst of several incidents counts', () => {
    const incidents = [
      incidentOf(2, ['Search'], since(HOUR), { severity: 'MINOR' }),
      incidentOf(3, ['Search'], since(HOUR), { severity: 'CRITICAL' }),
    ];
    expect(publicPage(materialOf(PAGE, { incidents })).state).toBe('down');
  });

  test('maintenance that runs counts where there is no incident', () => {
    const occurrences = [maintenanceOf(['Search', 'Checkout'], [NOW - HOUR, NOW + HOUR])];
    const incidents = [incidentOf(2, ['Search'], since(HOUR), { severity: 'MINOR' })];
    const { headline, detail } = publicPage(materialOf(PAGE, { incidents, occurrences }));
    expect({ headline, detail }).toEqual({
      headline: 'Search is degraded',
      detail: 'Checkout is under maintenance. Everything else works.',
    });
  });

  test('a resolved incident counts no longer, and one of another page never', () => {
    const incidents = [
      pastIncident(2, ['Checkout'], [NOW - HOUR, NOW - MINUTE]),
      incidentOf(3, ['Elsewhere'], since(HOUR)),
    ];
    const shown = publicPage(materialOf(PAGE, { incidents }));
    expect(shown).toMatchObject({ state: 'works', open: [], recent: [{ id: incidents[0]?.id }] });
  });
});

describe('what is public goes by public dates', () => {
  test('an incident whose first date lies ahead is not there yet', () => {
    const incidents = [incidentOf(2, ['Checkout'], since(-HOUR))];
    const shown = publicPage(materialOf(PAGE, { incidents }));
    expect(shown).toMatchObject({ state: 'works', open: [], recent: [], months: [] });
    expect(shown.validUntil).toBe(NOW + HOUR);
    const later = publicPage(materialOf(PAGE, { incidents, now: NOW + HOUR }));
    expect(later.state).toBe('partly-down');
  });

  test('an update whose date lies ahead is not there yet', () => {
    const updates = [...since(HOUR), { publishedAt: NOW + 30_000, status: 'MONITORING' as const }];
    const incidents = [incidentOf(2, ['Checkout'], updates)];
    const shown = publicPage(materialOf(PAGE, { incidents }));
    expect(shown.open[0]).toMatchObject({ status: 'INVESTIGATING', updates: [{}] });
    expect(shown.validUntil).toBe(NOW + 30_000);
  });

  test('of those that are open the worst comes first, then the newest', () => {
    const open = (['MINOR', 'CRITICAL', 'MAJOR', 'CRITICAL'] as const).map((severity, index) =>
      incidentOf(index, ['Checkout'], [{ publishedAt: NOW - index * HOUR }], { severity }),
    );
    const shown = publicPage(materialOf(PAGE, { incidents: open }));
    expect(shown.open.map(({ name }) => name)).toEqual(
      [1, 3, 2, 0].map((number) => `Incident ${number}`),
    );
  });

  test('one that will be resolved is open until then', () => {
    const incidents = [pastIncident(2, ['Checkout'], [NOW - HOUR, NOW + HOUR])];
    const shown = publicPage(materialOf(PAGE, { incidents }));
    expect(shown.open).toMatchObject([{ id: incidents[0]?.id, endedAt: null }]);
  });
});

describe('incidents on a page', () => {
  test('have their updates newest first, and of their services those of the page', () => {
    const updates = [
      { publishedAt: NOW - HOUR },
      { publishedAt: NOW - MINUTE, status: 'MONITORING' as const },
      { publishedAt: NOW - 30 * MINUTE, status: 'IDENTIFIED' as const },
    ];
    const incident = incidentOf(2, ['Checkout', 'Hidden'], updates);
    const { open } = publicPage(materialOf(PAGE, { incidents: [incident] }));
    expect(open[0]?.services.map(({ name }) => name)).toEqual(['Checkout']);
    expect(open[0]?.status).toBe('MONITORING');
    expect(open[0]?.updates.map(({ status }) => status)).toEqual([
      'MONITORING',
      'IDENTIFIED',
      'INVESTIGATING',
    ]);
  });

  test('are recent for a week, and counted by month for a year', () => {
    const ended = (number: number, days: number) =>
      pastIncident(number, ['Search'], [NOW - days * DAY, NOW - days * DAY + HOUR]);
    const incidents = [ended(2, 1), ended(3, 6), ended(4, 8), ended(5, 20), ended(6, 200)];
    const { recent, months } = publicPage(materialOf(PAGE, { incidents }));
    expect(recent.map(({ name }) => name)).toEqual(['Incident 2', 'Incident 3']);
    expect(months).toEqual(['2026-01', '2025-12', '2025-06']);
  });
});

describe('services and cards', () => {
  test('a service of two cards counts once for the page', () => {
    const page = pageOf({ One: ['Search'], Two: ['Search'] });
    const incidents = [incidentOf(2, ['Search'], since(HOUR))];
    const { headline, cards } = publicPage(materialOf(page, { incidents }));
    expect(headline).toBe('Search is partly down');
    expect(cards.map(({ services }) => services.length)).toEqual([1, 1]);
  });

  test('a card without services, or with deleted ones only, is left out', () => {
    const page = pageOf({ Empty: [], Gone: ['Gone'], Shop: ['Search'] });
    const { cards } = publicPage(materialOf(page, { services: [serviceOf('Search')] }));
    expect(cards.map(({ name }) => name)).toEqual(['Shop']);
  });

  test('a card has the mean of its services', () => {
    const incidents = [pastIncident(2, ['Search'], [NOW - DAY, NOW])];
    const { cards } = publicPage(materialOf(PAGE, { incidents }));
    expect(cards[0]?.services.map(({ uptime }) => uptime)).toEqual([100, 98.88, 100]);
    expect(cards[0]?.uptime).toBe(99.62);
  });

  test('a service that is new has days before it was there', () => {
    const services = [
      serviceOf('Checkout', '2026-01-13T10:00:00.000Z'),
      serviceOf('Search', '2020-01-01T00:00:00.000Z'),
      serviceOf('Accounts', '2027-01-01T00:00:00.000Z'),
    ];
    const { cards } = publicPage(materialOf(PAGE, { services }));
    expect(cards[0]?.services.map(({ emptyDays }) => emptyDays)).toEqual([87, 0, 89]);
  });
});

describe('maintenance', () => {
  test('runs, is announced by its start, or is over', () => {
    const at = (hours: number, id: number, members = {}) =>
      maintenanceOf(['Search'], [NOW + hours * HOUR, NOW + (hours + 2) * HOUR], {
        id: idOf(id),
        ...members,
      });
    const { running, announced } = publicPage(
      materialOf(PAGE, {
        occurrences: [
          at(-5, 1),
          at(-1, 2),
          at(-1, 3, { status: 'SCHEDULED' }),
          at(3, 4),
          at(4, 5, { status: 'CANCELLED' }),
          at(5, 6, { serviceIds: [] }),
        ],
      }),
    );
    expect(running.map(({ id }) => id)).toEqual([idOf(2)]);
    expect(announced.map(({ id }) => id)).toEqual([idOf(3), idOf(4), idOf(6)]);
    expect(announced.map(({ services }) => services.length)).toEqual([1, 1, 0]);
  });

  test('leaves the time of an incident within it out of the percentage', () => {
    const incidents = [pastIncident(2, ['Search'], [NOW - 5 * HOUR, NOW - HOUR])];
    const during = (members = {}) =>
      maintenanceOf(['Search'], [NOW - 6 * HOUR, NOW], { status: 'COMPLETED', ...members });
    const searchWith = (occurrence: ReturnType<typeof during>) =>
      publicPage(materialOf(PAGE, { incidents, occurrences: [occurrence] })).cards[0]?.services[1];
    expect(searchWith(during())?.uptime).toBe(100);
    expect(searchWith(during({ status: 'CANCELLED' }))?.uptime).toBe(99.81);
    expect(searchWith(during({ serviceIds: [] }))?.uptime).toBe(99.81);
  });
});

describe('a page holds until', () => {
  const midnight = Date.UTC(2026, 0, 16);
  test.each<[string, Parameters<typeof materialOf>[1], number]>([
    ['the next day', {}, midnight],
    [
      'a minute has passed, while an incident is open',
      { incidents: [incidentOf(2, ['Search'], since(HOUR))] },
      NOW + MINUTE,
    ],
    [
      'maintenance begins',
      { occurrences: [maintenanceOf([], [NOW + HOUR, NOW + 2 * HOUR])] },
      NOW + HOUR,
    ],
    [
      'maintenance ends',
      { occurrences: [maintenanceOf([], [NOW - HOUR, NOW + 2 * HOUR])] },
      NOW + 2 * HOUR,
    ],
  ])('%s', (_, parts, expected) => {
    expect(publicPage(materialOf(PAGE, parts)).validUntil).toBe(expected);
  });
});
