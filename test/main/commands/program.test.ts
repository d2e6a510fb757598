import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { type Actions, createProgram, type Parsed } from '#main/commands/program.ts';
import { flagsOf } from '#main/platform/settings/options.ts';
import { SETTING_NAMES, SETTINGS } from '#main/platform/settings/table.ts';

/** Runs a command line; gives what was called and what was printed. */
async function call(...args: string[]) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
    };
  const actions: Actions = {
    serve: note('serve'),
    open: note('open'),
    createKey: note('createKey'),
    listKeys: note('listKeys'),
    revokeKey: note('revokeKey'),
    doctor: note('doctor'),
    record: note('record'),
  };
  let printed = '';
  const program = createProgram('1.2.3', actions);
  const print = (text: string) => {
    printed += text;
  };
  const all = [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)];
  for (const each of all) each.exitOverride().configureOutput({ writeOut: print, writeErr: print });
  try {
    await program.parseAsync(args, { from: 'user' });
    return { calls, printed, exitCode: 0 };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { calls, printed, exitCode: error.exitCode };
  }
}

test('--help names every command', async () => {
  const { printed, exitCode } = await call('--help');
  expect(exitCode).toBe(0);
  for (const command of ['serve', 'keys', 'doctor', 'record'])
    expect(printed).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test('serve --help shows each flag with its variable and its default', async () => {
  const { printed } = await call('serve', '--help');
  for (const name of SETTING_NAMES) {
    const { flag, env } = SETTINGS[name];
    expect(printed).toContain(env);
    if (flag) expect(printed).toContain(`${flag.name} <${flag.placeholder}>`);
  }
  expect(printed).toMatch(/WATCHPOST_PORT;\s+default: 8440\./);
});

test('keys --help names what can be done with keys', async () => {
  const { printed } = await call('keys', '--help');
  for (const verb of ['create', 'list', 'revoke']) expect(printed).toContain(verb);
  expect((await call('keys', 'create', '--help')).printed).toContain('--name <name>');
});

test('--version prints the version', async () => {
  expect((await call('--version')).printed).toBe('1.2.3\n');
});

test('flags of serve are told by the names of their settings', async () => {
  const { calls } = await call('serve', '--port', '1', '--data-dir', '/a', '--log', 'debug');
  expect(calls[0]?.[0]).toBe('serve');
  expect(flagsOf(calls[0]?.[1] as Parsed)).toMatchObject({
    port: '1',
    dataDir: '/a',
    logLevel: 'debug',
    host: undefined,
  });
});

test.each([
  [
    ['keys', 'create', '--name', 'ci'],
    ['createKey', 'ci'],
  ],
  [['keys', 'list'], ['listKeys']],
  [
    ['keys', 'revoke', 'an-id'],
    ['revokeKey', 'an-id'],
  ],
  [
    ['doctor', '--json', '--port', '1'],
    ['doctor', { json: true, port: '1' }],
  ],
  [
    ['record', 'https://shop.example.com', '--name', 'Login'],
    ['record', 'https://shop.example.com', { name: 'Login' }],
  ],
])('%j is understood', async (args, expected) => {
  const { calls } = await call(...args);
  expect(calls[0]?.slice(0, expected.length)).toEqual(expected);
});

test.each([
  [['serve', '--prot', '1'], "unknown option '--prot'"],
  [['serve', 'now'], 'too many arguments'],
  [['sevre'], "unknown command 'sevre'"],
  [['serve', '--port'], "option '--port <number>' argument missing"],
  [['serve', '--api-key', 'abcdefgh12345678'], "unknown option '--api-key'"],
  [['keys', 'create'], "required option '--name <name>' not specified"],
  [['keys', 'create', '--name', ' '], 'Expected 1 to 100 characters.'],
  [['keys', 'revoke'], "missing required argument 'id'"],
  [['doctor', '--prot', '1'], "unknown option '--prot'"],
  [['record'], "missing required argument 'url'"],
  [['record', 'shop.example.com'], 'Expected an address that begins with http:// or https://.'],
  [['record', 'file:///etc/passwd'], 'Expected an address that begins with http:// or https://.'],
  [['record', 'https://shop.example.com', '--name', ''], 'Expected 1 to 100 characters.'],
])('%j is refused, and nothing is done', async (args, message) => {
  const { calls, printed, exitCode } = await call(...args);
  expect({ calls, exitCode }).toEqual({ calls: [], exitCode: 1 });
  expect(printed).toContain(message);
});
