import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { type Finding, sayOf } from './finding.ts';

/** Whether a port can be listened on. */
export interface PortFacts {
  host: string;
  port: number;
  /** The code of the system's error where it cannot. */
  refusal: string | null;
  /** The program that has it, as far as the system tells. */
  holder: string | null;
  /** Where the appliance of the data folder answers; null where none does. */
  ownUrl: string | null;
}

/** Listens on the port for a moment. */
export async function portFacts(
  host: string,
  port: number,
  ownUrl: string | null,
): Promise<PortFacts> {
  const refusal = await refusalOf(host, port);
  const holder = refusal === 'EADDRINUSE' ? await holderOfPort(port) : null;
  return { host, port, refusal, holder, ownUrl };
}

function refusalOf(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'EUNKNOWN'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

const LISTENS = '0A';

/**
 * The process that listens on a port, as `node (process 7)`. Null where the system does not say:
 * only Linux does, and only of one's own processes, or to root of all.
 */
async function holderOfPort(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => textOf(`/proc/net/${name}`)));
  const sockets = listeningSockets(tables.join('\n'), port);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const open = await linksIn(`/proc/${pid}/fd`);
    if (!open.some((link) => sockets.has(link))) continue;
    return `${(await textOf(`/proc/${pid}/comm`)).trim()} (process ${pid})`;
  }
  return null;
}

/** The sockets that listen on a port, as links of descriptors name them. */
export function listeningSockets(table: string, port: number): Set<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(
    ([, local, , state]) => local?.endsWith(`:${hexPort}`) && state === LISTENS,
  );
  return new Set(ours.map(([, , , , , , , , , inode]) => `socket:[${inode}]`));
}

/** Processes come and go, and those of others are closed. */
async function linksIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** What is said of the port. */
export function judgePort({ host, port, refusal, holder, ownUrl }: PortFacts): Finding {
  const say = sayOf('port');
  const place = `${host}:${port}`;
  if (port === 0) return say.ok('Any free one is used.');
  if (refusal === null) return say.ok(`${place} is free.`);
  if (refusal === 'EADDRINUSE') {
    const isOurs = ownUrl !== null && new URL(ownUrl).port === String(port);
    if (isOurs) return say.ok(`The appliance of this data folder answers at ${ownUrl}.`);
    const by = holder ?? 'another program';
    return say.problem(`${place} is in use by ${by}.`, 'Stop it, or set WATCHPOST_PORT.');
  }
  if (refusal === 'EADDRNOTAVAIL' || refusal === 'ENOTFOUND') {
    return say.problem(`${host} is no address of this machine.`, 'Set WATCHPOST_HOST.');
  }
  return say.problem(
    `${place} cannot be used (${refusal}).`,
    'Set WATCHPOST_PORT or WATCHPOST_HOST.',
  );
}
