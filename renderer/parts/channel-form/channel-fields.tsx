import { channelText } from '#renderer/messages/alerting.ts';
import {
  ChoiceInput,
  TextAreaInput,
  TextInput,
  useMember,
  WordsInput,
} from '#renderer/parts/form/inputs.tsx';
import { Pairs } from '#renderer/parts/form/pairs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { SecretInput } from './secret-input.tsx';
import { needsQuery, type Service } from './services.ts';

const words = channelText;
const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;
const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'HEAD', 'DELETE'] as const;

export interface ChannelFieldsProps {
  service: Service;
  /** Whether its secrets are known to the appliance and stay as they are where nothing is typed. */
  isKept?: boolean;
  /** Where the kept URL leads. */
  host?: string | undefined;
}

/** What a channel of a service is to be told, in the form around it. */
export function ChannelFields({ service, isKept = false, host }: ChannelFieldsProps) {
  const kept = isKept ? words.kept : undefined;
  const keptUrl = host === undefined ? kept : words.keptHost(host);
  switch (service.type) {
    case 'EMAIL':
      return (
        <TextInput path="config.address" label={words.address} type="email" autoComplete="email" />
      );
    case 'SLACK':
      return (
        <>
          <Url service={service} kept={keptUrl} />
          <TextInput path="config.channel" label={words.room} hint={words.roomHint} />
        </>
      );
    case 'SLACK_APP':
      return <WordsInput path="config.slackChannels" label={words.rooms} hint={words.roomsHint} />;
    case 'SMS':
    case 'CALL':
      return (
        <>
          <TextInput
            path="config.number"
            label={words.number}
            hint={words.numberHint}
            type="tel"
            autoComplete="tel"
          />
          <Name />
        </>
      );
    case 'PAGERDUTY':
      return (
        <>
          <SecretInput
            path="config.serviceKey"
            label={words.serviceKey}
            hint={words.serviceKeyHint}
            kept={kept}
          />
          <TextInput path="config.serviceName" label={words.service} hint={words.nameHint} />
        </>
      );
    case 'OPSGENIE':
      return <OpsgenieFields kept={kept} />;
    case 'DESKTOP':
      return <Name />;
    case 'WEBHOOK':
      return <WebhookFields service={service} kept={kept} keptUrl={keptUrl} />;
  }
}

function Name() {
  return <TextInput path="config.name" label={words.name} hint={words.nameHint} />;
}

function Url({ service, kept }: { service: Service; kept: string | undefined }) {
  return (
    <TextInput
      path="config.url"
      label={words.url}
      hint={words.urlHints[service.key]}
      isCode
      inputMode="url"
      {...(kept !== undefined && { placeholder: kept })}
    />
  );
}

function OpsgenieFields({ kept }: { kept: string | undefined }) {
  return (
    <>
      <Name />
      <SecretInput path="config.apiKey" label={words.apiKey} kept={kept} />
      <ChoiceInput
        path="config.region"
        label={words.region}
        options={[
          [null, words.byService],
          ['US', 'US'],
          ['EU', 'EU'],
        ]}
        fallback={null}
      />
      <ChoiceInput
        path="config.priority"
        label={words.priority}
        options={[[null, words.byService], ...PRIORITIES.map((one) => [one, one] as const)]}
        fallback={null}
      />
    </>
  );
}

interface WebhookFieldsProps {
  service: Service;
  kept: string | undefined;
  keptUrl: string | undefined;
}

function WebhookFields({ service, kept, keptUrl }: WebhookFieldsProps) {
  const { value: method } = useMember('config.method');
  const { value: template } = useMember('config.template');
  const said = typeof method === 'string' ? method : 'POST';
  const query = (
    <Pairs path="config.queryParameters" label={words.query} addLabel={words.addQuery} />
  );
  return (
    <>
      <Name />
      <Url service={service} kept={keptUrl} />
      {needsQuery(service) && query}
      <Section
        title={words.request}
        summary={template ? words.ownBody(said) : words.requestSummary(said)}
        paths={['config.method', 'config.headers', 'config.template', 'config.webhookSecret']}
      >
        <ChoiceInput
          path="config.method"
          label={words.method}
          options={METHODS.map((one) => [one, one] as const)}
          fallback="POST"
        />
        <Pairs path="config.headers" label={words.headers} addLabel={words.addHeader} />
        {!needsQuery(service) && query}
        <TextAreaInput
          path="config.template"
          label={words.template}
          hint={words.templateHint}
          empty={null}
          rows={6}
          isCode
        />
        <SecretInput
          path="config.webhookSecret"
          label={words.secret}
          hint={words.secretHint}
          kept={kept}
          isOptional
        />
      </Section>
    </>
  );
}
