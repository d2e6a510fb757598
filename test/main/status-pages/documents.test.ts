import { describe, expect, test } from 'vitest';
import { durationText, minutesText } from '#main/status-pages/html/durations.ts';
import { Markdown } from '#main/status-pages/html/markdown.ts';
import { messagePage, passwordPage } from '#main/status-pages/html/message-page.ts';
import { incidentPage, maintenancePage, monthPage } from '#main/status-pages/html/past-pages.ts';
import { serviceDays } from '#main/status-pages/html/service-days.ts';
import { statusPage as pageInSteps } from '#main/status-pages/html/status-page.ts';
import { theme } from '#main/status-pages/html/theme.ts';
import type { View } from '#main/status-pages/html/view.ts';
import { THEME_COLOURS, type ThemeColors } from '#shared/status-pages/page-members.ts';
import type { PublicService } from '#shared/status-pages/public-page.ts';
import { publicPage } from '#shared/status-pages/public-page-rules.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import {
  DAY,
  HOUR,
  incidentOf,
  MINUTE,
  maintenanceOf,
  materialOf,
  PAGE_NOW as NOW,
  pageOf,
  pastIncident,
} from '../../fixtures/public-pages.ts';

const CARDS = { Shop: ['Checkout', 'Search', 'Accounts'] };
const OUTAGE = incidentOf(
  2,
  ['Checkout'],
  [{ publishedAt: NOW - 14 * MINUTE, description: 'We see **errors**.' }],
  { name: 'Payments fail' },
);

function statusPage(...of: Parameters<typeof pageInSteps>) {
  const steps = pageInSteps(...of);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function viewOf(page: StatusPage, members: Partial<View> = {}): View {
  const links = { root: './', ending: '' } as const;
  return { page, links, markdown: new Markdown(), takesSubscribers: true, ...members };
}

function rendered(members: Partial<StatusPage> = {}, view: Partial<View> = {}, parts = {}) {
  const page = pageOf(CARDS, members);
  const material = materialOf(page, { incidents: [OUTAGE], ...parts });
  return statusPage(publicPage(material), viewOf(page, view)).text;
}

/** What people read, without the markup. */
const textIn = (markup: string) =>
  markup
    .replace(/<(title|svg|head)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page itself', () => {
  test('says without a script what is wrong, since when, and how each service is', () => {
    const text = textIn(rendered());
    expect(text).toContain('Checkout is partly down Everything else works. Updated at 13:35 UTC .');
    expect(text).toContain('Payments fail since 13:21 UTC , 14 min Partly down Checkout');
    expect(text).toContain('Investigating 13:21 UTC We see errors .');
    expect(text).toContain('Checkout Partly down 99.98 %');
    expect(text).toContain('Search Works 100 %');
  });

  test('has one heading of the first level, and those below it in their order', () => {
    const levels = [...rendered().matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
  });

  test('has no script, style or handler of its own', () => {
    const markup = rendered();
    expect(markup.match(/<script/g)).toHaveLength(1);
    expect(markup).toMatch(/<script src="\.\/assets\/page\.[0-9a-f]{12}\.js"><\/script>/);
    expect(markup).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  test('refers to its own documents relative to where it stands', () => {
    const own = (markup: string) =>
      [...markup.matchAll(/(?:href|src|action)="([^"#]*)"/g)].map(([, to = '']) => to);
    expect(own(rendered()).filter((to) => !to.startsWith('./'))).toEqual([]);
    const exported = rendered({}, { links: { root: '../', ending: '.html' } });
    expect(own(exported)).toContain(`../incidents/${OUTAGE.id}.html`);
    expect(own(exported)).toContain('../history/2026-01.html');
    expect(own(exported)).toContain('../index.html');
  });

  test.each<[string, Partial<StatusPage>, RegExp, RegExp]>([
    ['its maker', {}, />Watchpost</, /nothing of this/],
    ['no maker with a white label', { whiteLabel: true }, /<html/, /Watchpost/],
    ['the reader’s theme', {}, /<html lang="en">/, /data-theme/],
    [
      'a dark theme',
      { defaultTheme: 'DARK' },
      /<html lang="en" data-theme="dark">/,
      /nothing of this/,
    ],
    ['a search engine’s leave', {}, /<html/, /noindex/],
    ['none when unlisted', { visibility: 'UNLISTED' }, /content="noindex"/, /nothing of this/],
    ['no feeds when private', { visibility: 'PRIVATE' }, /action="\S*subscribe"/, /feed\.rss/],
    [
      'where its name leads',
      { redirectTo: 'https://acme.example/a?b&c' },
      /class="brand" href="https:\/\/acme.example\/a\?b&amp;c">Acme</,
      /nothing of this/,
    ],
    [
      'a logo in place of its name',
      { logo: 'https://acme.example/l.png' },
      /<img class="logo" src="https:\/\/acme.example\/l.png" alt="Acme"/,
      /only-dark/,
    ],
    [
      'a logo for each theme',
      { logo: 'https://acme.example/l.png', logoDark: 'https://acme.example/d.png' },
      /class="only-light" src="https:\/\/acme.example\/l.png".*class="only-dark" src="https:\/\/acme.example\/d.png"/,
      /class="logo"/,
    ],
    [
      'an icon',
      { favicon: 'https://acme.example/i.ico' },
      /<link rel="icon" href="https:\/\/acme.example\/i.ico">/,
      /nothing of this/,
    ],
    ['a description', { description: 'How <we> are' }, /<p class="muted">How &lt;we&gt;/, /<we>/],
  ])('has %s', (_, members, has, hasNot) => {
    const markup = rendered(members);
    expect(markup).toMatch(has);
    expect(markup.replace(/assets\/\S+/g, '')).not.toMatch(hasNot);
  });

  test('of 40 services and 60 incidents is less than 50 KB', () => {
    const names = Array.from({ length: 40 }, (_, index) => `Service number ${index}`);
    const incidents = Array.from({ length: 60 }, (_, index) => {
      const end = NOW - index * 1.4 * DAY - HOUR;
      return pastIncident(10 + index, [`Service number ${index % 40}`], [end - HOUR, end]);
    });
    const page = pageOf({ One: names.slice(0, 20), Two: names.slice(20) });
    const markup = statusPage(publicPage(materialOf(page, { incidents })), viewOf(page)).text;
    expect(Buffer.byteLength(markup)).toBeLessThan(50_000);
  });
});

describe('the days of a service', () => {
  const service = (members: Partial<PublicService>): PublicService => ({
    id: '1',
    name: 'Search',
    state: 'works',
    uptime: 99.9,
    emptyDays: 0,
    days: [],
    ...members,
  });
  const first = Date.UTC(2025, 9, 18);
  const bars = (members: Partial<PublicService>) =>
    [
      ...serviceDays(service(members), first).text.matchAll(
        /<rect x="(\d+)" width="(\d+)" height="28" fill="url\(#days-([\w-]+)\)">(?:<title>([^<]*)<\/title>)?/g,
      ),
    ].map(([, x, width, state, title]) => [Number(x) / 8, Number(width) / 8, state, title]);
  const bad = (day: number, minutesDown = 5, names = ['Fire']) => ({
    day,
    state: 'down' as const,
    minutesDown,
    names,
  });

  test('are one element where all were as they should be', () => {
    expect(bars({})).toEqual([[0, 90, 'works', undefined]]);
  });

  test('begin with those on which it was not there yet', () => {
    expect(bars({ emptyDays: 80 }).map((bar) => bar.slice(0, 3))).toEqual([
      [0, 80, 'empty'],
      [80, 10, 'works'],
    ]);
  });

  test('that were alike and follow one another are one element', () => {
    expect(bars({ days: [bad(3), bad(4), bad(6), bad(7, 6)] }).slice(1)).toEqual([
      [3, 2, 'down', '21 Oct 2025 – 22 Oct 2025\nDown for 5 min\nFire'],
      [6, 1, 'down', '24 Oct 2025\nDown for 5 min\nFire'],
      [7, 1, 'down', '25 Oct 2025\nDown for 6 min\nFire'],
    ]);
  });

  test('that were bad from beginning to end say so, for one day and for several', () => {
    expect(bars({ days: [bad(3, 1_440), bad(4, 1_440)] })[1]).toEqual([
      3,
      2,
      'down',
      '21 Oct 2025 – 22 Oct 2025\nDown all day\nFire',
    ]);
  });

  test('name three incidents, and of a long name its beginning', () => {
    const [, bar] = bars({ days: [bad(0, 1, ['a', 'b'.repeat(100), 'c', 'd', 'e'])] });
    expect(bar?.[3]).toBe(`18 Oct 2025\nDown for 1 min\na\n${'b'.repeat(79)}…\nc\nand 2 more`);
  });

  test('are told to those who do not see them', () => {
    expect(serviceDays(service({ days: [bad(3)] }), first).text).toContain(
      'aria-label="Search: 99.90 % of 90 days. 21 Oct 2025: Down for 5 min."',
    );
  });
});

describe('documents of the past and of maintenance', () => {
  const page = pageOf(CARDS);
  const view = viewOf(page, { links: { root: '../', ending: '' } });

  test('an incident has all of its updates', () => {
    const updates = Array.from({ length: 8 }, (_, index) => ({
      publishedAt: NOW - HOUR + index * MINUTE,
      description: `Step ${index}`,
    }));
    const incident = incidentOf(3, ['Search'], updates);
    const shown = publicPage(materialOf(page, { incidents: [incident] }));
    const open = shown.open[0];
    if (open === undefined) throw new Error('The incident is not open.');
    const text = textIn(incidentPage(open, NOW, view).text);
    expect(text.match(/Step \d/g)).toHaveLength(8);
    expect(text).toContain('Investigating, since 15 Jan 2026, 12:35 UTC , 1 h');
    expect(textIn(statusPage(shown, view).text)).toContain('All 8 updates');
    expect(textIn(statusPage(shown, view).text).match(/Step \d/g)).toHaveLength(5);
  });

  test('a month leads to its further parts and to the months beside it', () => {
    const month = {
      month: '2026-01',
      part: 2,
      incidents: [],
      hasMore: true,
      earlier: '2025-12',
      later: null,
    };
    const markup = monthPage(month, view).text;
    expect(textIn(markup)).toContain('No incidents in January 2026.');
    expect(
      [...markup.matchAll(/<a rel="(\w+)" href="([^"]*)"/g)].map(([, ...link]) => link),
    ).toEqual([
      ['next', '../history/2026-01.3'],
      ['prev', '../history/2026-01'],
      ['prev', '../history/2025-12'],
    ]);
  });

  test('maintenance has its times, services and updates', () => {
    const updates = [
      { id: 'u', status: 'IN_PROGRESS', description: 'It *begins*.', publishedAt: NOW } as const,
    ];
    const occurrence = maintenanceOf(['Search'], [NOW, NOW + HOUR], {
      description: 'A **larger** disk.',
      updates,
    });
    const shown = publicPage(materialOf(page, { occurrences: [occurrence] }));
    const [running] = shown.running;
    if (running === undefined) throw new Error('It does not run.');
    for (const markup of [maintenancePage(running, NOW, view), statusPage(shown, view)]) {
      const text = textIn(markup.text);
      expect(text).toContain('15 Jan, 13:35 UTC – 14:35 UTC');
      expect(text).toContain('A larger disk.');
      expect(text).toContain('In progress 13:35 UTC It begins .');
    }
  });

  test('an incident that is over says so, and how it was', () => {
    const incident = pastIncident(4, ['Search'], [NOW - DAY, NOW - DAY + HOUR]);
    const [recent] = publicPage(materialOf(page, { incidents: [incident] })).recent;
    if (recent === undefined) throw new Error('It is not recent.');
    const { text } = incidentPage(recent, NOW, view);
    expect(textIn(text)).toMatch(
      /Resolved Search Partly down from 14 Jan 2026, 13:35 UTC to 14:35 UTC , 1 h/,
    );
    expect(text).not.toContain('word partly-down');
  });

  test('the form of a private page tells strangers nothing but the name; messages lead back', () => {
    const hidden = pageOf(CARDS, { visibility: 'PRIVATE', description: 'Only for us.' });
    const form = passwordPage(hidden, './', null).text;
    expect(form).not.toMatch(/Only for us|Checkout|Status of/);
    const message = messagePage(hidden, { title: 'Subscribed', text: 'Yes.', root: '../' }).text;
    expect(message).toContain('href="../">← Status of Acme</a>');
  });

  test('forms and messages lead to no feed and are for no search engine', () => {
    for (const { text } of [
      passwordPage(page, './', 'That is not the password.'),
      messagePage(page, { title: 'Subscribed', text: '<b>', root: '../' }),
    ]) {
      expect(text).toContain('content="noindex"');
      expect(text).not.toMatch(/feed\.|status\.json|<b>/);
    }
  });
});

describe('the colours of a page', () => {
  const palette = (colour: string) =>
    Object.fromEntries(THEME_COLOURS.map((name) => [name, colour])) as ThemeColors['light'];

  test('set every variable, for light and dark', () => {
    const { css } = theme({ light: palette('#FFF'), dark: palette('#000000') });
    expect(css.match(/--[\w-]+:light-dark\(#FFF,#000000\);/g)).toHaveLength(12);
  });

  test('have another address when they are others', () => {
    const [one, other] = ['#FFF', '#FFE'].map((light) =>
      theme({ light: palette(light), dark: palette('#000') }),
    );
    expect(one?.name).toMatch(/^theme\.css\?[0-9a-f]{8}$/);
    expect(one?.name).not.toBe(other?.name);
  });

  test.each(['red', '#FFF;}body{display:none', '#12345', 'url(https://evil.example)', ''])(
    '%j is no colour and sets nothing',
    (colour) => {
      expect(theme({ light: palette(colour), dark: palette('#000') }).css).toBe(':root{}\n');
    },
  );
});

test.each([
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [125, '2 h 5 min'],
  [24 * 60, '1 d'],
  [76 * 60 + 3, '3 d 4 h'],
])('%d minutes are %s', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text);
  expect(durationText(Math.max(minutes, 1) * MINUTE)).toBe(minutesText(Math.max(minutes, 1)));
});
