import type { FormEvent, ReactNode } from 'react';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import {
  ChannelFields,
  type ChannelFieldsProps,
} from '#renderer/parts/channel-form/channel-fields.tsx';
import { FormProvider, useForm } from '#renderer/parts/form/form.ts';
import { NumberInput, SwitchInput, useMember } from '#renderer/parts/form/inputs.tsx';
import type { Members } from '#renderer/parts/form/members.ts';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import styles from './channels.module.css';

const words = channelsPageText;
const { flags } = words;

interface ChannelFormProps extends ChannelFieldsProps {
  /** Of its draft. */
  name: string;
  base: Members;
  action: string;
  onSend(body: Record<string, unknown>): Promise<void>;
  /** What else is asked. */
  children?: ReactNode;
}

/** A channel to fill in: what its service needs, and what it is told of. */
export function ChannelForm({ name, base, action, onSend, children, ...fields }: ChannelFormProps) {
  const form = useForm({ name, base, hints: () => [] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit((body) => onSend({ ...body }));
  };
  return (
    <FormProvider value={form}>
      <form ref={form.ref} className={styles.form} onSubmit={submit} noValidate>
        {form.isResumed && form.isChanged && <p className={styles.resumed}>{words.resumed}</p>}
        <ChannelFields {...fields} />
        <fieldset className={styles.flags}>
          <legend>{words.wantsLabel}</legend>
          <SwitchInput path="sendFailure" label={flags.sendFailure} />
          <SwitchInput path="sendRecovery" label={flags.sendRecovery} />
          <SwitchInput path="sendDegraded" label={flags.sendDegraded} />
          <SwitchInput path="sslExpiry" label={flags.sslExpiry} />
          <CertificateDays />
        </fieldset>
        <SwitchInput path="autoSubscribe" label={flags.autoSubscribe} />
        {children}
        <Refusals of={form.refusals} />
        <div className={styles.actions}>
          <Button kind="primary" type="submit" disabled={form.isSending}>
            {action}
          </Button>
          {form.isChanged && <Button onClick={form.discard}>{words.discard}</Button>}
        </div>
      </form>
    </FormProvider>
  );
}

function CertificateDays() {
  const { value } = useMember('sslExpiry');
  if (value !== true) return null;
  return <NumberInput path="sslExpiryThreshold" label={words.sslDays} unit={words.days} />;
}
