import type { Problem } from '#shared/api/problems.ts';
import type { Configuration } from '../store/configuration.ts';

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
} as const;
type ReferenceKind = keyof typeof NOUNS;

/** Whether the account has something with an id. */
export type Directory = { [K in ReferenceKind]: (id: unknown) => boolean };

/** What a configuration has; of groups and services this version has none yet. */
export function directoryOf({
  snippets,
  channels,
}: Pick<Configuration, 'snippets' | 'channels'>): Directory {
  return {
    group: () => false,
    snippet: (id) => snippets.get(String(id)) !== undefined,
    channel: (id) => channels.get(String(id)) !== undefined,
    service: () => false,
  };
}

/** Every id in a body is looked up within the account, here and nowhere else (threats 10). */
export function referenceProblems(body: Record<string, unknown>, directory: Directory): Problem[] {
  return referencesOf(body)
    .filter(({ kind, id }) => !directory[kind](id))
    .map(({ path, kind, id }) => ({ path, message: `no ${NOUNS[kind]} ${id} exists` }));
}

function referencesOf(body: Record<string, unknown>): Reference[] {
  const { groupId, setupSnippetId, tearDownSnippetId, triggerIncident } = body;
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
    ...subscriptions.map(({ alertChannelId }, index) => ({
      path: `alertChannelSubscriptions.${index}.alertChannelId`,
      kind: 'channel' as const,
      id: alertChannelId,
    })),
  ];
  return references.filter(({ id }) => id !== undefined && id !== null);
}
