import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '#renderer/api/client.ts';
import { useTitle } from '#renderer/app/title.ts';
import { snippetsText } from '#renderer/messages/variables.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { FormProvider, useForm } from '#renderer/parts/form/form.ts';
import { TextInput, useMember } from '#renderer/parts/form/inputs.tsx';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import { ScriptInput } from '#renderer/parts/form/script-input.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import { UsedBy } from '#renderer/parts/used-by/used-by.tsx';
import { useDeleteSnippet } from './delete-snippet.ts';
import { snippetQuery } from './queries.ts';
import styles from './snippets.module.css';

const words = snippetsText;
const route = getRouteApi('/shell/settings/snippets/$snippetId');

/** One snippet: its name and its code; or a new one. */
export function SnippetScreen() {
  const { snippetId } = route.useParams();
  const isNew = snippetId === 'new';
  const { data, error, refetch } = useQuery({ ...snippetQuery(snippetId), enabled: !isNew });
  if (isNew) return <SnippetForm key="new" />;
  if (data !== undefined) return <SnippetForm key={snippetId} snippet={data} />;
  return error === null ? (
    <SkeletonBlock height={480} />
  ) : (
    <Failed error={error} onRetry={() => void refetch()} />
  );
}

interface SnippetFormProps {
  snippet?: { id: number; name: string; script: string };
}

function SnippetForm({ snippet }: SnippetFormProps) {
  const title = snippet?.name ?? words.createTitle;
  useTitle(title);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    name: `snippet ${snippet?.id ?? 'new'}`,
    base: { name: snippet?.name ?? '', script: snippet?.script ?? words.template },
    hints: () => [],
  });
  const toList = () => navigate({ to: '/settings/snippets' });
  const { begin, dialog } = useDeleteSnippet(() => void toList());
  const save = async (members: unknown) => {
    const body = members as { name: string; script: string };
    if (snippet === undefined) await api('POST /v1/snippets', { body });
    else await api('PUT /v1/snippets/{id}', { params: { id: snippet.id }, body });
    toast(words.saved(body.name));
    await queries.invalidateQueries({ queryKey: ['snippets'] });
    await toList();
  };
  return (
    <FormProvider value={form}>
      <form
        ref={form.ref}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(save);
        }}
      >
        <PageHead
          above={<Link to="/settings/snippets">{words.back}</Link>}
          title={title}
          actions={
            <>
              {snippet !== undefined && (
                <Button
                  onClick={() => begin({ kind: 'snippets', id: snippet.id, name: snippet.name })}
                >
                  {words.remove}
                </Button>
              )}
              <Button kind="primary" type="submit" disabled={form.isSending}>
                {words.save}
              </Button>
            </>
          }
        />
        <Refusals of={form.refusals} />
        <NameInput />
        <ScriptInput
          path="script"
          kind="snippet"
          label={words.script}
          minHeight={320}
          maxHeight={640}
        />
        {snippet !== undefined && (
          <UsedBy of={{ kind: 'snippets', id: snippet.id, name: snippet.name }} />
        )}
      </form>
      {dialog}
    </FormProvider>
  );
}

function NameInput() {
  const { value } = useMember('name');
  const name = typeof value === 'string' ? value : '';
  return <TextInput path="name" label={words.name} hint={words.nameHint(name || 'name')} isCode />;
}
