import { checkScriptsText } from '#renderer/messages/editor.ts';
import { TextField } from '#renderer/parts/field.tsx';
import { ChoiceInput, NumberInput, TextInput, useMember } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { MULTI_STEP_RUNTIME_IDS, RUNTIME_IDS } from '#shared/checks/enums.ts';
import { useSetting } from '../editor-context.ts';

const words = checkScriptsText.options;
const CONFIG = 'playwrightConfig';

/** How a script runs: its runtime, its times, and what it leaves. */
export function RunOptionsSection({ isBrowser }: { isBrowser: boolean }) {
  const runtime = useSetting<string | null>('runtimeId') ?? words.noRuntime;
  const [screenshot, trace, video] = [
    useOption('screenshot', words.screenshots),
    useOption('trace', words.traces),
    useOption('video', words.videos),
  ];
  const runtimes: readonly string[] = isBrowser ? RUNTIME_IDS : MULTI_STEP_RUNTIME_IDS;
  return (
    <Section
      title={words.title}
      summary={
        isBrowser
          ? words.summary(runtime, screenshot.name, trace.name, video.name)
          : words.runtimeOnly(runtime)
      }
      paths={['runtimeId', CONFIG, 'scriptPath', 'sslCheckDomain']}
    >
      <ChoiceInput<string | null>
        path="runtimeId"
        label={words.runtime}
        hint={words.runtimeHint}
        options={[[null, words.noRuntime], ...runtimes.map((id) => [id, id] as const)]}
        fallback={null}
      />
      <NumberInput
        path={`${CONFIG}.timeout`}
        label={words.timeout}
        unit={words.ms}
        placeholder="30000"
        empty={undefined}
      />
      <NumberInput
        path={`${CONFIG}.expect.timeout`}
        label={words.expectTimeout}
        unit={words.ms}
        placeholder="5000"
        empty={undefined}
      />
      <OptionalText name="baseURL" label={words.baseUrl} hint={words.baseUrlHint} />
      {isBrowser && (
        <>
          <OptionalText name="locale" label={words.locale} placeholder="en-US" />
          <ViewportInput />
          <OptionInput label={words.screenshot} {...screenshot} names={words.screenshots} />
          <OptionInput label={words.trace} {...trace} names={words.traces} />
          <OptionInput label={words.video} {...video} names={words.videos} hint={words.pictures} />
          <TextInput
            path="sslCheckDomain"
            label={words.certificate}
            hint={words.certificateHint}
            placeholder="shop.example.com"
            empty={null}
            isCode
          />
        </>
      )}
      <TextInput
        path="scriptPath"
        label={checkScriptsText.scriptPath}
        hint={checkScriptsText.scriptPathHint}
        placeholder="check.spec.ts"
        empty={null}
        isCode
      />
    </Section>
  );
}

type Names = Readonly<Record<string, string> & { default: string }>;

/** One of Playwright's options that are a word; none is the default of Watchpost. */
function useOption(name: string, names: Names) {
  const { value, set, error } = useMember(`${CONFIG}.use.${name}`);
  const chosen = typeof value === 'string' ? value : 'default';
  return { value: chosen, set, error, name: names[chosen] ?? chosen };
}

function OptionInput({
  label,
  hint,
  value,
  set,
  error,
  names,
}: Omit<ReturnType<typeof useOption>, 'name'> & { label: string; hint?: string; names: Names }) {
  const others = value in names ? [] : [[value, value] as const];
  return (
    <SelectField
      {...{ label, error, hint, value }}
      options={[...Object.entries(names), ...others]}
      onChange={(next) => set(next === 'default' ? undefined : next)}
    />
  );
}

function OptionalText({
  name,
  ...shown
}: {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
}) {
  const { value, set, error, touch } = useMember(`${CONFIG}.use.${name}`);
  return (
    <TextField
      {...shown}
      error={error}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => set(target.value === '' ? undefined : target.value)}
      onBlur={touch}
    />
  );
}

const VIEWPORTS = {
  default: undefined,
  large: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
} as const;

function ViewportInput() {
  const { value, set } = useMember(`${CONFIG}.use.viewport`);
  const text = JSON.stringify(value);
  const known = (Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[]).find(
    (name) => JSON.stringify(VIEWPORTS[name]) === text,
  );
  const { width, height } = (value ?? {}) as { width?: number; height?: number };
  return (
    <SelectField
      label={words.viewport}
      value={known ?? 'other'}
      options={[
        ...Object.entries(words.viewports),
        ...(known === undefined ? [['other', `${width} × ${height}`] as const] : []),
      ]}
      onChange={(name) => {
        if (name !== 'other') set(VIEWPORTS[name as keyof typeof VIEWPORTS]);
      }}
    />
  );
}
