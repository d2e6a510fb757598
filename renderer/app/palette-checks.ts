import { useNavigate } from '@tanstack/react-router';
import { useSummary } from '#renderer/api/summary.ts';
import { text } from '#renderer/messages/messages.ts';
import { filterChecks } from '#shared/summaries/check-list.ts';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import { runChecks, setActivated, setMuted } from './act-on-checks.ts';

/** A row of the palette. */
export interface Choice {
  id: string;
  label: string;
  note?: string;
  run(): void;
}

/** Rows that anybody looks at: of more, nobody would find one. */
const MAX_CHECKS = 20;
const MAX_GROUPS = 5;

const { verbs } = text.shell;
type Verb = keyof typeof verbs;

/**
 * The checks and groups that have every word in their names, and what can be done with them: `run shop` offers to
 * run the checks with `shop`. Nothing before a word is typed.
 */
export function useCheckChoices(words: readonly string[]): Choice[] {
  const navigate = useNavigate();
  const summary = useSummary();
  const [first = '', ...others] = words;
  if (summary.kind !== 'ready' || first === '') return [];
  const { checks, groups } = summary.known;
  const find = (of: readonly string[]) =>
    filterChecks(checks.values(), { text: of.join(' ') }, groups).slice(0, MAX_CHECKS);
  const watch = (sessionId: string) =>
    void navigate({ to: '/sessions/$sessionId', params: { sessionId } });
  const asked = (Object.keys(verbs) as Verb[]).filter((verb) => verb.startsWith(first));
  const actions = asked.flatMap((verb) =>
    find(others)
      .filter((check) => canDo(verb, check))
      .map((check) => ({
        id: `${verb} ${check.id}`,
        label: text.shell.actOn(verbs[verb], check.name),
        run: () => act(verb, check, watch),
      })),
  );
  const ofGroups = [...groups.values()]
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MAX_GROUPS)
    .map(({ id, name }) => ({
      id: `group ${id}`,
      label: name,
      note: text.shell.group,
      run: () => void navigate({ to: '/', search: { q: name } }),
    }));
  const named = find(words).map(({ id, name, groupId }) => ({
    id: `check ${id}`,
    label: name,
    note: (groupId === null ? undefined : groups.get(groupId)?.name) ?? text.shell.check,
    run: () => void navigate({ to: '/checks/$checkId', params: { checkId: id } }),
  }));
  // Only who goes on after a verb means one.
  return others.length > 0
    ? [...actions, ...named, ...ofGroups]
    : [...named, ...ofGroups, ...actions];
}

function canDo(verb: Verb, { type, muted, state }: CheckSummary): boolean {
  switch (verb) {
    case 'run':
      return type !== 'HEARTBEAT';
    case 'mute':
      return !muted;
    case 'unmute':
      return muted;
    case 'pause':
      return state !== 'paused';
    case 'resume':
      return state === 'paused';
  }
}

function act(verb: Verb, check: CheckSummary, watch: (sessionId: string) => void): void {
  if (verb === 'run') void runChecks([check.id], watch);
  else if (verb === 'mute' || verb === 'unmute') void setMuted([check], verb === 'mute');
  else void setActivated([check], verb === 'resume');
}
