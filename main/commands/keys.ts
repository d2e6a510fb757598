import { CommandError } from './command-error.ts';
import type { KeyStore, ListedKey } from './key-keeper.ts';

/** Where a command writes: what it answers, and what goes with it for people. */
export interface Output {
  answer(line: string): void;
  note(line: string): void;
}

/** Makes a key. Only the key itself is the answer, so that a script can take it. */
export async function createKeyCommand(keeper: KeyStore, name: string, out: Output) {
  const { id, key } = await keeper.create(name);
  out.answer(key);
  out.note(`The key ${shown(name)} has the id ${id}. It is shown only this once.`);
}

/** Lists keys, a line each: id, first characters, date, name. */
export async function listKeysCommand(keeper: KeyStore, out: Output) {
  const keys = await keeper.list();
  for (const key of keys) out.answer(lineOf(key));
  if (keys.length === 0) out.note('There are no keys.');
}

/** @throws CommandError where there is no such key */
export async function revokeKeyCommand(keeper: KeyStore, id: string, out: Output) {
  if (!(await keeper.revoke(id))) throw new CommandError(`no key has the id ${shown(id)}`);
  out.note(`The key ${id} is revoked.`);
}

function lineOf({ id, prefix, created_at, name }: ListedKey): string {
  return `${id}  ${prefix}…  ${created_at.slice(0, 10)}  ${shown(name)}`;
}

/** A text from outside on one line: no control character reaches the terminal. */
const shown = (text: string): string => JSON.stringify(text);
