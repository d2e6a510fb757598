import { Command, InvalidArgumentError } from 'commander';
import { addSettingOptions } from '#main/platform/settings/options.ts';
import { SETTING_NAMES, SETTINGS } from '#main/platform/settings/table.ts';

/** What a command was called with: values of its flags by commander's names. */
export type Parsed = Readonly<Record<string, unknown>>;

/** What the commands do; injected, so that the command line is tested without doing it. */
export interface Actions {
  serve(parsed: Parsed): Promise<void>;
  open(parsed: Parsed): Promise<void>;
  createKey(name: string, parsed: Parsed): Promise<void>;
  listKeys(parsed: Parsed): Promise<void>;
  revokeKey(id: string, parsed: Parsed): Promise<void>;
  doctor(parsed: Parsed): Promise<void>;
  record(url: string, parsed: Parsed): Promise<void>;
}

const MAX_NAME_LENGTH = 100;

/** The `watchpost` command line. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command('watchpost')
    .description('Self-hosted synthetic monitoring: scheduled checks and their results.')
    .version(version)
    .showHelpAfterError('Try watchpost --help.');
  addServe(program, actions);
  addOpen(program, actions);
  addKeys(program, actions);
  addDoctor(program, actions);
  addRecord(program, actions);
  return program;
}

function addServe(program: Command, actions: Actions): void {
  const serve = program
    .command('serve')
    .description('Run the appliance until SIGTERM or SIGINT.')
    .addHelpText(
      'after',
      '\nFlags come first, then variables (an empty one is unset), then config.json in the data' +
        '\nfolder. Secrets have no flag, as every user of a machine sees its command lines:' +
        `\n${secretVariables().join(', ')}.`,
    );
  addSettingOptions(serve, SETTING_NAMES).action((parsed: Parsed) => actions.serve(parsed));
}

function addOpen(program: Command, actions: Actions): void {
  const open = program
    .command('open')
    .description('Print a link that signs a browser in at the running appliance, and open it.');
  addSettingOptions(open, ['dataDir', 'publicUrl', 'openBrowser']);
  open.action((parsed: Parsed) => actions.open(parsed));
}

/** The variables of settings that no command line may show. */
function secretVariables(): string[] {
  return SETTING_NAMES.map((name) => SETTINGS[name])
    .filter(({ flag }) => flag === null)
    .map(({ env }) => env);
}

function addKeys(program: Command, actions: Actions): void {
  const keys = program
    .command('keys')
    .description('Create, list and revoke API keys, whether the appliance runs or not.');
  const create = keys
    .command('create')
    .description('Create a key and print it; it is shown only this once.')
    .requiredOption('--name <name>', 'What the key is for.', shortName);
  const list = keys.command('list').description('List the keys: id, first characters, date, name.');
  const revoke = keys
    .command('revoke')
    .description('Revoke a key at once.')
    .argument('<id>', 'The id that `keys list` shows.');
  for (const command of [create, list, revoke]) addSettingOptions(command, ['dataDir']);
  create.action((parsed: Parsed) => actions.createKey(String(parsed.name), parsed));
  list.action((parsed: Parsed) => actions.listKeys(parsed));
  revoke.action((id: string, parsed: Parsed) => actions.revokeKey(id, parsed));
}

function addDoctor(program: Command, actions: Actions): void {
  const doctor = program
    .command('doctor')
    .description(
      'Say what this machine lacks to run Watchpost; exit code 1 where there is a problem.',
    )
    .option('--json', 'Answer JSON.')
    .addHelpText(
      'after',
      '\nIt takes the settings of serve, whether the appliance runs or not, and changes nothing.',
    );
  addSettingOptions(doctor, SETTING_NAMES).action((parsed: Parsed) => actions.doctor(parsed));
}

function addRecord(program: Command, actions: Actions): void {
  const record = program
    .command('record')
    .description('Record what you do in a browser, and create a browser check of it.')
    .argument('<url>', 'Where to begin.', webAddress)
    .option('--name <name>', 'Name of the check.', shortName)
    .addHelpText(
      'after',
      '\nIt needs a desktop; exit code 2 where there is none, or no browser with a window.',
    );
  addSettingOptions(record, ['dataDir', 'chromium']).action((url: string, parsed: Parsed) =>
    actions.record(url, parsed),
  );
}

function webAddress(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected an address that begins with http:// or https://.');
}

function shortName(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw new InvalidArgumentError(`Expected 1 to ${MAX_NAME_LENGTH} characters.`);
}
