import { createHash } from 'node:crypto';
import type { Recipient } from '#main/incidents/mail-port.ts';
import type { IncidentSeverity } from '#shared/incidents/incident.ts';
import type { Mail } from '#shared/notifications/mail.ts';
import { shortened } from '#shared/notifications/message.ts';
import type { MailingContent } from '#shared/status-pages/mailing.ts';
import { pageAddress } from '#shared/status-pages/page-address.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { STATUS_WORDS } from './html/events.ts';
import { type Html, html } from './html/html.ts';
import { Markdown } from './html/markdown.ts';
import { utcText } from './html/times.ts';

/** What a mail says, in the order of its members. */
interface Letter {
  /** What it is about, and what of it is new. */
  title: string;
  news: string;
  facts: readonly { label: string; value: string }[];
  /** Markdown. */
  description: string;
  action: { label: string; address: string };
}

/** Longest subject, in characters. */
const MAX_SUBJECT = 250;

/** Makes the mails to subscribers of status pages. */
export class SubscriberMails {
  readonly #baseUrl: () => string;
  readonly #markdown = new Markdown();

  /** @param baseUrl where others reach the appliance, without a slash at its end */
  constructor(baseUrl: () => string) {
    this.#baseUrl = baseUrl;
  }

  compose(content: MailingContent, recipient: Recipient): Mail {
    const { page, subscription } = recipient;
    const base = pageAddress(page, this.#baseUrl());
    const links = `${base}/subscriptions/${subscription.id}/${subscription.token}`;
    const letter = letterOf(content, { page, base, links });
    const unsubscribe = content.kind === 'confirmation' ? null : `${links}/unsubscribe`;
    return {
      to: subscription.address,
      subject: shortened(`${letter.title}: ${letter.news}`, MAX_SUBJECT),
      text: textOf(letter, page, unsubscribe),
      html: this.#htmlOf(letter, page, unsubscribe).text,
      headers: headersOf(recipient, base, unsubscribe),
    };
  }

  #htmlOf(letter: Letter, { name }: StatusPage, unsubscribe: string | null): Html {
    const { title, news, facts, description, action } = letter;
    return html`<!doctype html>
<html lang="en"><body style="font:15px/1.5 sans-serif">
${
  title !== name &&
  html`<p style="color:#666">${name}</p>
`
}<h1 style="font-size:20px">${title}</h1>
<p><strong>${news}</strong></p>
${
  facts.length > 0 &&
  html`<table style="border-collapse:collapse">${facts.map(
    ({ label, value }) =>
      html`<tr><th align="left" style="padding:2px 16px 2px 0;color:#666">${label}</th><td>${value}</td></tr>`,
  )}</table>
`
}<div>${this.#markdown.render(description)}</div>
<p><a href="${action.address}">${action.label}</a></p>
${unsubscribe !== null && html`<p style="color:#666">You subscribed to ${name}. <a href="${unsubscribe}">Unsubscribe</a></p>`}
</body></html>
`;
  }
}

function textOf(letter: Letter, { name }: StatusPage, unsubscribe: string | null): string {
  const { title, news, facts, description, action } = letter;
  return [
    title === name ? '' : name,
    `${title}\n${news}`,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    description.trim(),
    `${action.label}: ${action.address}`,
    unsubscribe === null ? '' : `You subscribed to ${name}. Unsubscribe: ${unsubscribe}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/**
 * The Message-ID is the same whenever a mail is sent again, so that a receiver drops the second. Mail
 * programs offer the unsubscription themselves (RFC 8058). Nothing that anybody typed stands in a header here.
 */
function headersOf(
  { mailingId, page, subscription }: Recipient,
  base: string,
  unsubscribe: string | null,
) {
  const host = new URL(base).hostname;
  return {
    'message-id': `<${shortHash(`${mailingId} ${subscription.id}`)}@${host}>`,
    'auto-submitted': 'auto-generated',
    'list-id': `<${page.url}.status.${host}>`,
    ...(unsubscribe !== null && {
      'list-unsubscribe': `<${unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    }),
  };
}

/** A longer Message-ID would be folded, which some receivers do not undo. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

interface Place {
  page: StatusPage;
  base: string;
  links: string;
}

function letterOf(content: MailingContent, place: Place): Letter {
  switch (content.kind) {
    case 'incident':
      return incidentLetter(content, place);
    case 'maintenance':
      return maintenanceLetter(content, place);
    case 'confirmation':
      return confirmationLetter(place);
  }
}

const SEVERITY_WORDS = {
  CRITICAL: 'Critical',
  MAJOR: 'Major',
  MEDIUM: 'Medium',
  MINOR: 'Minor',
} as const satisfies Record<IncidentSeverity, string>;

type ContentOf<K extends MailingContent['kind']> = Extract<MailingContent, { kind: K }>;

function incidentLetter(content: ContentOf<'incident'>, { page, base }: Place): Letter {
  const { incidentId, name, severity, status, isFirst, description, publishedAt } = content;
  return {
    title: name,
    news: isFirst ? 'Incident created' : STATUS_WORDS[status],
    facts: [
      { label: 'Status', value: STATUS_WORDS[status] },
      { label: 'Severity', value: SEVERITY_WORDS[severity] },
      { label: 'Time', value: utcText(publishedAt, 'full') },
      ...servicesOf(content, page),
    ],
    description,
    action: { label: 'See the incident', address: `${base}/incidents/${incidentId}` },
  };
}

function maintenanceLetter(content: ContentOf<'maintenance'>, { page, base }: Place): Letter {
  const { maintenanceId, name, occasion, status, description, startsAt, endsAt } = content;
  return {
    title: name,
    news:
      occasion === 'reminder'
        ? `Maintenance on ${utcText(startsAt, 'moment')}`
        : `Maintenance: ${STATUS_WORDS[status].toLowerCase()}`,
    facts: [
      { label: 'Begins', value: utcText(startsAt, 'full') },
      { label: 'Ends', value: utcText(endsAt, 'full') },
      ...servicesOf(content, page),
    ],
    description,
    action: { label: 'See the maintenance', address: `${base}/maintenances/${maintenanceId}` },
  };
}

function confirmationLetter({ page: { name }, links }: Place): Letter {
  return {
    title: name,
    news: 'Please confirm your subscription',
    facts: [],
    description:
      'Somebody, probably you, asked for mails about incidents and maintenance to this address. If it was not you, do nothing: no other mail comes.',
    action: { label: 'Confirm the subscription', address: `${links}/confirm` },
  };
}

/** Those that the page shows: its readers hear of no others. */
function servicesOf(
  { services }: { services: readonly { id: string; name: string }[] },
  page: StatusPage,
) {
  const shown = new Set(page.cards.flatMap(({ serviceIds }) => serviceIds));
  const names = services.filter(({ id }) => shown.has(id)).map(({ name }) => name);
  return names.length === 0 ? [] : [{ label: 'Services', value: names.join(', ') }];
}
