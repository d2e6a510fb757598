import { incidentKey } from '#shared/notifications/incident-key.ts';
import type { DigestContent } from '#shared/notifications/notice.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { toneOf } from '#shared/notifications/title.ts';
import type { DeliveryPort } from './delivery-port.ts';
import { type Digest, isAboutRuns } from './digest.ts';
import { ended, type Incidents, incidentOfAll, opened } from './incidents.ts';

/** What a message does to the incidents of its channel. */

interface Announcement {
  /** The message, which knows its incident now. */
  digest: Digest;
  incidents: Incidents;
  /** Keys of incidents that end with it, each to be closed by an event; not the one it closes itself. */
  toClose: readonly string[];
}

/** What the incidents of a channel depend on besides its messages. */
type IncidentFacts = Pick<DeliveryPort, 'checkExists' | 'keepsIncidents'>;

/**
 * Opens the incident of a message, or ends those of which it says that the last check recovered. A
 * check that does not exist any more cannot recover: it is in none.
 */
export function announcementOf(
  digest: Digest,
  before: Incidents,
  facts: IncidentFacts,
): Announcement {
  if (!facts.keepsIncidents()) return { digest, incidents: [], toClose: [] };
  const checkIds = toldChecks(digest);
  const isOver = toneOf(digest.notification.notice) === 'up';
  const begun = isOver
    ? { digest, incidents: before, keys: [] }
    : withIncident(digest, before, checkIds);
  const recovered = new Set(isOver ? checkIds : []);
  const isGone = (id: string) => recovered.has(id) || !facts.checkExists(id);
  const { incidents, keys } = ended(begun.incidents, isGone);
  // The recovery of one check closes the incident of that check; one of many is about none.
  const own = isOver ? incidentKey(digest.notification.notice) : null;
  const toClose = [...begun.keys, ...keys].filter((key) => key !== own);
  return { digest: begun.digest, incidents, toClose };
}

/** Checks that are deleted will never recover: what was open because of them alone is over. */
export function withoutDeleted(
  before: Incidents,
  facts: IncidentFacts,
): Omit<Announcement, 'digest'> {
  if (!facts.keepsIncidents()) return { incidents: [], toClose: [] };
  const { incidents, keys } = ended(before, (id) => !facts.checkExists(id));
  return { incidents, toClose: keys };
}

/** Those of alerts; what ends soon, and the monitor's own trouble, is over when it is over. */
function toldChecks({ notification, instead }: Digest): string[] {
  const ids = [notification, ...instead].flatMap((one) =>
    one.checkId !== null && isAboutRuns(one.notice) ? [one.checkId] : [],
  );
  return [...new Set(ids)];
}

function withIncident(digest: Digest, incidents: Incidents, checkIds: readonly string[]) {
  const { notice, id } = digest.notification;
  if (notice.kind !== 'digest') {
    const key = incidentKey(notice);
    return {
      digest,
      ...(key === null ? { incidents, keys: [] } : opened(incidents, key, checkIds)),
    };
  }
  // Of its own: one that says what another storm says would be taken for that one, and wake nobody.
  const own = `watchpost-${notice.direction === 'expiring' ? 'certificates' : 'storm'}-${id}`;
  const incident = notice.incident ?? incidentOfAll(incidents, checkIds) ?? own;
  return {
    digest: withNotice(digest, { ...notice, incident }),
    ...opened(incidents, incident, checkIds),
  };
}

function withNotice({ notification, instead }: Digest, notice: DigestContent): Digest {
  return { notification: { ...notification, notice } satisfies StoredNotification, instead };
}
