import { useQuery } from '@tanstack/react-query';
import { groupText } from '#renderer/messages/editor.ts';
import { AlertSettingsInputs, alertSentence } from '#renderer/parts/form/alert-settings.tsx';
import { ChannelInputs } from '#renderer/parts/form/channels.tsx';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { ChoiceInput, NumberInput, SwitchInput, WordsInput } from '#renderer/parts/form/inputs.tsx';
import { Variables } from '#renderer/parts/form/pairs.tsx';
import { Places } from '#renderer/parts/form/places.tsx';
import { RetryStrategyInputs, retrySentence } from '#renderer/parts/form/retry-strategy.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { locationName } from '#renderer/parts/location-name.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import { RequestsSection, ScriptsSection } from './api-sections.tsx';
import styles from './group.module.css';
import { accountQuery, channelsQuery } from './queries.ts';
import { useList } from './use-list.ts';

const words = groupText;

/** Everything that a group can decide; each section says first what is left to the checks. */
export function GroupSections() {
  return (
    <div className={styles.sections}>
      <GeneralSection />
      <PlacesSection />
      <RetriesSection />
      <AlertsSection />
      <VariablesSection />
      <RequestsSection />
      <ScriptsSection />
    </div>
  );
}

function GeneralSection() {
  const tags = useList<string>('tags');
  const concurrency = useFormAround().get('concurrency');
  const { general } = words;
  return (
    <Section
      title={general.title}
      summary={general.summary(tags, concurrency)}
      paths={['tags', 'concurrency', 'activated', 'muted']}
    >
      <WordsInput path="tags" label={general.tags} hint={general.tagsHint} />
      <NumberInput path="concurrency" label={general.concurrency} hint={general.concurrencyHint} />
      <SwitchInput path="activated" label={general.active} hint={general.activeHint} fallback />
      <SwitchInput path="muted" label={general.muted} hint={general.mutedHint} />
    </Section>
  );
}

function PlacesSection() {
  const chosen = [...useList<string>('locations'), ...useList<string>('privateLocations')];
  const { places } = words;
  return (
    <Section
      title={places.title}
      summary={chosen.length === 0 ? words.inherited : chosen.map(locationName).join(', ')}
      paths={['locations', 'privateLocations', 'runParallel', 'runtimeId']}
    >
      <p>{places.inheritedHint}</p>
      <Places path="locations" />
      <WordsInput path="privateLocations" label={places.title2} />
      <ChoiceInput<boolean | null>
        path="runParallel"
        label={places.inTurn}
        options={[
          [null, places.orders.own],
          [true, places.orders.parallel],
          [false, places.orders.turn],
        ]}
        fallback={null}
      />
      <ChoiceInput<string | null>
        path="runtimeId"
        label={places.runtime}
        options={[[null, words.inherited], ...RUNTIME_IDS.map((id) => [id, id] as const)]}
        fallback={null}
      />
    </Section>
  );
}

function RetriesSection() {
  const form = useFormAround();
  const strategy = form.get('retryStrategy') as RetryStrategy | 'FALLBACK' | null | undefined;
  const byFlag = form.get('doubleCheck') === true ? words.retries.double : retrySentence(null);
  const said = strategy === undefined ? byFlag : undefined;
  return (
    <Section
      title={words.retries.title}
      summary={
        said ??
        (strategy === 'FALLBACK'
          ? words.inherited
          : retrySentence(strategy as RetryStrategy | null))
      }
      paths={['retryStrategy']}
    >
      <RetryStrategyInputs path="retryStrategy" fallback={said ?? words.inherited} />
    </Section>
  );
}

type Whose = 'check' | 'account' | 'group';

function AlertsSection() {
  const form = useFormAround();
  const { data: account } = useQuery(accountQuery);
  const { data: channels } = useQuery(channelsQuery);
  const isGlobal = form.get('useGlobalAlertSettings');
  const own = form.get('alertSettings') as Partial<AlertSettings> | null;
  const whose: Whose = isGlobal === true ? 'account' : isGlobal === false ? 'group' : 'check';
  const sentences = {
    check: words.inherited,
    account: alertSentence(account?.alertSettings),
    group: alertSentence(own),
  };
  const choose = (next: Whose) =>
    form.change((body) => ({
      ...body,
      useGlobalAlertSettings: next === 'check' ? null : next === 'account',
      alertSettings: next === 'group' ? (own ?? account?.alertSettings ?? {}) : null,
    }));
  return (
    <Section
      title={words.alerts.title}
      summary={sentences[whose]}
      paths={['useGlobalAlertSettings', 'alertSettings', 'alertChannelSubscriptions']}
    >
      <SelectField<Whose>
        label={words.alerts.who}
        value={whose}
        options={(['check', 'account', 'group'] as const).map((one) => [
          one,
          words.alerts.whose[one],
        ])}
        onChange={choose}
      />
      {whose !== 'check' && <ChannelInputs path="alertChannelSubscriptions" channels={channels} />}
      {whose === 'group' && <AlertSettingsInputs path="alertSettings" />}
    </Section>
  );
}

function VariablesSection() {
  const names = useList<{ key: string }>('environmentVariables').map(({ key }) => key);
  return (
    <Section
      title={words.variables.title}
      summary={names.filter(Boolean).join(', ') || words.variables.none}
      paths={['environmentVariables']}
    >
      <p>{words.variables.hint}</p>
      <Variables path="environmentVariables" />
    </Section>
  );
}
