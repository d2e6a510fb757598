import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { Problem } from '#shared/api/problems.ts';
import type { StatusPageVisibility } from '#shared/maintenance/visibility.ts';
import { refuseProblems } from './service-error.ts';

/**
 * The key under which changes wait for each other that make or break a reference: of a check that
 * comes to name a group or snippet, of every group and of every snippet. So none is deleted while
 * something comes to use it.
 */
export const REFERENCES = 'references';

const MAX_NAMED = 5;

/** Things that use another one, in words; at most five by name. */
export function usersInWords(users: readonly { id: string; name: string }[]): string {
  const named = users.slice(0, MAX_NAMED).map(({ name, id }) => `${JSON.stringify(name)} (${id})`);
  const rest = users.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}

/** Things that a body may name by id. */
interface Reference {
  path: string;
  kind: ReferenceKind;
  id: unknown;
}

/** What each kind is called in a sentence. */
const NOUNS = {
  group: 'check group',
  snippet: 'snippet',
  channel: 'alert channel',
  service: 'status-page service',
  page: 'status page',
} as const;
type ReferenceKind = keyof typeof NOUNS;

/** Whether the account has something with an id. */
export type Directory = { [K in ReferenceKind]: (id: unknown) => boolean };

/** Refuses a body that names by id what does not exist. */
export function refuseUnknownIds(body: object, configuration: Directories): void {
  const problems = referenceProblems(body as Record<string, unknown>, directoryOf(configuration));
  refuseProblems({ source: 'payload', problems });
}

type Directories = Pick<Configuration, 'groups' | 'snippets' | 'channels'>;

/** What a configuration has; of status pages and their services this version has none yet. */
export function directoryOf({ groups, snippets, channels }: Directories): Directory {
  return {
    group: (id) => groups.get(String(id)) !== undefined,
    snippet: (id) => snippets.get(String(id)) !== undefined,
    channel: (id) => channels.get(String(id)) !== undefined,
    service: () => false,
    page: () => false,
  };
}

/** Every id in a body is looked up within the account, here and nowhere else. */
export function referenceProblems(body: Record<string, unknown>, directory: Directory): Problem[] {
  return referencesOf(body)
    .filter(({ kind, id }) => !directory[kind](id))
    .map(({ path, kind, id }) => ({ path, message: `no ${NOUNS[kind]} ${id} exists` }));
}

function referencesOf(body: Record<string, unknown>): Reference[] {
  const { groupId, setupSnippetId, tearDownSnippetId, triggerIncident } = body;
  const visibility = body.statusPageVisibility as Partial<StatusPageVisibility> | undefined;
  const subscriptions = (body.alertChannelSubscriptions ?? []) as { alertChannelId: number }[];
  const references: Reference[] = [
    { path: 'groupId', kind: 'group', id: groupId },
    { path: 'setupSnippetId', kind: 'snippet', id: setupSnippetId },
    { path: 'tearDownSnippetId', kind: 'snippet', id: tearDownSnippetId },
    {
      path: 'triggerIncident.serviceId',
      kind: 'service',
      id: (triggerIncident as { serviceId: string } | null | undefined)?.serviceId,
    },
    ...(visibility?.serviceIds ?? []).map((id, index) => ({
      path: `statusPageVisibility.serviceIds.${index}`,
      kind: 'service' as const,
      id,
    })),
    ...(visibility?.statusPageIds ?? []).map((id, index) => ({
      path: `statusPageVisibility.statusPageIds.${index}`,
      kind: 'page' as const,
      id,
    })),
    ...subscriptions.map(({ alertChannelId }, index) => ({
      path: `alertChannelSubscriptions.${index}.alertChannelId`,
      kind: 'channel' as const,
      id: alertChannelId,
    })),
  ];
  return references.filter(({ id }) => id !== undefined && id !== null);
}
