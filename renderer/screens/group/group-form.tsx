import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { groupText } from '#renderer/messages/editor.ts';
import { FormProvider, useForm } from '#renderer/parts/form/form.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';
import { changedMembers, type Members } from '#renderer/parts/form/members.ts';
import { SaveBar } from '#renderer/parts/form/save-bar.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import styles from './group.module.css';
import { GroupSections } from './group-sections.tsx';
import type { ShownGroup } from './queries.ts';

const words = groupText;

/** What a new group decides: nothing, until somebody says so. */
const BLANK: Members = {
  name: '',
  activated: true,
  muted: false,
  tags: [],
  locations: [],
  privateLocations: [],
  concurrency: 3,
  runParallel: null,
  retryStrategy: 'FALLBACK',
  useGlobalAlertSettings: null,
  alertSettings: null,
  environmentVariables: [],
  runtimeId: null,
  setupSnippetId: null,
  tearDownSnippetId: null,
  localSetupScript: null,
  localTearDownScript: null,
};

/** The settings of a group, in sections that say what is left to its checks. */
export function GroupForm({ group }: { group?: ShownGroup }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [base] = useState<Members>(() => (group === undefined ? BLANK : { ...group }));
  const form = useForm({
    name: `group ${group?.id ?? 'new'}`,
    base,
    hints: () => [],
  });
  const save = async (typed: Members) => {
    const { id, name } =
      group === undefined
        ? await api('POST /v2/check-groups', { body: { ...typed } })
        : await api('PUT /v2/check-groups/{id}', {
            params: { id: group.id },
            body: changedMembers(form.base, typed),
          });
    toast(words.saved(name));
    await queries.invalidateQueries({ queryKey: ['group', id] });
    await navigate({ to: '/groups/$groupId', params: { groupId: String(id) } });
  };
  return (
    <FormProvider value={form}>
      <form
        ref={form.ref}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(save);
        }}
      >
        <TextInput path="name" label={words.name} />
        <GroupSections />
        <SaveBar form={form} label={group === undefined ? words.create : words.save} />
      </form>
    </FormProvider>
  );
}
