import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { StatusPageVisibility } from '#shared/maintenance/visibility.ts';
import { refuseProblems } from './service-error.ts';

/**
 * The key under which changes wait for each other that make or break a reference: of a check that
 * comes to name a group, a snippet or a service of status pages, of every one of these, and of the windows
 * and pages that name services. So none is deleted while something comes to use it.
 */
export const REFERENCES = 'references';

const MAX_NAMED = 5;

/** What uses another thing; `noun` says what it is, where that may be one of several. */
export interface User {
  noun?: string;
  id: string;
  name: string;
}

/** Things that use another one, in words; at most five by name. */
export function usersInWords(users: readonly User[]): string {
  const named = users.slice(0, MAX_NAMED).map(({ noun, name, id }) => {
    const what = noun === undefined ? '' : `${noun} `;
    return `${what}${JSON.stringify(name)} (${id})`;
  });
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
type Directory = { [K in ReferenceKind]: (id: unknown) => boolean };

/**
 * Refuses a body that names by id what does not exist.
 *
 * @param before the record that the body changes: what it names already may be named again, also where
 *   that was deleted since
 */
export function refuseUnknownIds(
  body: object,
  configuration: Directories,
  before: object = {},
): void {
  const directory = directoryOf(configuration);
  const named = new Set(referencesOf(before as Record<string, unknown>).map(keyOf));
  const problems = referencesOf(body as Record<string, unknown>)
    .filter((reference) => !directory[reference.kind](reference.id) && !named.has(keyOf(reference)))
    .map(({ path, kind, id }) => ({ path, message: `no ${NOUNS[kind]} ${id} exists` }));
  refuseProblems({ source: 'payload', problems });
}

const keyOf = ({ kind, id }: Reference): string => `${kind} ${id}`;

type Directories = Pick<
  Configuration,
  'groups' | 'snippets' | 'channels' | 'pageServices' | 'statusPages'
>;

/** What a configuration has. */
function directoryOf(configuration: Directories): Directory {
  const { groups, snippets, channels, pageServices, statusPages } = configuration;
  return {
    group: (id) => groups.get(String(id)) !== undefined,
    snippet: (id) => snippets.get(String(id)) !== undefined,
    channel: (id) => channels.get(String(id)) !== undefined,
    service: (id) => pageServices.get(String(id)) !== undefined,
    page: (id) => statusPages.get(String(id)) !== undefined,
  };
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
