import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SEGMENTS, type ShownCheck } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { useForm } from '#renderer/parts/form/form.ts';
import { changedMembers, type Members } from '#renderer/parts/form/members.ts';
import { toast } from '#renderer/parts/toast.tsx';
import type { CheckType } from '#shared/checks/enums.ts';
import { blankCheck } from './blank-check.ts';
import { CheckForm } from './check-form.tsx';
import { editDraftName, newDraftName } from './draft-name.ts';
import { editableBody } from './editable-body.ts';
import { hintsOf } from './hints.ts';

const words = editorText;

/** The form of a check that does not exist yet. */
export function NewCheck({ type }: { type: CheckType }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    name: newDraftName(type),
    base: blankCheck(type),
    hints: (body) => hintsOf(type, body),
  });
  const create = async (typed: Members) => {
    const check = await api('POST /v1/checks/{segment}', {
      params: { segment: SEGMENTS[type] },
      // Where nobody chose channels, the check alerts all of them.
      query: { autoAssignAlerts: typed.alertChannelSubscriptions === undefined },
      body: { ...typed },
    });
    toast(words.created(check.name));
    void queries.invalidateQueries({ queryKey: ['alert-channels'] });
    await navigate({ to: '/checks/$checkId', params: { checkId: check.id } });
  };
  return (
    <CheckForm
      type={type}
      form={form}
      saveLabel={words.create}
      onSubmit={() => void form.submit(create)}
    />
  );
}

/** The form of a check that exists: only what was changed is sent. */
export function EditedCheck({ check }: { check: ShownCheck }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, checkType: type } = check;
  const [base] = useState(() => editableBody(check));
  const form = useForm({
    name: editDraftName(id),
    base,
    hints: (body) => hintsOf(type, body),
  });
  const save = async (typed: Members) => {
    const { name } = await api('PUT /v1/checks/{segment}/{id}', {
      params: { segment: SEGMENTS[type], id },
      body: changedMembers(form.base, typed),
    });
    toast(words.saved(name));
    queries.removeQueries({ queryKey: ['check', id, 'edited'] });
    void queries.invalidateQueries({ queryKey: ['check', id] });
    await navigate({ to: '/checks/$checkId', params: { checkId: id } });
  };
  return (
    <CheckForm
      type={type}
      checkId={id}
      form={form}
      saveLabel={words.save}
      onSubmit={() => void form.submit(save)}
    />
  );
}
