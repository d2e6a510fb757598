import { CommandError } from './command-error.ts';

/** An API key as it is shown: never the key itself. */
export interface ListedKey {
  /** UUID. */
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  /** ISO 8601. */
  created_at: string;
}

/** Where a command reads and writes keys: the running appliance, or its data folder while none runs. */
export interface KeyStore extends AsyncDisposable {
  list(): Promise<readonly ListedKey[]>;
  /** The key itself is known only now. */
  create(name: string): Promise<{ id: string; key: string }>;
  /** False where there is no key of that id. */
  revoke(id: string): Promise<boolean>;
}

/** Where a command writes: what it answers, and what goes with it for people. */
export interface Output {
  answer(line: string): void;
  note(line: string): void;
}

/** Makes a key. Only the key itself is the answer, so that a script can take it. */
export async function createKeyCommand(store: KeyStore, name: string, out: Output) {
  const { id, key } = await store.create(name);
  out.answer(key);
  out.note(`The key ${shown(name)} has the id ${id}. It is shown only this once.`);
}

/** Lists keys, a line each: id, first characters, date, name. */
export async function listKeysCommand(store: KeyStore, out: Output) {
  const keys = await store.list();
  for (const key of keys) out.answer(lineOf(key));
  if (keys.length === 0) out.note('There are no keys.');
}

/** @throws CommandError where there is no such key */
export async function revokeKeyCommand(store: KeyStore, id: string, out: Output) {
  if (!(await store.revoke(id))) throw new CommandError(`no key has the id ${shown(id)}`);
  out.note(`The key ${id} is revoked.`);
}

function lineOf({ id, prefix, created_at, name }: ListedKey): string {
  return `${id}  ${prefix}…  ${created_at.slice(0, 10)}  ${shown(name)}`;
}

/** A text from outside on one line: no control character reaches the terminal. */
const shown = (text: string): string => JSON.stringify(text);
