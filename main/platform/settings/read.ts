import { SETTING_NAMES, SETTINGS, type Setting, type SettingName, type Settings } from './table.ts';

/** What was found at the place of `config.json`. */
export type ConfigFile =
  | { kind: 'missing' }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'text'; text: string };

/** Where settings come from. */
export interface SettingSources {
  /** Values of the command line, by the setting's name. */
  flags: { readonly [N in SettingName]?: string | undefined };
  env: Readonly<Record<string, string | undefined>>;
  /** Reads `config.json` of the data folder given, an absolute path. */
  readConfigFile: (dataDir: string) => ConfigFile;
}

/** All settings, or every problem, one sentence each, that keeps the appliance from starting. */
export type SettingsOutcome =
  | { settings: Settings; problems: null }
  | { settings: null; problems: string[] };

type Values = Partial<Record<SettingName, unknown>>;
interface Problem {
  /** Null where what is wrong is no setting. */
  name: SettingName | null;
  text: string;
}
interface Found {
  values: Values;
  problems: Problem[];
}
const NOTHING: Found = { values: {}, problems: [] };

/**
 * Reads all settings: flags, then environment (an empty variable is an unset one), then
 * `config.json` in the data folder, then defaults. A wrong value is a problem even where another
 * source hides it: a security setting that was meant is never passed over in silence.
 */
export function readSettings(sources: SettingSources): SettingsOutcome {
  const flags = fromFlags(sources.flags);
  const env = fromEnvironment(sources.env);
  const above: Found = {
    values: { ...env.values, ...flags.values },
    problems: [...flags.problems, ...env.problems],
  };
  const file = fromFile(sources, above);
  const problems = [...above.problems, ...file.problems].map(({ text }) => text);
  if (problems.length > 0) return { settings: null, problems };
  const settings = { ...defaults(), ...file.values, ...above.values } as Settings;
  return { settings, problems: null };
}

function fromFlags(flags: SettingSources['flags']): Found {
  return collect((name, setting) => {
    const text = flags[name];
    if (text === undefined || setting.flag === null) return null;
    return { place: setting.flag.name, raw: setting.value.fromText(text) };
  });
}

function fromEnvironment(env: SettingSources['env']): Found {
  return collect((_name, setting) => {
    const text = env[setting.env];
    if (text === undefined || text === '') return null;
    return { place: setting.env, raw: setting.value.fromText(text) };
  });
}

/** Reads `config.json`, unless a wrong data folder leaves unknown which one is meant. */
function fromFile(sources: SettingSources, above: Found): Found {
  if (above.problems.some(({ name }) => name === 'dataDir')) return NOTHING;
  const dataDir = (above.values.dataDir as string | undefined) ?? SETTINGS.dataDir.default;
  const found = sources.readConfigFile(dataDir);
  if (found.kind === 'missing') return NOTHING;
  if (found.kind === 'unreadable') return refused(`cannot be read (${found.reason})`);
  const members = parseObject(found.text);
  return members === null ? refused('expected a JSON object') : fromMembers(members);
}

function refused(problem: string): Found {
  return { values: {}, problems: [{ name: null, text: `config.json: ${problem}` }] };
}

function fromMembers(members: Readonly<Record<string, unknown>>): Found {
  const unknown = Object.keys(members).filter((key) => !isFileSetting(key));
  const known = collect((name) =>
    Object.hasOwn(members, name) && isFileSetting(name)
      ? { place: `config.json: ${name}`, raw: members[name] }
      : null,
  );
  const strangers = unknown.map((key) => ({
    name: null,
    text: `config.json: ${shown(key)} is not a setting of this file`,
  }));
  return { values: known.values, problems: [...strangers, ...known.problems] };
}

function isFileSetting(key: string): boolean {
  return Object.hasOwn(SETTINGS, key) && SETTINGS[key as SettingName].inFile;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type Find = (
  name: SettingName,
  setting: Setting<unknown>,
) => { place: string; raw: unknown } | null;

/** Takes what one source has of each setting through its schema. */
function collect(find: Find): Found {
  const values: Values = {};
  const problems: Problem[] = [];
  for (const name of SETTING_NAMES) {
    const setting = SETTINGS[name] as Setting<unknown>;
    const found = find(name, setting);
    if (found === null) continue;
    const parsed = setting.value.schema.safeParse(found.raw);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push({
        name,
        text: `${found.place}: ${wrongValue(setting, found.raw, parsed.error.issues)}`,
      });
  }
  return { values, problems };
}

function wrongValue(
  setting: Setting<unknown>,
  raw: unknown,
  issues: readonly { path: PropertyKey[] }[],
): string {
  const expected = `expected ${setting.value.expected}`;
  if (setting.secret) return expected;
  return `${expected}, got ${shown(firstWrong(raw, issues))}`;
}

/** The first item of a list that is wrong; else the whole value. */
function firstWrong(raw: unknown, issues: readonly { path: PropertyKey[] }[]): unknown {
  const index = issues[0]?.path[0];
  return Array.isArray(raw) && typeof index === 'number' ? raw[index] : raw;
}

const MAX_SHOWN_LENGTH = 100;

/** A value on one line, cut where it is long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function defaults(): Values {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default]));
}
