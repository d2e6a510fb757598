import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  namesOf,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingNames,
  type Settings,
} from './table.ts';

/** What was found at the place of `config.json`. */
export type ConfigFile =
  | { kind: 'missing' }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'text'; text: string };

/** Where settings come from. */
export interface SettingSources {
  /** Values of the command line, by the setting's name or its former one. */
  flags: Readonly<Record<string, string | undefined>>;
  env: Readonly<Record<string, string | undefined>>;
  /** Reads `config.json` of the data folder given, an absolute path. */
  readConfigFile: (dataDir: string) => ConfigFile;
}

/**
 * All settings, with a sentence for each that was given under its former name; or every problem, one
 * sentence each, that keeps the appliance from starting.
 */
export type SettingsOutcome =
  | { settings: Settings; renamed: string[]; problems: null }
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
  renamed: string[];
}
const NOTHING: Found = { values: {}, problems: [], renamed: [] };

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
    renamed: [...flags.renamed, ...env.renamed],
  };
  const file = fromFile(sources, above);
  const problems = [...above.problems, ...file.problems].map(({ text }) => text);
  if (problems.length > 0) return { settings: null, problems };
  const settings = { ...defaults(), ...file.values, ...above.values } as Settings;
  return { settings, renamed: [...above.renamed, ...file.renamed], problems: null };
}

function fromFlags(flags: SettingSources['flags']): Found {
  return collect(({ name, flag }, { value }) => {
    const text = flags[name];
    if (text === undefined || flag === null) return null;
    return { place: flag.name, raw: value.fromText(text) };
  });
}

function fromEnvironment(env: SettingSources['env']): Found {
  return collect((names, { value }) => {
    const text = env[names.env];
    if (text === undefined || text === '') return null;
    return { place: names.env, raw: value.fromText(text) };
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
  return { ...NOTHING, problems: [{ name: null, text: `config.json: ${problem}` }] };
}

function fromMembers(members: Readonly<Record<string, unknown>>): Found {
  const unknown = Object.keys(members).filter((key) => !isFileSetting(key));
  const known = collect(({ name }, { inFile }) =>
    Object.hasOwn(members, name) && inFile
      ? { place: `config.json: ${name}`, raw: members[name] }
      : null,
  );
  const strangers = unknown.map((key) => ({
    name: null,
    text: `config.json: ${shown(key)} is not a setting of this file`,
  }));
  return { ...known, problems: [...strangers, ...known.problems] };
}

function isFileSetting(key: string): boolean {
  return SETTING_NAMES.some(
    (name) => SETTINGS[name].inFile && namesOf(name).some((names) => names.name === key),
  );
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

interface Given {
  place: string;
  raw: unknown;
}

type Find = (names: SettingNames, setting: Setting<unknown>) => Given | null;

/** Takes what one source has of each setting through its schema; a former name gives way. */
function collect(find: Find): Found {
  const values: Values = {};
  const problems: Problem[] = [];
  const renamed: string[] = [];
  for (const name of SETTING_NAMES) {
    const setting = SETTINGS[name] as Setting<unknown>;
    for (const names of namesOf(name).toReversed()) {
      const given = find(names, setting);
      if (given === null) continue;
      const parsed = setting.value.schema.safeParse(given.raw);
      if (parsed.success) values[name] = parsed.data;
      else problems.push({ name, text: wrongValue(setting, given, parsed.error.issues) });
      if (names === setting.formerly) renamed.push(renaming(given, name, setting));
    }
  }
  return { values, problems, renamed };
}

function renaming({ place }: Given, name: SettingName, { env, flag }: Setting<unknown>): string {
  const now = [env, flag?.name, `"${name}" in config.json`].filter(Boolean).join(', ');
  return `${place} has a new name (${now}); the next version will not read the old one.`;
}

function wrongValue(
  setting: Setting<unknown>,
  { place, raw }: Given,
  issues: readonly { path: PropertyKey[] }[],
): string {
  const expected = `${place}: expected ${setting.value.expected}`;
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

/** Reads `config.json` of a data folder. A folder or file that is not there holds no settings. */
export function readConfigFile(dataDir: string): ConfigFile {
  try {
    return { kind: 'text', text: readFileSync(join(dataDir, 'config.json'), 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code !== undefined) return { kind: 'unreadable', reason: code };
    throw error;
  }
}
