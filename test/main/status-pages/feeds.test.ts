import { DOMParser, type Element } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { atomFeed, entriesOf, MAX_ENTRIES, rssFeed } from '#main/status-pages/feeds.ts';
import { Markdown } from '#main/status-pages/html/markdown.ts';
import { statusJson } from '#main/status-pages/status-json.ts';
import type { PublicIncident } from '#shared/status-pages/public-page.ts';
import {
  publicIncident,
  publicMaintenance,
  publicPage,
  servicesOf,
} from '#shared/status-pages/public-page-rules.ts';
import { INJECTIONS } from '../../fixtures/injections.ts';
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
  serviceId,
} from '../../fixtures/public-pages.ts';

const ADDRESS = 'https://status.acme.example';
const AT = { home: ADDRESS, ending: '' } as const;
const PAGE = pageOf({ Shop: ['Checkout', 'Search'] });
const MATERIAL = materialOf(PAGE);
const SHOWN = servicesOf(MATERIAL);
const INCIDENT = incidentOf(
  2,
  ['Checkout'],
  [
    { publishedAt: NOW - HOUR, description: 'We *look*.' },
    { publishedAt: NOW - MINUTE, status: 'RESOLVED', description: 'Over.' },
  ],
  { name: 'Payments fail' },
);
const PLANNED = maintenanceOf(['Search'], [NOW + DAY, NOW + DAY + HOUR], { name: 'Larger disk' });

function feedsOf(incidents: PublicIncident[], maintenance = [publicMaintenance(PLANNED, SHOWN)]) {
  const entries = entriesOf({ incidents, maintenance }, AT);
  const parts = { page: PAGE, at: AT, entries, markdown: new Markdown() };
  return {
    rss: parse(rssFeed(parts, 'markup').text),
    slack: parse(rssFeed(parts, 'text').text),
    atom: parse(atomFeed(parts).text),
  };
}

/** Throws on whatever is not well-formed. */
function parse(xml: string): Element {
  const onError = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(message);
  };
  const root = new DOMParser({ onError }).parseFromString(xml, 'text/xml').documentElement;
  if (root === null) throw new Error('There is no root.');
  return root;
}

const all = (root: Element, name: string) => [...root.getElementsByTagName(name)];
const textOf = (root: Element, name: string) =>
  root.getElementsByTagName(name)[0]?.textContent ?? null;

describe('feeds of an incident that was resolved and of maintenance to come', () => {
  const { rss, slack, atom } = feedsOf([publicIncident(INCIDENT, SHOWN, NOW)]);
  const [resolved, opened] = [idOf(2_001, NOW - HOUR), idOf(2_000, NOW - HOUR)];

  test('RSS has each update, newest first, with an id for ever', () => {
    expect(rss.tagName).toBe('rss');
    const items = all(rss, 'item').map((item) =>
      ['title', 'guid', 'pubDate', 'link', 'description'].map((name) => textOf(item, name)),
    );
    const link = `${ADDRESS}/incidents/${INCIDENT.id}#update-`;
    expect(items).toEqual([
      [
        'Payments fail: Resolved',
        resolved,
        'Thu, 15 Jan 2026 13:34:00 GMT',
        link + resolved,
        '<p>Checkout</p><p>Over.</p>\n',
      ],
      [
        'Payments fail: Investigating',
        opened,
        'Thu, 15 Jan 2026 12:35:00 GMT',
        link + opened,
        '<p>Checkout</p><p>We <em>look</em>.</p>\n',
      ],
      [
        'Larger disk: maintenance',
        PLANNED.id,
        'Fri, 02 Jan 2026 13:35:00 GMT',
        `${ADDRESS}/maintenances/${PLANNED.id}`,
        '<p>16 Jan 2026, 13:35 UTC to 16 Jan 2026, 14:35 UTC. Search</p>',
      ],
    ]);
    expect(all(rss, 'guid').map((guid) => guid.getAttribute('isPermaLink'))).toEqual(
      Array(3).fill('false'),
    );
  });

  test('Slack has the same as plain text', () => {
    expect(all(slack, 'item').map((item) => textOf(item, 'description'))).toEqual([
      'Checkout\n\nOver.',
      'Checkout\n\nWe *look*.',
      '16 Jan 2026, 13:35 UTC to 16 Jan 2026, 14:35 UTC. Search',
    ]);
    expect(all(slack, 'atom:link')[0]?.getAttribute('href')).toBe(`${ADDRESS}/slack.rss`);
  });

  test('Atom has what RFC 4287 demands', () => {
    expect(atom.namespaceURI).toBe('http://www.w3.org/2005/Atom');
    expect(textOf(atom, 'id')).toBe(`${ADDRESS}/`);
    expect(textOf(atom, 'updated')).toBe('2026-01-15T13:34:00.000Z');
    expect(textOf(atom, 'name')).toBe('Acme');
    expect(
      all(atom, 'link')
        .slice(0, 2)
        .map((link) => link.getAttribute('href')),
    ).toEqual([`${ADDRESS}/`, `${ADDRESS}/feed.atom`]);
    const entries = all(atom, 'entry');
    expect(entries.map((entry) => textOf(entry, 'id'))).toEqual([
      `urn:uuid:${resolved}`,
      `urn:uuid:${opened}`,
      `urn:uuid:${PLANNED.id}`,
    ]);
    expect(entries.map((entry) => all(entry, 'content')[0]?.getAttribute('type'))).toEqual(
      Array(3).fill('html'),
    );
  });
});

test('a feed of nothing is a feed', () => {
  const { rss, atom } = feedsOf([], []);
  expect(all(rss, 'item')).toEqual([]);
  expect(textOf(atom, 'updated')).toBe(PAGE.created_at);
});

test('a feed has its newest entries only', () => {
  const updates = Array.from({ length: 60 }, (_, index) => ({ publishedAt: NOW - index * MINUTE }));
  const { rss } = feedsOf([publicIncident(incidentOf(3, ['Search'], updates), SHOWN, NOW)], []);
  expect(all(rss, 'item')).toHaveLength(MAX_ENTRIES);
  expect(textOf(rss, 'pubDate')).toBe('Thu, 15 Jan 2026 13:35:00 GMT');
});

test.each(INJECTIONS)('no name and no text adds an element to a feed: %j', (text) => {
  const incident = incidentOf(3, ['Search'], [{ publishedAt: NOW - HOUR, description: text }], {
    name: text,
  });
  const names = (root: Element) => [...root.getElementsByTagName('*')].map((one) => one.tagName);
  const plain = feedsOf([publicIncident({ ...incident, name: 'x' }, SHOWN, NOW)]);
  const injected = feedsOf([publicIncident(incident, SHOWN, NOW)]);
  for (const kind of ['rss', 'slack', 'atom'] as const) {
    expect(names(injected[kind])).toEqual(names(plain[kind]));
  }
  const [content] = all(injected.atom, 'content');
  expect(content?.textContent).not.toMatch(/<(?:script|img|svg|iframe|style|math)\b/);
});

test('JSON has what the page shows, and nothing of a check', () => {
  const open = incidentOf(4, ['Checkout'], [{ publishedAt: NOW - HOUR }], { name: 'Fire' });
  const page = materialOf(PAGE, { incidents: [open, INCIDENT], occurrences: [PLANNED] });
  const json = JSON.parse(statusJson(PAGE, publicPage(page), AT));
  expect(json).toMatchObject({
    page: { name: 'Acme', url: ADDRESS },
    updatedAt: '2026-01-15T13:35:00.000Z',
    state: 'partly-down',
    headline: 'Checkout is partly down',
    detail: 'Everything else works.',
    cards: [
      {
        name: 'Shop',
        services: [
          {
            id: serviceId('Checkout'),
            state: 'partly-down',
            uptime: 99.95,
            days: [
              {
                date: '2026-01-15',
                state: 'partly-down',
                minutesDown: 60,
                names: ['Fire', 'Payments fail'],
              },
            ],
          },
          { id: serviceId('Search'), state: 'works', uptime: 100, days: [] },
        ],
      },
    ],
    incidents: [{ name: 'Fire', endedAt: null, updates: [{ status: 'INVESTIGATING' }] }],
    recentIncidents: [{ name: 'Payments fail', endedAt: '2026-01-15T13:34:00.000Z' }],
    maintenance: { running: [], announced: [{ name: 'Larger disk', status: 'SCHEDULED' }] },
  });
  expect(JSON.stringify(json)).not.toMatch(/automation|checkId|notifySubscribers/);
});
