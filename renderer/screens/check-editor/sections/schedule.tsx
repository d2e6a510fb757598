import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { NumberInput, SwitchInput, WordsInput } from '#renderer/parts/form/inputs.tsx';
import { Places } from '#renderer/parts/form/places.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { span } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import { frequencyOffsetRange } from '#shared/checks/schedule.ts';
import { useEdited, useSetting } from '../editor-context.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.schedule;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SECONDS = [10, 20, 30];
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];

/** How often a check runs, and where. */
export function ScheduleSection() {
  const { type } = useEdited();
  const frequency = useSetting<number>('frequency');
  const places = usePlaces();
  return (
    <Section
      title={words.title}
      summary={words.summary(span(useEveryMs()), places)}
      paths={['frequency', 'frequencyOffset', 'locations', 'privateLocations', 'runParallel']}
    >
      <Frequency />
      {frequency > 0 && (
        <NumberInput
          path="frequencyOffset"
          label={words.offset}
          hint={offsetHint(frequency)}
          empty={undefined}
        />
      )}
      <Inherited />
      <Places path="locations" />
      {'privateLocations' in CHECK_KINDS[type].fields && (
        <WordsInput path="privateLocations" label={words.privateLocations} />
      )}
      <SwitchInput path="runParallel" label={words.parallel} hint={words.parallelHint} />
    </Section>
  );
}

function useEveryMs(): number {
  const frequency = useSetting<number>('frequency');
  const offset = useSetting<number | undefined>('frequencyOffset');
  return frequency > 0 ? frequency * MINUTE_MS : (offset ?? SECONDS[0] ?? 0) * SECOND_MS;
}

function usePlaces(): string {
  const group = useGroup();
  const own = useSetting<string[] | null>('locations') ?? [];
  const ownPrivate = useSetting<string[] | null | undefined>('privateLocations') ?? [];
  const locations = group?.locations.length ? group.locations : own;
  const others = group?.privateLocations?.length ? group.privateLocations : ownPrivate;
  const all = [...locations.map(locationName), ...others];
  return all.length === 0 ? text.parts.here : all.join(', ');
}

function offsetHint(frequency: number): string {
  const { max } = frequencyOffsetRange(frequency);
  return frequency <= 60 ? words.offsetSeconds(max) : words.offsetHours(max);
}

/** An offset belongs to its frequency: with another one the API chooses anew. */
function Frequency() {
  const form = useFormAround();
  const { type } = useEdited();
  const everyMs = useEveryMs();
  const canBeSeconds = type !== 'BROWSER' && type !== 'MULTI_STEP' && type !== 'PLAYWRIGHT';
  const offered = [
    ...(canBeSeconds ? SECONDS.map((seconds) => seconds * SECOND_MS) : []),
    ...MINUTES.map((minutes) => minutes * MINUTE_MS),
  ];
  const options = [...new Set([...offered, everyMs])].toSorted((one, other) => one - other);
  const choose = (ms: number) => {
    const frequency = ms < MINUTE_MS ? 0 : ms / MINUTE_MS;
    const frequencyOffset = frequency === 0 ? ms / SECOND_MS : undefined;
    form.change((body) => ({ ...body, frequency, frequencyOffset }));
  };
  return (
    <div data-path="frequency">
      <SelectField
        label={words.frequency}
        error={form.error('frequency')}
        value={String(everyMs)}
        options={options.map((ms) => [String(ms), words.every(span(ms))])}
        onChange={(ms) => choose(Number(ms))}
      />
    </div>
  );
}

function Inherited() {
  const group = useGroup();
  if (!group?.locations.length && !group?.privateLocations?.length) return null;
  return <p>{words.fromGroup(group.name)}</p>;
}
