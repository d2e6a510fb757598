import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FromHost, LineReader, type ToHost } from '#shared/sandbox/script-host.ts';
import { readMessage } from './from-host.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface ChildOptions {
  /** The Node binary; on a desktop not Electron's own. */
  nodePath: string;
  /** What it starts with: a program that takes away its network and becomes it. Empty for none. */
  launcher: readonly string[];
  /** Megabytes that one script may use. */
  memoryMb: number;
  /** Megabytes that the whole process may use. */
  maxMb: number;
  /** Gives way to every other process that wants to compute. */
  isLowPriority: boolean;
  onMessage: (message: FromHost) => void;
  /** Called once, when the process is gone or could not be started. */
  onExit: () => void;
}

/** A script host process. */
export interface HostChild {
  pid: number | undefined;
  /** Whether anything ever came from it: until then it may still be starting. */
  readonly hasSpoken: boolean;
  send(message: ToHost): void;
  kill(): void;
  /** Resolves when the process is gone. */
  exited: Promise<void>;
}

/**
 * Starts a script host: plain Node under the permission model, which may read its own files and the
 * addon and nothing else, write nothing and start nothing, with an empty environment.
 */
export function startChild({
  nodePath,
  launcher,
  memoryMb,
  maxMb,
  isLowPriority,
  onMessage,
  onExit,
}: ChildOptions): HostChild {
  const main = [
    nodePath,
    ...PERMISSIONS,
    at('workers/sandbox/host/main.ts'),
    `${memoryMb}`,
    `${maxMb}`,
  ];
  const [program = nodePath, ...args] = [...launcher, ...main];
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: childEnvironment(),
    cwd: at('workers/sandbox/host'),
    windowsHide: true,
  });
  if (isLowPriority) giveWay(child.pid);
  const kill = () => {
    // Whoever kills waits for the end.
    child.ref();
    child.kill('SIGKILL');
  };
  const { promise: exited, resolve: leave } = Promise.withResolvers<void>();
  child.once('exit', () => leave());
  child.once('error', () => leave());
  exited.then(onExit);
  // Where no file descriptor is left there are no pipes, whatever the types say: `error` tells.
  const { stdin }: ChildProcess = child;
  // A pipe that breaks is the end of the host, which `exit` tells.
  stdin?.on('error', kill);
  let hasSpoken = false;
  const hear = (message: FromHost) => {
    hasSpoken = true;
    onMessage(message);
  };
  listen(child, hear, kill);
  unreference(child);
  return {
    pid: child.pid,
    get hasSpoken() {
      return hasSpoken;
    },
    send: (message) => stdin?.write(`${JSON.stringify(message)}\n`),
    kill,
    exited,
  };
}

/** Right after the start: on Linux threads have a priority of their own, that of whoever starts them. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // It has ended already, which `exit` tells.
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

function systemCode(error: unknown): unknown {
  return (error as { info?: { code?: unknown } }).info?.code;
}

function listen(child: ChildProcess, onMessage: (message: FromHost) => void, kill: () => void) {
  const reader = new LineReader();
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = messagesOf(reader, chunk);
    if (messages === null) kill();
    else for (const message of messages) onMessage(message);
  });
}

/** Null where the host does not speak its own language. */
function messagesOf(reader: LineReader, chunk: string): FromHost[] | null {
  const messages = reader.push(chunk)?.map(readMessage) ?? [null];
  return messages.includes(null) ? null : messages.filter((message) => message !== null);
}

/** An idle host keeps nobody alive: the timers of its tasks do that while there are any. */
function unreference(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }
}

function permissions(): string[] {
  const require = createRequire(import.meta.url);
  const addon = require.resolve('isolated-vm/package.json');
  const loader = createRequire(addon).resolve('node-gyp-build/package.json');
  const readable = [
    `${at('workers/sandbox/host')}${sep}`,
    at('shared/sandbox/script.ts'),
    at('shared/sandbox/script-host.ts'),
    at('shared/sandbox/json-structure.ts'),
    at('shared/sandbox/libraries.ts'),
    `${at('node_modules/.cache/watchpost-libraries')}${sep}`,
    at('package.json'),
    `${dirname(addon)}${sep}`,
    `${dirname(loader)}${sep}`,
    // How the loader of the addon tells musl from glibc.
    '/etc/alpine-release',
  ];
  return [
    '--no-node-snapshot',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    '--permission',
    '--allow-addons',
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Looked up at the start, while files can still be read. */
const PERMISSIONS = permissions();

/** Windows starts no process without its system folder; elsewhere nothing is passed on. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}
