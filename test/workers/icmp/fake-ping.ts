import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An executable script that stands for ping. */
export interface FakePing {
  path: string;
  /** The arguments of its last call, and the environment that it saw. */
  arguments(): Promise<string[]>;
  environment(): Promise<string>;
  /** Content of a file that the script wrote beside itself. */
  read(name: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Writes a shell script as ping; `$DIR` is a folder of its own. */
export async function fakePing(script: string): Promise<FakePing> {
  const folder = await mkdtemp(join(tmpdir(), 'ping-'));
  const path = join(folder, 'ping');
  const preamble = `DIR='${folder}'\nprintf '%s\\n' "$@" > "$DIR/arguments"\nenv > "$DIR/environment"\n`;
  await writeFile(path, `#!/bin/sh\n${preamble}${script}\n`);
  await chmod(path, 0o755);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  return {
    path,
    read,
    arguments: async () => (await read('arguments')).trimEnd().split('\n'),
    environment: () => read('environment'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** What iputils prints when of `sent` requests those named are answered, each after so many ms. */
export function iputilsOutput(sent: number, rtts: Readonly<Record<number, number>>): string {
  const lines = Object.entries(rtts).map(
    ([sequence, rtt]) => `64 bytes from 192.0.2.9: icmp_seq=${sequence} ttl=60 time=${rtt} ms`,
  );
  const received = lines.length;
  const statistics = `${sent} packets transmitted, ${received} received, time 0ms`;
  return `cat <<END\n${[...lines, '', '--- statistics ---', statistics].join('\n')}\nEND`;
}
