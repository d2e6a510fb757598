import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, sayOf } from './finding.ts';

const MEBIBYTE = 1024 ** 2;
/** With less, SQLite and the files of runs soon fail. */
const LEAST_MB = 200;
const FEW_MB = 2_048;

/** What a folder is like for whoever runs the command. */
export interface FolderFacts {
  path: string;
  /** `none`: there is nothing at the path. */
  kind: 'none' | 'folder' | 'other';
  /** The code of the system's error where it cannot be written, or made where there is none. */
  refusal: string | null;
  /** Of the owner, group and others; null where the system has no such thing. */
  mode: number | null;
  /** Ids of users; null where the system has none. */
  owner: number | null;
  user: number | null;
  /** Of its disk, for this user. */
  freeMb: number;
}

/** Looks at a folder, and makes nothing. */
export async function folderFacts(path: string): Promise<FolderFacts> {
  const found = await statOrNull(path);
  const place = found === null ? await nearestFolder(path) : path;
  const { bavail, bsize } = await statfs(place);
  const isWindows = process.platform === 'win32';
  return {
    path,
    kind: found === null ? 'none' : found.isDirectory() ? 'folder' : 'other',
    refusal: await refusalOf(place),
    mode: found === null || isWindows ? null : found.mode & 0o777,
    owner: found === null || isWindows ? null : found.uid,
    user: process.getuid?.() ?? null,
    freeMb: Math.floor((bavail * bsize) / MEBIBYTE),
  };
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await statOrNull(parent)) !== null ? parent : nearestFolder(parent);
}

async function refusalOf(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

/** What is said of the data folder. */
export function judgeDataFolder(facts: FolderFacts, holder: string | null): Finding[] {
  const say = sayOf('data folder');
  const { path, kind, refusal } = facts;
  if (kind === 'other') {
    return [say.problem(`${path} is not a folder.`, 'Name another in WATCHPOST_DATA_DIR.')];
  }
  if (refusal !== null) {
    const done = kind === 'none' ? 'made' : 'written';
    const advice = 'Give it to the user who runs Watchpost, or name another in WATCHPOST_DATA_DIR.';
    return [say.problem(`${path} cannot be ${done} (${refusal}).`, advice), ...roomOf(facts)];
  }
  const used = holder === null ? 'no appliance runs on it' : `in use by ${holder}`;
  const text = kind === 'none' ? `${path} is made by the first start.` : `${path}, ${used}.`;
  return [say.ok(text), ...ownershipOf(facts), ...roomOf(facts)];
}

function ownershipOf({ path, mode, owner, user }: FolderFacts): Finding[] {
  const say = sayOf('data folder');
  const found: Finding[] = [];
  if (owner !== user && owner !== null) {
    const advice = 'Run Watchpost and this command as its owner: files of others cannot be used.';
    found.push(say.warning(`It belongs to the user ${owner}, and you are ${user}.`, advice));
  }
  if (mode !== null && (mode & 0o077) !== 0) {
    const text = `Others on this machine have rights to it (mode ${mode.toString(8)}).`;
    found.push(say.warning(text, `chmod 700 '${path}'`));
  }
  return found;
}

function roomOf({ freeMb }: FolderFacts): Finding[] {
  const say = sayOf('disk');
  const text = `${freeMb} MB are free for the data folder.`;
  const advice = 'Make room, or lower WATCHPOST_HISTORY_MEGABYTES.';
  if (freeMb < LEAST_MB) return [say.problem(text, advice)];
  return [freeMb < FEW_MB ? say.warning(text, advice) : say.ok(text)];
}

/** What is said of the folder in which runs of browsers work. */
export function judgeRunsFolder({ path, refusal, freeMb }: FolderFacts): Finding {
  const say = sayOf('temporary folder');
  const advice = 'Browser checks need it: make room, or name another in TMPDIR.';
  if (refusal !== null) return say.problem(`${path} cannot be written (${refusal}).`, advice);
  if (freeMb < LEAST_MB) return say.warning(`${path} has only ${freeMb} MB left.`, advice);
  return say.ok(`${path} has ${freeMb} MB left.`);
}
