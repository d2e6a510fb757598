import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { firstMinuteText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { ChannelFields } from '#renderer/parts/channel-form/channel-fields.tsx';
import { TestOutcome, useChannelTest } from '#renderer/parts/channel-form/channel-test.tsx';
import { blankChannel, SERVICES, type Service } from '#renderer/parts/channel-form/services.ts';
import { channelName, serviceName } from '#renderer/parts/channel-name.ts';
import { FormProvider, useForm } from '#renderer/parts/form/form.ts';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import type { ShownChannel } from '#shared/notifications/view.ts';
import styles from './first-minute.module.css';

const words = firstMinuteText;
/** Those that most look for. */
const FIRST_SHOWN = 9;

/** Where alerts go: the channels that there are, with the tests that they were sent, and another one. */
export function WhoIsTold({
  checkId,
  channels,
}: {
  checkId: string;
  channels: readonly ShownChannel[];
}) {
  const [service, setService] = useState<Service | null>(null);
  const [isAdding, setAdding] = useState(false);
  /** The channel that was made here: it is sent a test at once. */
  const [made, setMade] = useState<number | null>(null);
  const isChoosing = service === null && (channels.length === 0 || isAdding);
  return (
    <section className={styles.step} aria-label={words.whoTitle}>
      <h2 className={styles.heading}>{words.whoTitle}</h2>
      {channels.length > 0 && (
        <ul className={styles.channels} aria-label={words.channels}>
          {channels.map((channel) => (
            <Channel key={channel.id} channel={channel} isNew={channel.id === made} />
          ))}
        </ul>
      )}
      {isChoosing && <Services onChoose={setService} />}
      {service !== null && (
        <NewChannel
          key={service.key}
          checkId={checkId}
          service={service}
          onBack={() => setService(null)}
          onMade={(id) => {
            setMade(id);
            setService(null);
            setAdding(false);
          }}
        />
      )}
      {!isChoosing && service === null && (
        <Button className={styles.start ?? ''} onClick={() => setAdding(true)}>
          {words.another}
        </Button>
      )}
    </section>
  );
}

function Services({ onChoose }: { onChoose(service: Service): void }) {
  const [isAll, setAll] = useState(false);
  return (
    <fieldset className={styles.services}>
      <legend className={styles.unseen}>{words.services}</legend>
      {(isAll ? SERVICES : SERVICES.slice(0, FIRST_SHOWN)).map((service) => (
        <Button key={service.key} onClick={() => onChoose(service)}>
          {service.name}
        </Button>
      ))}
      {!isAll && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {words.more}
        </Button>
      )}
    </fieldset>
  );
}

interface NewChannelProps {
  checkId: string;
  service: Service;
  onBack(): void;
  onMade(id: number): void;
}

function NewChannel({ checkId, service, onBack, onMade }: NewChannelProps) {
  const queries = useQueryClient();
  const base = { ...blankChannel(service), autoSubscribe: true };
  const form = useForm({ name: `first-channel:${service.key}`, base, hints: () => [] });
  const { ref } = form;
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async (body) => {
      const { id } = await api('POST /v1/alert-channels', { body: { ...body } });
      const subscription = { checkId, activated: true };
      await api('PUT /v1/alert-channels/{id}/subscriptions', {
        params: { id },
        body: subscription,
      });
      await queries.invalidateQueries({ queryKey: ['alert-channels'] });
      onMade(id);
    });
  };
  return (
    <FormProvider value={form}>
      <form
        ref={form.ref}
        className={styles.form}
        onSubmit={submit}
        noValidate
        aria-label={service.name}
      >
        <h3 className={styles.service}>{service.name}</h3>
        <ChannelFields service={service} />
        <Refusals of={form.refusals} />
        <div className={styles.actions}>
          <Button kind="primary" type="submit" disabled={form.isSending}>
            {form.isSending ? words.sending : words.add}
          </Button>
          <Button onClick={onBack}>{words.otherService}</Button>
        </div>
      </form>
    </FormProvider>
  );
}

/** A channel with what came of its test; one that was just made is sent one by itself. */
function Channel({ channel, isNew }: { channel: ShownChannel; isNew: boolean }) {
  const test = useChannelTest(channel.id, isNew);
  const service = serviceName(channel);
  const name = channelName(channel) ?? service;
  return (
    <li className={styles.channel}>
      <div className={styles.row}>
        <p className={styles.channelName}>
          <b>{name}</b> {name !== service && <span className={styles.note}>{service}</span>}
        </p>
        <Button
          aria-label={words.testOf(name)}
          disabled={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.isPending ? words.sending : words.test}
        </Button>
      </div>
      {channel.warnings.map((warning) => (
        <p key={warning} className={styles.note}>
          {warning}
        </p>
      ))}
      <output>
        <TestOutcome data={test.data} error={test.error} />
      </output>
    </li>
  );
}
