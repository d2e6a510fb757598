import { useSummary } from '#renderer/api/summary.ts';
import { editorText } from '#renderer/messages/editor.ts';
import {
  ChoiceInput,
  SwitchInput,
  TextAreaInput,
  WordsInput,
} from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { useSetting } from '../editor-context.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.general;

/** Where a check belongs, what it is found by, and whether it runs at all. */
export function GeneralSection() {
  const summary = useSummary();
  const tags = useSetting<string[]>('tags');
  const activated = useSetting<boolean>('activated');
  const group = useGroup();
  const groups = summary.kind === 'ready' ? [...summary.known.groups.values()] : [];
  return (
    <Section
      title={words.title}
      summary={words.summary(group?.name, tags, activated)}
      paths={['groupId', 'tags', 'description', 'activated']}
    >
      <ChoiceInput<number | null>
        path="groupId"
        label={words.group}
        hint={words.groupHint}
        options={[[null, words.noGroup], ...groups.map(({ id, name }) => [id, name] as const)]}
        fallback={null}
      />
      <WordsInput
        path="tags"
        label={words.tags}
        hint={group?.tags.length ? words.groupTags(group.tags) : undefined}
      />
      <TextAreaInput path="description" label={words.description} empty={null} rows={2} />
      <SwitchInput path="activated" label={words.active} hint={words.activeHint} fallback />
    </Section>
  );
}
