import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '#renderer/api/client.ts';
import { alertingText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { AlertSettingsInputs, alertSentence } from '#renderer/parts/form/alert-settings.tsx';
import { FormProvider, useForm } from '#renderer/parts/form/form.ts';
import { NumberInput, SwitchInput } from '#renderer/parts/form/inputs.tsx';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import type { AccountSettings } from '#shared/accounts/account-settings.ts';
import styles from './alerting.module.css';
import type { TriedSettings } from './queries.ts';
import { Replay } from './replay.tsx';

const words = alertingText;
const { flapping, storms } = words;

type Policy = Pick<AccountSettings, 'alertSettings' | 'flapping' | 'storms'>;

/** The settings to change, and what they would have sent. */
export function PolicyForm({ account }: { account: AccountSettings }) {
  const queries = useQueryClient();
  const base = policyOf(account);
  const form = useForm({ name: 'alerting', base: { ...base }, hints: () => [] });
  const body = form.body as unknown as Policy;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      const saved = await api('PUT /app/account', { body: { ...form.body } });
      toast(words.saved);
      queries.setQueryData(['account'], saved);
    });
  };
  return (
    <div className={styles.screen}>
      <FormProvider value={form}>
        <form ref={form.ref} className={styles.form} onSubmit={submit} noValidate>
          {form.isResumed && form.isChanged && <p className={styles.note}>{words.resumed}</p>}
          <p className={styles.sentence}>{words.told(alertSentence(body.alertSettings))}</p>
          <div className={styles.inputs}>
            <AlertSettingsInputs path="alertSettings" />
          </div>
          <div>
            <Flapping body={body} />
            <Storms body={body} />
          </div>
          <Refusals of={form.refusals} />
          <div className={styles.actions}>
            <Button kind="primary" type="submit" disabled={form.isSending || !form.isChanged}>
              {words.save}
            </Button>
            {form.isChanged && <Button onClick={form.discard}>{words.discard}</Button>}
          </div>
        </form>
      </FormProvider>
      <Replay tried={triedOf(body)} isOther={isOther(triedOf(body), triedOf(base))} />
    </div>
  );
}

function Flapping({ body }: { body: Policy }) {
  const { enabled, changes, withinMinutes } = body.flapping;
  return (
    <Section
      title={flapping.title}
      summary={enabled ? flapping.on(changes, withinMinutes) : flapping.off}
      paths={['flapping']}
    >
      <SwitchInput path="flapping.enabled" label={flapping.enabled} hint={flapping.enabledHint} />
      {enabled && (
        <>
          <NumberInput path="flapping.changes" label={flapping.changes} />
          <NumberInput path="flapping.withinRuns" label={flapping.withinRuns} />
          <NumberInput
            path="flapping.withinMinutes"
            label={flapping.withinMinutes}
            unit={flapping.minutes}
          />
          <NumberInput path="flapping.settledAfterRuns" label={flapping.settledAfterRuns} />
          <NumberInput
            path="flapping.settledAfterMinutes"
            label={flapping.settledAfterMinutes}
            unit={flapping.minutes}
          />
        </>
      )}
    </Section>
  );
}

function Storms({ body }: { body: Policy }) {
  const { alerts, messagesPerMinute } = body.storms;
  return (
    <Section
      title={storms.title}
      summary={alerts === 0 ? storms.off(messagesPerMinute) : storms.on(alerts, messagesPerMinute)}
      paths={['storms']}
    >
      <NumberInput path="storms.alerts" label={storms.alerts} hint={storms.alertsHint} />
      <NumberInput
        path="storms.messagesPerMinute"
        label={storms.messages}
        hint={storms.messagesHint}
      />
    </Section>
  );
}

function policyOf({ alertSettings, flapping: flap, storms: many }: AccountSettings): Policy {
  return { alertSettings, flapping: flap, storms: many };
}

function triedOf({ alertSettings, flapping: flap }: Policy): TriedSettings {
  return { alertSettings, flapping: flap };
}

function isOther(one: TriedSettings, other: TriedSettings): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
