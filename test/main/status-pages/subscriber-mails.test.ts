import { describe, expect, test } from 'vitest';
import { sendMail } from '#main/notifications/smtp.ts';
import { SubscriberMails } from '#main/status-pages/subscriber-mails.ts';
import type { MailingContent } from '#shared/status-pages/mailing.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import { testPorts } from '../../fixtures/send-ports.ts';
import { SmtpSink } from '../../fixtures/smtp-sink.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeSubscription } from '../store/incident-records.ts';

const shown = makePageService({ name: 'Checkout' });
const hidden = makePageService({ name: 'Warehouse of another customer' });
const subscription = makeSubscription({ address: 'ann@example.com', token: 'the-token' });
const page = makeStatusPage([shown], { name: 'Acme', url: 'acme' });
const BASE = 'https://watch.example.com';
const LINKS = `${BASE}/status/acme/subscriptions/${subscription.id}/the-token`;

const INCIDENT: Extract<MailingContent, { kind: 'incident' }> = {
  kind: 'incident',
  incidentId: 'incident-1',
  updateId: 'update-1',
  name: 'Payments fail',
  severity: 'MAJOR',
  status: 'INVESTIGATING',
  isFirst: true,
  description: 'We see **errors**.\nMore soon.',
  publishedAt: Date.UTC(2026, 0, 15, 13, 35),
  services: [shown, hidden],
};
const MAINTENANCE: Extract<MailingContent, { kind: 'maintenance' }> = {
  kind: 'maintenance',
  maintenanceId: 'maintenance-1',
  occasion: 'reminder',
  status: 'SCHEDULED',
  name: 'Database move',
  description: '',
  startsAt: Date.UTC(2026, 0, 20, 22),
  endsAt: Date.UTC(2026, 0, 21, 2),
  services: [],
};
const CONFIRMATION: MailingContent = { kind: 'confirmation', subscriptionId: subscription.id };

const mailOf = (
  content: MailingContent,
  { of = page, to = subscription }: { of?: StatusPage; to?: StoredSubscription } = {},
) =>
  new SubscriberMails(() => BASE).compose(content, {
    mailingId: 'mailing-1',
    page: of,
    subscription: to,
  });

test('an incident is told with everything that readers of the page may know of it', () => {
  const { to, subject, text } = mailOf(INCIDENT);
  expect([to, subject]).toEqual(['ann@example.com', 'Payments fail: Incident created']);
  expect(text).toBe(
    `Acme

Payments fail
Incident created

Status: Investigating
Severity: Major
Time: 15 Jan 2026, 13:35 UTC
Services: Checkout

We see **errors**.
More soon.

See the incident: ${BASE}/status/acme/incidents/incident-1

You subscribed to Acme. Unsubscribe: ${LINKS}/unsubscribe
`,
  );
});

test('the HTML of a mail has the description rendered', () => {
  const { html } = mailOf(INCIDENT);
  expect(html).toContain('<p>We see <strong>errors</strong>.<br>');
  expect(html).toContain(`<a href="${BASE}/status/acme/incidents/incident-1">See the incident</a>`);
  expect(html).not.toContain('Warehouse');
});

test.each<[string, MailingContent]>([
  ['Payments fail: Resolved', { ...INCIDENT, isFirst: false, status: 'RESOLVED' }],
  ['Database move: Maintenance on 20 Jan, 22:00 UTC', MAINTENANCE],
  [
    'Database move: Maintenance: in progress',
    { ...MAINTENANCE, occasion: 'start', status: 'IN_PROGRESS' },
  ],
  [
    'Database move: Maintenance: cancelled',
    { ...MAINTENANCE, occasion: 'update', status: 'CANCELLED' },
  ],
  ['Acme: Please confirm your subscription', CONFIRMATION],
])('a subject: %s', (subject, content) => {
  expect(mailOf(content).subject).toBe(subject);
});

test('a mail is known again, and its program can unsubscribe', () => {
  expect(mailOf(INCIDENT).headers).toEqual({
    'message-id': expect.stringMatching(/^<[0-9a-f]{32}@watch\.example\.com>$/),
    'auto-submitted': 'auto-generated',
    'list-id': '<acme.status.watch.example.com>',
    'list-unsubscribe': `<${LINKS}/unsubscribe>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

test('a mail has the same Message-ID whenever it is sent, and no other has it', () => {
  const idOf = (to: StoredSubscription) => mailOf(INCIDENT, { to }).headers['message-id'];
  expect(idOf(subscription)).toBe(idOf({ ...subscription, updatedAt: 7 }));
  expect(idOf(subscription)).not.toBe(idOf(makeSubscription()));
});

test('a confirmation leads to its own page, and offers no unsubscription', () => {
  const { text, headers } = mailOf(CONFIRMATION);
  expect(text).toContain(`Confirm the subscription: ${LINKS}/confirm`);
  expect(text).not.toContain('nsubscribe:');
  expect(headers).not.toHaveProperty('list-unsubscribe');
});

test('links of a page with a domain of its own lead there', () => {
  const own = { ...page, customDomain: 'status.acme.com' };
  const { text, headers } = mailOf(INCIDENT, { of: own });
  expect(text).toContain('https://status.acme.com/incidents/incident-1');
  expect(headers['list-unsubscribe']).toBe(
    `<https://status.acme.com/subscriptions/${subscription.id}/the-token/unsubscribe>`,
  );
});

describe('what people typed', () => {
  const EVIL = 'a\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>" onload="x';

  test('is no markup in a mail', () => {
    const of = makeStatusPage([shown], { name: EVIL });
    const services = [{ ...shown, name: EVIL }];
    const content = { ...INCIDENT, name: EVIL, description: EVIL, services };
    for (const one of [content, { ...MAINTENANCE, name: EVIL, description: EVIL }, CONFIRMATION]) {
      const { html } = mailOf(one, { of });
      expect(html).not.toMatch(/<script|" onload/);
    }
  });

  test('is no header and no recipient on its way', async () => {
    await using sink = await SmtpSink.start();
    const { port } = sink;
    const server = { host: '127.0.0.1', port, user: null, password: null, secure: false };
    const ports = testPorts({ smtp: { ...server, from: 'us@test' } });
    const of = makeStatusPage([shown], { name: EVIL });
    await sendMail(mailOf({ ...INCIDENT, name: EVIL, description: EVIL }, { of }), ports);
    for (const address of ['ann@example.com\r\nBcc: evil@example.com', 'ann@x.test, evil@x.test']) {
      await sendMail(mailOf(INCIDENT, { to: { ...subscription, address } }), ports);
    }
    // Whatever stands for one address is one, and none that somebody else has.
    expect(sink.mails.map(({ to }) => to)).toEqual([
      'ann@example.com',
      '"ann@example.com Bcc: evil"@example.com',
      '"ann@x.test, evil"@x.test',
    ]);
    for (const { source } of sink.mails) {
      expect(source.split('\n\n')[0]).not.toMatch(/^bcc/im);
    }
    const [first] = sink.mails;
    expect(first?.source).toMatch(/^List-Unsubscribe:\s+<https:\/\/watch\S+\/unsubscribe>$/im);
  });
});
