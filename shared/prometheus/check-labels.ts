import type { Check } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { tagsOf } from '#shared/groups/merge-group.ts';

export type Labels = Readonly<Record<string, string>>;

/** Names that a tag must not take: those of every check, and those that single metrics add. */
const TAKEN = new Set([
  'name',
  'check_id',
  'check_type',
  'muted',
  'activated',
  'group',
  'tags',
  'status',
  'type',
  'le',
  'location',
  'domain',
]);

/**
 * The labels of a check. A check without a group or tags has no such label, which Prometheus takes for an
 * empty one. With `parsesTags` each tag `key:value` is a label too.
 */
export function checkLabels(check: Check, group: Group | undefined, parsesTags: boolean): Labels {
  const tags = tagsOf(check, group);
  return {
    name: check.name,
    check_id: check.id,
    check_type: check.checkType.toLowerCase(),
    muted: String(check.muted || (group?.muted ?? false)),
    activated: String(check.activated && (group?.activated ?? true)),
    ...(group !== undefined && { group: group.name }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(parsesTags && tagLabels(tags)),
  };
}

/** Tags with the same key, or whose keys are the same once they are valid, share a label. */
function tagLabels(tags: readonly string[]): Labels {
  const labels = new Map<string, string[]>();
  for (const tag of tags) {
    const [, key, value] = /^([^:]+):(.+)$/s.exec(tag) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = labelName(key);
    labels.set(name, [...(labels.get(name) ?? []), value]);
  }
  return Object.fromEntries([...labels].map(([name, values]) => [name, values.join(',')]));
}

/**
 * A name that Prometheus allows: letters, digits and underscores, no digit first, and not two
 * underscores, with which its own names begin.
 */
function labelName(key: string): string {
  const plain = key
    .trim()
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^_+/, '_');
  const name = /^(?:\d|$)/.test(plain) ? `_${plain}` : plain;
  return TAKEN.has(name) ? `tag_${name}` : name;
}
