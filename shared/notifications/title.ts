import { ALERT_SUBJECTS, type AlertSubject } from '#shared/alerting/alert-type.ts';
import type {
  AlertContent,
  ApplianceContent,
  DigestContent,
  FlappingContent,
  NotificationContent,
} from './notice.ts';

/** How bad what a notice tells is. */
export type Tone = 'down' | 'degraded' | 'up' | 'warning' | 'info';

/** What an alert says, and how bad that is. */
const SUBJECT_TONES = {
  failing: 'down',
  degraded: 'degraded',
  passing: 'up',
  expiry: 'warning',
} as const satisfies Record<Exclude<AlertSubject, 'nothing'>, Tone>;

const VERBS = {
  down: 'has failed',
  degraded: 'is degraded',
  up: 'has recovered',
} as const;

export function toneOf(notice: NotificationContent): Tone {
  switch (notice.kind) {
    case 'alert':
      return SUBJECT_TONES[ALERT_SUBJECTS[notice.alertType]];
    case 'test':
      return 'info';
    case 'digest':
      return DIGESTS[notice.direction].tone;
    case 'flapping':
      return notice.settledAs === null ? 'degraded' : SUBJECT_TONES[notice.settledAs];
    case 'own':
      return notice.isOver ? 'up' : 'warning';
    case 'closing':
      return 'up';
  }
}

/** The one line that says it all: `"Shop" has failed`. */
export function titleOf(notice: NotificationContent): string {
  switch (notice.kind) {
    case 'alert':
      return alertTitle(notice);
    case 'test':
      return 'Test notification';
    case 'digest':
      return digestTitle(notice);
    case 'flapping':
      return flappingTitle(notice);
    case 'own':
      return ownTitle(notice);
    case 'closing':
      return 'Nothing of this incident is left';
  }
}

function alertTitle({ alertType, check, ssl, isReminder, reminderSequence }: AlertContent): string {
  const tone = SUBJECT_TONES[ALERT_SUBJECTS[alertType]];
  if (tone === 'warning') return sslTitle(ssl);
  const title = `"${check.name}" ${VERBS[tone]}`;
  return isReminder ? `${title} (reminder ${reminderSequence})` : title;
}

function sslTitle(ssl: AlertContent['ssl']): string {
  if (ssl === null) return 'A certificate will expire';
  const { daysRemaining: days, domain } = ssl;
  if (days < 0) return `The certificate of ${domain} has expired`;
  return `The certificate of ${domain} will expire in ${days} ${days === 1 ? 'day' : 'days'}`;
}

const DIGESTS = {
  failing: { tone: 'down', says: 'checks have failed' },
  degraded: { tone: 'degraded', says: 'checks are degraded' },
  recovered: { tone: 'up', says: 'checks have recovered' },
  expiring: { tone: 'warning', says: 'certificates will expire soon' },
} as const satisfies Record<DigestContent['direction'], { tone: Tone; says: string }>;

function digestTitle({ count, direction }: DigestContent): string {
  return `${count} ${DIGESTS[direction].says}`;
}

function flappingTitle({ check, settledAs }: FlappingContent): string {
  if (settledAs === null) return `"${check.name}" is flapping`;
  return `"${check.name}" has settled: it is ${settledAs}`;
}

const OWN_TITLES = {
  BLIND: ['The monitor itself is blind', 'The monitor can see again'],
  CHANNEL_DEAD: ['An alert channel does not work', 'An alert channel works again'],
} as const satisfies Record<
  Exclude<ApplianceContent['condition'], 'SLO_BURN'>,
  readonly [string, string]
>;

function ownTitle({ condition, slo, isOver }: ApplianceContent): string {
  if (condition === 'SLO_BURN') {
    const name = `The error budget of "${slo?.name ?? ''}"`;
    return isOver ? `${name} no longer burns fast` : `${name} burns fast`;
  }
  return OWN_TITLES[condition][isOver ? 1 : 0];
}
